/** The form that makes a sales order, also of what a hold keeps. */
import { TextInput } from '@mantine/core'
import type { Customer, Reservation } from '@millrace/client'
import { type Exact, forTyping } from '../../exact.ts'
import { type Choice, PartnerPicker, partnerChoice } from '../../patterns/inputs.tsx'
import {
  NewOrder,
  type OrderLine,
  OrderLineFields,
  orderLine,
  orderLineRules,
  sentOrderLine,
} from '../../patterns/order-lines.tsx'
import { useApi } from '../../session.tsx'

type Values = { customer: Choice | null; delivery_date: string; notes: string; items: OrderLine[] }

type Props = {
  /** The order takes what it keeps. */
  readonly hold?: Exact<Reservation>
  /** The customer of the hold: null for a hold without one, undefined until the customer is read. */
  readonly customer?: Exact<Customer> | null | undefined
}

export function NewSalesOrder({ hold, customer = hold ? undefined : null }: Props) {
  const api = useApi()
  return (
    <NewOrder
      label={hold ? 'Make an order' : 'New sales order'}
      title="New sales order"
      {...(hold
        ? { explains: `Takes what ${hold.number} holds. What the order leaves of it is available again.` }
        : {})}
      path="/sales-orders"
      scope="write:sales.order.create"
      closed={customer === undefined ? 'Its customer is not read yet' : undefined}
      initial={(): Values => ({
        customer: customer ? partnerChoice(customer) : null,
        delivery_date: '',
        notes: '',
        items: hold ? hold.items.map(heldLine) : [orderLine()],
      })}
      validate={{ customer: value => (value === null ? 'choose a customer' : null), items: orderLineRules }}
      fields={form => (
        <>
          <PartnerPicker of="customers" label="Customer" required {...form.getInputProps('customer')} />
          <OrderLineFields form={form} of="is_sellable" usualPrice="list price" />
          <TextInput type="date" label="Due" {...form.getInputProps('delivery_date')} />
          <TextInput label="Notes" maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      send={({ customer, delivery_date, notes, items }, sending) =>
        api.salesOrders.create(
          {
            customer_id: customer?.id,
            delivery_date: delivery_date || null,
            notes: notes.trim() || null,
            items: items.map(sentOrderLine),
            ...(hold ? { reservation_id: hold.id } : {}),
          },
          sending,
        )
      }
    />
  )
}

const heldLine = ({
  item_variant_id: id,
  title,
  sku,
  quantity,
  storage_place_id,
}: Exact<Reservation>['items'][number]) =>
  orderLine({ id, label: title, hint: sku }, forTyping(quantity), {
    held: {
      variantId: id,
      quantity,
      placeId: storage_place_id,
    },
  })
