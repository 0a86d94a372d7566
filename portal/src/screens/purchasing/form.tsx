/** The fields that forms of new and of open purchase orders share, and how they are sent. */
import { SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { UpdatePurchaseOrderBody } from '@millrace/client'
import type { ReactNode } from 'react'
import { today } from '../../days.ts'
import { forTyping } from '../../exact.ts'
import { changedFields, dayInput } from '../../patterns/changes.tsx'
import { DateWarnings, isBefore } from '../../patterns/date-warnings.tsx'
import { field } from '../../patterns/fields.tsx'
import { type Choice, PartnerPicker, partnerChoice } from '../../patterns/inputs.tsx'
import { type OrderLine, orderLineChanges, orderLineOf, orderLineRules } from '../../patterns/order-line.ts'
import { OrderLineFields } from '../../patterns/order-lines.tsx'
import { PlaceSelect, placeId, placeValue } from '../../patterns/places.tsx'
import { changesOf as changedOf, RecordFields, type ValuesOf, valuesOf } from '../../patterns/record-fields.tsx'
import { useLastTax, useShown } from '../../patterns/shown-in-form.ts'
import { useMayHaveBatch } from '../../patterns/tracked.tsx'
import type { PurchaseOrder as Order } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { boughtOf, linesInStockUnits, type Ordered, sentPurchaseLines, useOffers } from './offers.ts'

const dated = { expected_date: field.day('Expected') }
const named = { external_ref: field.text('Reference') }
const noted = { notes: field.longText('Notes') }
const fields = { ...dated, ...named, ...noted }

export type Values = Ordered & {
  storage_place_id: string
} & ValuesOf<typeof fields>

/** @param currency of the order. */
export const blank = (currency: string): Values => ({
  ...{ supplier: null, currency, first_tax: '', items: [], offers: [] },
  ...{ storage_place_id: '', ...valuesOf(fields) },
})

export const typedOf = (order: Order): Values => ({
  ...blank(order.currency),
  supplier: partnerChoice(order.supplier),
  storage_place_id: placeValue(order.storage_place_id),
  ...valuesOf(fields, order),
  items: order.items.map(lineOf),
})

const lineOf = (item: Order['items'][number]): OrderLine => ({
  ...orderLineOf(item, forTyping),
  done: item.received_quantity,
  unit: item.purchase_quantity === null ? null : (item.purchase_unit_name ?? 'purchase units'),
  quantity: forTyping(item.purchase_quantity ?? item.quantity),
  price: forTyping(item.purchase_price ?? item.price),
  expected_date: dayInput(item.expected_date),
  batch_number: item.batch_number ?? '',
  expiry_date: dayInput(item.expiry_date),
})

export const rules = {
  supplier: (value: Choice | null) => (value === null ? 'choose a supplier' : null),
  items: orderLineRules,
}

/** The form's path of a sent field. */
export const fieldOf = (field: string, now: Values, before: Values): string =>
  field === 'supplier_id'
    ? 'supplier'
    : orderLineChanges(before, now)
        .fieldOf(field)
        .replace(/\.purchase_(quantity|price)$/, '.$1')

/** The fields that differ from the form's first values; for a new order all typed fields. */
export const changesOf = (before: Values, now: Values): UpdatePurchaseOrderBody => ({
  ...changedFields(before, now, { storage_place_id: placeId }),
  ...changedOf(fields, before, now),
  supplier_id: now.supplier?.id === before.supplier?.id ? undefined : now.supplier?.id,
  items: sentPurchaseLines(before, now),
})

/** The fields that may change in every status. */
export const notedFields = { ...named, ...noted }

type Props = {
  readonly form: UseFormReturnType<Values>
  /** The order that the form changes. */
  readonly order?: Order
  readonly children?: ReactNode
}

export function PurchaseOrderFields({ form, order, children }: Props) {
  const { me } = useSession()
  const { values, setFieldValue, getInitialValues } = form
  const { supplier, first_tax, expected_date, items, currency, offers } = values
  const itemIds = new Map(order?.items.map(item => [item.id, item.item_id]))
  const mayHaveBatch = useMayHaveBatch([...itemIds.values()])
  const lastTax = useLastTax('purchase', supplier?.id)
  const isChanged = expected_date !== getInitialValues().expected_date
  const expires = items.some(line => isBefore(line.expiry_date, line.expected_date || expected_date))
  useOffers(form)
  useShown(form, 'first_tax', lastTax)
  // The supplier's prices count in their own currency alone.
  const priced = offers.find(({ supplier_id, price }) => supplier_id === supplier?.id && price !== null)
  const isTyped = order !== undefined || currency !== getInitialValues().currency
  useShown(form, 'currency', isTyped ? undefined : (priced?.currency ?? me.currency))
  return (
    <>
      <PartnerPicker
        of="suppliers"
        label="Supplier"
        required
        {...form.getInputProps('supplier')}
        onChange={chosen => {
          if (chosen?.id !== supplier?.id) setFieldValue('items', linesInStockUnits(values))
          setFieldValue('supplier', chosen)
        }}
      />
      <OrderLineFields
        form={form}
        kind="PURCHASE"
        firstTax={first_tax}
        boughtOf={line => boughtOf(values, line)}
        hasBatch={({ id, variant }) => (id === null ? variant?.batched === true : mayHaveBatch(itemIds.get(id) ?? ''))}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PlaceSelect
          label="Expected at"
          required={order !== undefined}
          withNone
          placeholder="The main place"
          of="purchase_allowed"
          {...form.getInputProps('storage_place_id')}
          onChange={place => setFieldValue('storage_place_id', place ?? '')}
        />
        <RecordFields form={form} fields={dated} isStacked />
        {children}
        <RecordFields form={form} fields={named} isStacked />
      </SimpleGrid>
      <DateWarnings
        of={[
          [isChanged && isBefore(expected_date, today()), 'it is expected before today'],
          [expires, 'a line expires before it arrives'],
        ]}
      />
      <RecordFields form={form} fields={noted} isStacked />
    </>
  )
}
