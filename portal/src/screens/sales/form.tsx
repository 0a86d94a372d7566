/** What the forms of new and of open sales orders have in common: their fields, and what of them is sent. */
import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { SalesOrder, UpdateSalesOrderBody } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Decimal, type Exact, forTyping, sent } from '../../exact.ts'
import { type Address, AddressFields, sentAddress, type TypedAddress, typedAddress } from '../../patterns/addresses.tsx'
import { changedFields, dayInput, orNull } from '../../patterns/changes.tsx'
import { type Charge, ChargeFields, chargeOf, chargeRules, sentCharges } from '../../patterns/charges.tsx'
import { DateWarnings, isBefore, today } from '../../patterns/date-warnings.tsx'
import { type Choice, PartnerPicker, partnerChoice } from '../../patterns/inputs.tsx'
import { useLastTax } from '../../patterns/last-tax.ts'
import { type OrderLine, orderLineChanges, orderLineOf, orderLineRules, usualTax } from '../../patterns/order-line.ts'
import { OrderLineFields } from '../../patterns/order-lines.tsx'
import { placeValue } from '../../patterns/places.tsx'
import { useShown } from '../../patterns/shown-in-form.ts'
import { useSession } from '../../session.tsx'

type Order = Exact<SalesOrder>

/** The addresses of the customer as they are shown. */
type OfCustomer = { readonly id: string; readonly shipping: Address | null; readonly billing: Address | null }

export type Values = {
  customer: Choice | null
  of_customer: OfCustomer | null
  shipping_address: TypedAddress
  billing_address: TypedAddress
  first_tax: string
  items: OrderLine[]
  charges: Charge[]
  ordered_at: string
  delivery_date: string
  priority: string
  external_ref: string
  notes: string
}

export const blank = (): Values => ({
  customer: null,
  of_customer: null,
  shipping_address: typedAddress(undefined),
  billing_address: typedAddress(undefined),
  first_tax: '',
  items: [],
  charges: [],
  ordered_at: '',
  delivery_date: '',
  priority: '0',
  external_ref: '',
  notes: '',
})

export const valuesOf = (order: Order): Values => ({
  ...blank(),
  customer: partnerChoice(order.customer),
  shipping_address: typedAddress(order.shipping_address),
  billing_address: typedAddress(order.billing_address),
  items: order.items.map(item => ({
    ...orderLineOf(item, forTyping),
    quantity: forTyping(item.quantity),
    price: forTyping(item.price),
    storage_place_id: placeValue(item.storage_place_id),
    done: item.shipped_quantity,
  })),
  charges: order.charges.map(chargeOf),
  ordered_at: dayInput(order.ordered_at),
  delivery_date: dayInput(order.delivery_date),
  priority: order.priority,
  external_ref: order.external_ref ?? '',
  notes: order.notes ?? '',
})

export const rules = {
  customer: (value: Choice | null) => (value === null ? 'choose a customer' : null),
  priority: (value: string) => (/^-?\d{1,10}$/.test(value.trim()) ? null : 'a whole number'),
  items: orderLineRules,
  charges: chargeRules,
}

export const fieldOf = (field: string, now: Values, before: Values): string =>
  field === 'customer_id' ? 'customer' : orderLineChanges(before, now).fieldOf(field)

/** Undefined until the chosen customer is read. */
const shownCustomer = ({ customer, of_customer }: Values): OfCustomer | undefined =>
  of_customer !== null && of_customer.id === customer?.id ? of_customer : undefined

/** What differs from what the form began with: of a new order all that is typed. */
export const changesOf = (before: Values, now: Values): UpdateSalesOrderBody => ({
  ...changedFields(before, now, {
    shipping_address: typed => sentAddress(typed, shownCustomer(now)?.shipping),
    billing_address: typed => sentAddress(typed, shownCustomer(now)?.billing),
    ordered_at: orNull,
    delivery_date: orNull,
    priority: input => sent(input.trim() as Decimal),
    external_ref: orNull,
    notes: orNull,
  }),
  customer_id: now.customer?.id === before.customer?.id ? undefined : now.customer?.id,
  charges: sentCharges(before.charges, now.charges),
  items: orderLineChanges(before, now).items,
})

export function SalesOrderFields({ form }: { readonly form: UseFormReturnType<Values> }) {
  const { api, can } = useSession()
  const { values, setFieldValue } = form
  const { customer, items, first_tax, ordered_at, delivery_date } = values
  const { data } = useQuery({
    queryKey: ['customers', 'one', customer?.id],
    queryFn: ({ signal }) => api.customers.get(customer?.id ?? '', { signal }),
    enabled: customer !== null && can('read:sales'),
  })
  const lastTax = useLastTax('sales', customer?.id)
  const ofCustomer = useMemo(
    () => data && { id: data.id, shipping: data.shipping_address, billing: data.billing_address },
    [data],
  )
  useShown(form, 'of_customer', ofCustomer)
  useShown(form, 'first_tax', lastTax)
  const address = (label: string, name: 'shipping_address' | 'billing_address', of: 'shipping' | 'billing') => (
    <AddressFields
      label={label}
      path={name}
      value={values[name]}
      onChange={typed => setFieldValue(name, typed)}
      ofCustomer={shownCustomer(values)?.[of]}
      inputs={inputPath => form.getInputProps(inputPath) as never}
    />
  )
  return (
    <>
      <PartnerPicker of="customers" label="Customer" required {...form.getInputProps('customer')} />
      <OrderLineFields form={form} kind="SALE" firstTax={first_tax} />
      <ChargeFields form={form} tax={usualTax(items, items.length, first_tax)} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput type="date" label="Ordered" max={today()} {...form.getInputProps('ordered_at')} />
        <TextInput type="date" label="Due" {...form.getInputProps('delivery_date')} />
        <TextInput label="Reference" maxLength={255} {...form.getInputProps('external_ref')} />
        <TextInput label="Priority" inputMode="numeric" {...form.getInputProps('priority')} />
        {address('Ship to', 'shipping_address', 'shipping')}
        {address('Bill to', 'billing_address', 'billing')}
      </SimpleGrid>
      <DateWarnings
        of={[
          [isBefore(delivery_date, ordered_at), 'it is due before it was ordered'],
          [
            isBefore(delivery_date, today()) && delivery_date !== form.getInitialValues().delivery_date,
            'it is due before today',
          ],
        ]}
      />
      <Textarea label="Notes" autosize minRows={2} maxLength={10_000} {...form.getInputProps('notes')} />
    </>
  )
}
