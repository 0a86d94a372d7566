/** The fields that forms of new and of open sales orders share, and how they are sent. */
import { SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { UpdateSalesOrderBody } from '@millrace/client'
import { type ReactNode, useMemo } from 'react'
import { today } from '../../days.ts'
import { forTyping } from '../../exact.ts'
import { type Address, AddressFields, sentAddress, type TypedAddress, typedAddress } from '../../patterns/addresses.tsx'
import { changedFields } from '../../patterns/changes.tsx'
import { type Charge, ChargeFields, chargeOf, chargeRules, sentCharges } from '../../patterns/charges.tsx'
import { DateWarnings, isBefore } from '../../patterns/date-warnings.tsx'
import { useRecord } from '../../patterns/detail-page.tsx'
import { field } from '../../patterns/fields.tsx'
import { type Choice, decimalRules, isNew, PartnerPicker, partnerChoice } from '../../patterns/inputs.tsx'
import { type OrderLine, orderLineChanges, orderLineOf, orderLineRules, usualTax } from '../../patterns/order-line.ts'
import { OrderLineFields } from '../../patterns/order-lines.tsx'
import { placeValue } from '../../patterns/places.tsx'
import {
  changesOf as changedOf,
  RecordFields,
  rulesOf,
  sentOf,
  type ValuesOf,
  valuesOf,
} from '../../patterns/record-fields.tsx'
import { useLastTax, useShown } from '../../patterns/shown-in-form.ts'
import { typedTaxes } from '../../patterns/taxes.tsx'
import type { SalesOrder as Order } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { customers } from '../partners/nouns.ts'
import { type PriceMode, priceModeOf } from './price-mode.tsx'
import { type Foretold, ForetoldTotals } from './totals.tsx'

/** The addresses of the customer, as shown. */
type OfCustomer = { readonly id: string; readonly shipping: Address | null; readonly billing: Address | null }

const dated = {
  ordered_at: field.day('Ordered', { max: today }),
  delivery_date: field.day('Due'),
  external_ref: field.text('Reference'),
  priority: field.priority('Priority'),
}
const noted = { notes: field.longText('Notes') }
const rated = { exchange_rate: field.number('Exchange rate', { rule: decimalRules.positive }) }
const fields = { ...dated, ...noted, ...rated }
const newCustomer = { email: field.text('E-mail'), country_code: field.code('Country', 'DE') }

export type Values = {
  customer: Choice | null
  /** Further fields of a customer that the order makes. */
  new_customer: ValuesOf<typeof newCustomer>
  of_customer: OfCustomer | null
  shipping_address: TypedAddress
  billing_address: TypedAddress
  first_tax: string
  items: OrderLine[]
  charges: Charge[]
  /** The currency of the order. In a new order it is typed. */
  currency: string
} & PriceMode &
  ValuesOf<typeof fields>

export const blank = (currency: string): Values => ({
  ...{ customer: null, of_customer: null, first_tax: '', items: [], charges: [], currency },
  new_customer: valuesOf(newCustomer),
  shipping_address: typedAddress(undefined),
  billing_address: typedAddress(undefined),
  ...priceModeOf(),
  ...valuesOf(fields),
})

export const typedOf = (order: Order): Values => ({
  ...blank(order.currency),
  ...priceModeOf(order),
  customer: partnerChoice(order.customer),
  shipping_address: typedAddress(order.shipping_address),
  billing_address: typedAddress(order.billing_address),
  items: order.items.map(item => ({
    ...orderLineOf(item, forTyping),
    quantity: forTyping(item.quantity),
    price: forTyping(item.price),
    discount_amount: forTyping(item.discount_amount),
    taxes: typedTaxes(item.taxes),
    storage_place_id: placeValue(item.storage_place_id),
    done: item.shipped_quantity,
  })),
  charges: order.charges.map(chargeOf(order.prices_include_tax)),
  ...valuesOf(fields, order),
})

export const rules = {
  customer: (value: Choice | null) => (value === null ? 'choose a customer' : null),
  ...rulesOf(fields),
  new_customer: rulesOf(newCustomer),
  items: orderLineRules,
  charges: chargeRules,
}

export const fieldOf = (field: string, now: Values, before: Values): string =>
  /^customer(_id|\.title)$/.test(field)
    ? 'customer'
    : orderLineChanges(before, now)
        .fieldOf(field)
        .replace(/^customer\./, 'new_customer.')
        .replace(/^(charges\.\d+\.amount)_with_tax$/, '$1')

/** Undefined until the chosen customer is loaded. */
const shownCustomer = ({ customer, of_customer }: Values): OfCustomer | undefined =>
  of_customer !== null && of_customer.id === customer?.id ? of_customer : undefined

export const sentCustomer = ({ customer, new_customer }: Values) =>
  isNew(customer) ? { customer: { title: customer.label, ...sentOf(newCustomer, new_customer) } } : {}

/** The fields that differ from the form's first values; for a new order all typed fields. */
export function changesOf(before: Values, now: Values): UpdateSalesOrderBody {
  const addresses = changedFields(before, now, {
    shipping_address: typed => sentAddress(typed, shownCustomer(now)?.shipping),
    billing_address: typed => sentAddress(typed, shownCustomer(now)?.billing),
  })
  return {
    ...addresses,
    ...changedOf(fields, before, now),
    customer_id: now.customer?.id === before.customer?.id ? undefined : now.customer?.id || undefined,
    charges: sentCharges({ before: before.charges, now: now.charges, isWithTax: now.prices_include_tax }),
    items: orderLineChanges(before, now).items,
  }
}

type Props = {
  readonly form: UseFormReturnType<Values>
  /** Further choices for a new order. */
  readonly children?: ReactNode
  /** The amounts that a new order would have. */
  readonly foretold?: Foretold
}

export function SalesOrderFields({ form, children, foretold }: Props) {
  const { me } = useSession()
  const { values, setFieldValue } = form
  const sold = { isWithTax: values.prices_include_tax, mayHaveTaxes: values.tax_rounding === 'LINE' }
  const currency = values.currency.trim().toUpperCase()
  const { customer, items, first_tax, ordered_at, delivery_date } = values
  const data = useRecord(customers, customer?.id || null)
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
      <PartnerPicker
        of="customers"
        label="Customer"
        required
        makes={foretold !== undefined}
        {...form.getInputProps('customer')}
      />
      {isNew(customer) && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <RecordFields form={form} fields={newCustomer} at="new_customer." isStacked />
        </SimpleGrid>
      )}
      {children}
      <OrderLineFields form={form} kind="SALE" firstTax={first_tax} sold={sold} foretold={foretold?.lines} />
      <ChargeFields form={form} tax={usualTax(items, items.length, first_tax)} sold={sold} />
      {foretold && <ForetoldTotals of={foretold} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <RecordFields form={form} fields={dated} isStacked />
        {currency !== me.currency && <RecordFields form={form} fields={rated} isStacked />}
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
      <RecordFields form={form} fields={noted} isStacked />
    </>
  )
}
