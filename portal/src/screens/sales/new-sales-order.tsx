/** The form that makes a sales order, also of what a hold keeps. */
import { Checkbox, TextInput } from '@mantine/core'
import type { CreateSalesOrderBody } from '@millrace/client'
import { forTyping } from '../../exact.ts'
import { currencyRule, partnerChoice } from '../../patterns/inputs.tsx'
import { NewOrder } from '../../patterns/new-order.tsx'
import { orderLine } from '../../patterns/order-line.ts'
import type { Customer, Reservation } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { blank, changesOf, fieldOf, rules, SalesOrderFields } from './form.tsx'
import { PriceModeFields, sentPriceMode } from './price-mode.tsx'
import { TotalForetold } from './total-foretold.tsx'

type Props = {
  /** The order takes what it keeps. */
  readonly hold?: Reservation
  /** The customer of the hold: null for a hold without one, undefined until the customer is read. */
  readonly customer?: Customer | null | undefined
}

export function NewSalesOrder({ hold, customer = hold ? undefined : null }: Props) {
  const { api, me } = useSession()
  return (
    <NewOrder
      label={hold ? 'Make an order' : 'New sales order'}
      title="New sales order"
      {...(hold
        ? { explains: `Takes what ${hold.number} holds. What the order leaves of it is available again.` }
        : {})}
      path="/sales-orders"
      size="xl"
      scope="write:sales.order.create"
      closed={customer === undefined ? 'Its customer is not read yet' : undefined}
      initial={() => ({
        ...blank(me.currency),
        customer: customer ? partnerChoice(customer) : null,
        items: hold ? hold.items.map(heldLine) : [orderLine()],
        isCovered: false,
      })}
      validate={{ ...rules, currency: currencyRule }}
      fieldOf={(field, now) => fieldOf(field, now, blank(me.currency))}
      fields={form => (
        <>
          <SalesOrderFields form={form as never}>
            <PriceModeFields
              form={form}
              value={form.values}
              onInclude={isWith => form.setFieldValue('prices_include_tax', isWith)}
            >
              <TextInput label="Currency" maxLength={3} {...form.getInputProps('currency')} />
            </PriceModeFields>
          </SalesOrderFields>
          <Checkbox label="Only if all of it is available" {...form.getInputProps('isCovered', { type: 'checkbox' })} />
        </>
      )}
      send={(now, sending) =>
        api.salesOrders.create(
          {
            ...(changesOf(blank(me.currency), now) as CreateSalesOrderBody),
            ...sentPriceMode(now),
            currency: now.currency.trim().toUpperCase(),
            ...(now.isCovered ? { allow_backorder: false } : {}),
            ...(hold ? { reservation_id: hold.id } : {}),
          },
          sending,
        )
      }
      foretells={order => <TotalForetold order={order} />}
    />
  )
}

const heldLine = (item: Reservation['items'][number]) =>
  orderLine({ id: item.item_variant_id, label: item.title, hint: item.sku }, forTyping(item.quantity), {
    held: { variantId: item.item_variant_id, quantity: item.quantity, placeId: item.storage_place_id },
  })
