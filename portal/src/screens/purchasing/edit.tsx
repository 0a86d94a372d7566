/** The form that changes a purchase order and its lines; of one that is done only what is noted on it. */
import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { PurchaseOrder } from '@millrace/client'
import { type Exact, forTyping, isPositive, sentTyped, sentUnlessEmpty } from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import {
  addedLine,
  changedFields,
  dayInput,
  type EditedLine,
  EditedLines,
  editedLine,
  lineChanges,
  orNull,
  unlessAdded,
  variantRule,
} from '../../patterns/changes.tsx'
import { DecimalInput, decimalRules, PartnerPicker, partnerChoice } from '../../patterns/inputs.tsx'
import { PlaceSelect, placeId, placeValue } from '../../patterns/places.tsx'
import { useMayHaveBatch } from '../../patterns/tracked.ts'
import { useApi } from '../../session.tsx'

type Order = Exact<PurchaseOrder>
type Line = EditedLine & {
  readonly item_id: string | null
  readonly received: Order['items'][number]['received_quantity']
  /** The unit in which the line is bought, and counted here; null: the product's own. */
  readonly unit: string | null
  readonly quantity: string
  readonly price: string
  readonly tax_rate: string
  readonly expected_date: string
  readonly batch_number: string
  readonly expiry_date: string
}

const lineOf = (item: Order['items'][number]): Line => ({
  ...editedLine(item),
  item_id: item.item_id,
  received: item.received_quantity,
  unit: item.purchase_quantity === null ? null : (item.purchase_unit_name ?? 'purchase units'),
  quantity: forTyping(item.purchase_quantity ?? item.quantity),
  price: forTyping(item.purchase_price ?? item.price),
  tax_rate: forTyping(item.tax_rate),
  expected_date: dayInput(item.expected_date),
  batch_number: item.batch_number ?? '',
  expiry_date: dayInput(item.expiry_date),
})

const blank = (): Line => ({
  ...addedLine(),
  item_id: null,
  received: '0',
  unit: null,
  quantity: '',
  price: '',
  tax_rate: '',
  expected_date: '',
  batch_number: '',
  expiry_date: '',
})

const lineFields = {
  quantity: sentTyped,
  price: sentUnlessEmpty,
  tax_rate: sentUnlessEmpty,
  expected_date: orNull,
  batch_number: orNull,
  expiry_date: orNull,
}

type Values = ReturnType<typeof valuesOf>

const valuesOf = (order: Order) => ({
  supplier: partnerChoice(order.supplier),
  storage_place_id: placeValue(order.storage_place_id),
  expected_date: dayInput(order.expected_date),
  external_ref: order.external_ref ?? '',
  notes: order.notes ?? '',
  items: order.items.map(lineOf),
})

const changesOf = (before: Values, now: Values) =>
  lineChanges({ before: before.items, now: now.items, blank: blank() }, lineFields)

const quantityLabel = (received: Line['received'], unit: string | null): string =>
  `Quantity${unit === null ? '' : `, ${unit}`}${isPositive(received) ? `, ${quantityText(received)} received` : ''}`

type Entry = NonNullable<ReturnType<typeof changesOf>['items']>[number]

/** Entries that count a line in purchase units say so. */
const inUnitsOf = (lines: readonly Line[], entries: readonly Entry[] | undefined) => {
  const bought = new Set(lines.flatMap(({ id, unit }) => (unit === null ? [] : [id])))
  return entries?.map(({ quantity, price, ...entry }) =>
    bought.has(entry.id ?? null)
      ? { ...entry, purchase_quantity: quantity, purchase_price: price }
      : { ...entry, quantity, price },
  )
}

export function EditPurchaseOrder({ order }: { readonly order: Order }) {
  const api = useApi()
  const { id, number, items } = order
  const isOpen = order.status === 'OPEN'
  const mayHaveBatch = useMayHaveBatch(isOpen ? items.map(({ item_id }) => item_id) : [])
  return (
    <Step
      record={order}
      reread={() => api.purchaseOrders.get(id)}
      label="Edit"
      title={`Edit ${number}`}
      submitLabel="Save"
      size={isOpen ? 'xl' : 'md'}
      scope="write:purchase.order.update"
      explains={
        isOpen
          ? 'What has arrived stays as it was booked. Later receipts take the prices as they then are.'
          : 'The order is done: only its notes and its reference can change.'
      }
      initial={() => valuesOf(order)}
      validate={{
        items: {
          variant: variantRule,
          quantity: decimalRules.positive,
          price: unlessAdded(decimalRules.zeroOrMore),
          tax_rate: unlessAdded(decimalRules.zeroOrMore),
        },
      }}
      fieldOf={(field, now, before) => (field === 'supplier_id' ? 'supplier' : changesOf(before, now).fieldOf(field))}
      fields={form => (
        <>
          {isOpen && (
            <>
              <PartnerPicker of="suppliers" label="Supplier" required {...form.getInputProps('supplier')} />
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <PlaceSelect
                  label="Expected at"
                  required
                  withNone
                  of="purchase_allowed"
                  {...form.getInputProps('storage_place_id')}
                />
                <TextInput type="date" label="Expected" {...form.getInputProps('expected_date')} />
              </SimpleGrid>
              <EditedLines
                form={form}
                of="is_purchasable"
                blank={blank}
                inputs={index => {
                  const at = `items.${index}`
                  const { item_id, received, unit } = form.values.items[index] ?? blank()
                  return (
                    <>
                      <DecimalInput
                        label={quantityLabel(received, unit)}
                        withAsterisk
                        {...form.getInputProps(`${at}.quantity`)}
                      />
                      <DecimalInput
                        label={unit === null ? 'Price' : `Price, ${unit}`}
                        placeholder="usual price"
                        {...form.getInputProps(`${at}.price`)}
                      />
                      <DecimalInput label="Tax, %" placeholder="0" {...form.getInputProps(`${at}.tax_rate`)} />
                      <TextInput type="date" label="Line expected" {...form.getInputProps(`${at}.expected_date`)} />
                      {(item_id === null || mayHaveBatch(item_id)) && (
                        <>
                          <TextInput label="Batch" maxLength={64} {...form.getInputProps(`${at}.batch_number`)} />
                          <TextInput type="date" label="Expires" {...form.getInputProps(`${at}.expiry_date`)} />
                        </>
                      )}
                    </>
                  )
                }}
              />
            </>
          )}
          <TextInput label="Reference" maxLength={255} {...form.getInputProps('external_ref')} />
          <Textarea label="Notes" autosize minRows={2} maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      send={(now, sending, before) =>
        api.purchaseOrders.update(
          id,
          {
            ...changedFields(before, now, {
              storage_place_id: placeId,
              expected_date: orNull,
              external_ref: orNull,
              notes: orNull,
            }),
            supplier_id: now.supplier.id === before.supplier.id ? undefined : now.supplier.id,
            items: inUnitsOf(before.items, changesOf(before, now).items),
          },
          sending,
        )
      }
      done={() => `${number} is saved`}
    />
  )
}
