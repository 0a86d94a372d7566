/** The page for a new sales order, also for one from a hold. It shows the amounts of the lines at once. */
import { Checkbox, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { CreateSalesOrderBody } from '@millrace/client'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { forTyping } from '../../exact.ts'
import { DetailPage, useRecord } from '../../patterns/detail-page.tsx'
import { FormPage } from '../../patterns/form-page.tsx'
import { currencyRule, partnerChoice } from '../../patterns/inputs.tsx'
import { orderLine } from '../../patterns/order-line.ts'
import { Waiting } from '../../patterns/waiting.tsx'
import type { Customer, Reservation } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { holds } from '../holds/nouns.ts'
import { customers } from '../partners/nouns.ts'
import { blank, changesOf, fieldOf, rules, SalesOrderFields, sentCustomer, type Values } from './form.tsx'
import { NEW_ORDER } from './new-sales-order.tsx'
import { PriceModeFields, sentPriceMode } from './price-mode.tsx'
import { useForetold } from './totals.tsx'

const route = getRouteApi(NEW_ORDER)

export function OrderEntry() {
  const { reservation_id: id } = route.useSearch()
  const { api } = useSession()
  if (id === undefined) return <Entry customer={null} />
  return (
    <DetailPage kind={holds.one} name={[holds.resource, 'one', id]} read={options => holds.of(api).get(id, options)}>
      {hold => <OfHold hold={hold} />}
    </DetailPage>
  )
}

function OfHold({ hold }: { readonly hold: Reservation }) {
  const customer = useRecord(customers, hold.customer_id)
  return customer === undefined ? <Waiting label="Reading the customer" /> : <Entry hold={hold} customer={customer} />
}

type Props = {
  /** The hold whose goods the order takes. */
  readonly hold?: Reservation
  readonly customer: Customer | null
}

type Typed = Values & { isCovered: boolean }

function Entry({ hold, customer }: Props) {
  const { api, me } = useSession()
  const navigate = useNavigate()
  const bodyOf = (now: Values): CreateSalesOrderBody => ({
    ...(changesOf(blank(me.currency), now) as CreateSalesOrderBody),
    ...sentCustomer(now),
    ...sentPriceMode(now),
    currency: now.currency.trim().toUpperCase(),
    ...(hold ? { reservation_id: hold.id } : {}),
  })
  return (
    <FormPage
      at={{ to: NEW_ORDER, ...(hold ? { search: { reservation_id: hold.id } } : {}) }}
      back={hold ? `${holds.path}/${hold.id}` : '/sales-orders'}
      label="New sales order"
      title="New sales order"
      submitLabel="Create"
      {...(hold
        ? { explains: `Takes what ${hold.number} holds. What the order leaves of it is available again.` }
        : {})}
      scope="write:sales.order.create"
      initial={() => ({
        ...blank(me.currency),
        customer: customer ? partnerChoice(customer) : null,
        items: hold ? hold.items.map(heldLine) : [orderLine()],
        isCovered: false,
      })}
      validate={{ ...rules, currency: currencyRule }}
      fieldOf={(field, now) => fieldOf(field, now, blank(me.currency))}
      fields={form => <Fields form={form as never} bodyOf={bodyOf} />}
      send={(now, sending) =>
        api.salesOrders.create({ ...bodyOf(now), ...(now.isCovered ? { allow_backorder: false } : {}) }, sending)
      }
      done={({ number }) => `${number} is made`}
      onDone={({ id }) => navigate({ to: `/sales-orders/${id}` as string, replace: true })}
    />
  )
}

type FieldsProps = { readonly form: UseFormReturnType<Typed>; readonly bodyOf: (now: Values) => CreateSalesOrderBody }

function Fields({ form, bodyOf }: FieldsProps) {
  const foretold = useForetold(form.values, bodyOf)
  return (
    <Stack>
      <SalesOrderFields form={form as never} foretold={foretold}>
        <PriceModeFields
          form={form}
          value={form.values}
          onInclude={isWith => form.setFieldValue('prices_include_tax', isWith)}
        >
          <TextInput label="Currency" maxLength={3} {...form.getInputProps('currency')} />
        </PriceModeFields>
      </SalesOrderFields>
      <Checkbox label="Only if all of it is available" {...form.getInputProps('isCovered', { type: 'checkbox' })} />
    </Stack>
  )
}

const heldLine = (item: Reservation['items'][number]) =>
  orderLine({ id: item.item_variant_id, label: item.title, hint: item.sku }, forTyping(item.quantity), {
    held: { variantId: item.item_variant_id, quantity: item.quantity, placeId: item.storage_place_id },
  })
