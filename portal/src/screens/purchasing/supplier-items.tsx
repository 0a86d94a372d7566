/** Supplier items as rows: how each is bought, and its steps. */
import { Badge, Checkbox, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { isSame } from '../../exact.ts'
import { moneyText, quantityText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { Archived } from '../../patterns/archived.tsx'
import { type Columns, column } from '../../patterns/columns.tsx'
import { field, numbers } from '../../patterns/fields.tsx'
import { type Choice, PartnerPicker, VariantPicker } from '../../patterns/inputs.tsx'
import { unitTitle } from '../../patterns/purchase-units.tsx'
import { changesOf, RecordFields, rulesOf, sentOf, valuesOf } from '../../patterns/record-fields.tsx'
import { Below } from '../../patterns/small.tsx'
import type { SupplierItem } from '../../records.ts'
import { useApi, useSession } from '../../session.tsx'

type SupplierItemRow = SupplierItem & {
  /** The supplier on a variant's page, the variant on a supplier's page. */
  readonly name: ReactNode
  /** The same as plain text. */
  readonly title: string
}

/** Further items are not shown. */
export const ITEMS_MAX = 200

/** Unarchived items first, among them the preferred one. */
export const inOrder = (items: readonly SupplierItem[]) =>
  items.toSorted(
    (one, other) =>
      Number(one.archived) - Number(other.archived) || Number(other.is_preferred) - Number(one.is_preferred),
  )

function unitText({ purchase_unit_name: name, conversion_rate: rate }: SupplierItemRow): string | null {
  if (name === null) return isSame(rate, '1') ? null : unitTitle({ name, rate })
  return `${name}: ${quantityText(rate)}`
}

function priceOf({ price, currency }: SupplierItemRow): ReactNode {
  if (price === null) return null
  if (currency !== null) return moneyText(price, currency)
  return (
    <>
      {quantityText(price)} <Below>order's currency</Below>
    </>
  )
}

/** @param header the heading of the column `name`. */
export const supplierItemColumns = (header: string): Columns<SupplierItemRow> => [
  column.shown(header, ({ name, is_preferred, archived }) => (
    <Group gap={6}>
      <div>{name}</div>
      {is_preferred && (
        <Badge color="green" miw="max-content">
          Preferred
        </Badge>
      )}
      <Archived of={{ archived }} />
    </Group>
  )),
  column.shown("Supplier's sku", ({ supplier_sku }) => supplier_sku, 'sm'),
  column.shown('Unit', unitText),
  column.figure('Price of one', priceOf),
  column.number('Minimum', ({ minimum_quantity }) => minimum_quantity, 'md'),
  column.number('Multiples of', ({ multiple_of }) => multiple_of, 'md'),
  column.number('Days', ({ lead_time_days }) => lead_time_days, 'sm'),
  column.shown('Steps', row => <SupplierItemSteps of={row} />),
]

const scope = 'write:purchase.supplier.update'
const positive = { rule: numbers.positive }

const fields = {
  supplier_sku: field.text("Supplier's sku"),
  purchase_unit_name: field.text('Purchase unit', { placeholder: 'box of 12' }),
  conversion_rate: field.figure('Stock units in one', { ...positive, begins: '1' }),
  price: field.number('Price of one', { placeholder: 'purchase price' }),
  currency: field.code('Currency of the price', 'EUR', 'any'),
  minimum_quantity: field.number('Minimum, in purchase units', positive),
  multiple_of: field.number('Multiples of, in purchase units', positive),
  lead_time_days: field.number('Lead time, days', { rule: numbers.whole }),
}

/** One side of the item is known: the supplier or the variant. The form asks for the other one. */
type Known = { readonly supplierId: string } | { readonly variantId: string }

export function AddSupplierItem(known: Known) {
  const { api, me } = useSession()
  const isOfSupplier = 'supplierId' in known
  return (
    <Step
      label={isOfSupplier ? 'Add an item' : 'Add a supplier'}
      submitLabel="Add"
      button={{ size: 'compact-sm' }}
      scope={[scope, 'read:purchase']}
      explains="How the supplier sells it: orders are typed in this unit and at this price."
      initial={() => ({
        ...{ ...valuesOf(fields), currency: me.currency },
        ...{ other: null as Choice | null, is_preferred: false },
      })}
      validate={{
        ...rulesOf(fields),
        other: value => (value !== null ? null : isOfSupplier ? 'choose a product' : 'choose a supplier'),
      }}
      fieldOf={field => (field === 'supplier_id' || field === 'item_variant_id' ? 'other' : field)}
      fields={form => (
        <>
          {isOfSupplier ? (
            <VariantPicker label="Product" required of="is_purchasable" {...form.getInputProps('other')} />
          ) : (
            <PartnerPicker of="suppliers" label="Supplier" required {...form.getInputProps('other')} />
          )}
          <RecordFields form={form} fields={fields} />
          <Checkbox label="Preferred" {...form.getInputProps('is_preferred', { type: 'checkbox' })} />
        </>
      )}
      send={({ other, is_preferred, ...values }, sending) => {
        const chosen = other?.id ?? ''
        const of = isOfSupplier
          ? { supplier_id: known.supplierId, item_variant_id: chosen }
          : { supplier_id: chosen, item_variant_id: known.variantId }
        return api.supplierItems.create({ ...of, is_preferred, ...sentOf(fields, values) }, sending)
      }}
      done={() => 'The supplier item is added'}
    />
  )
}

function SupplierItemSteps({ of: item }: { readonly of: SupplierItemRow }) {
  const { supplierItems } = useApi()
  const { id, title, archived, is_preferred } = item
  const common = { scope, button: { size: 'compact-xs' } } as const
  return (
    <Group gap={4}>
      <Step
        {...common}
        label="Edit"
        title={`Edit ${title}`}
        submitLabel="Save"
        explains="Orders that are there keep their unit and price."
        initial={() => valuesOf(fields, item)}
        validate={rulesOf(fields)}
        fields={form => <RecordFields form={form} fields={fields} />}
        send={(now, sending, before) => supplierItems.update(id, changesOf(fields, before, now), sending)}
        done={() => 'The supplier item is saved'}
      />
      {!archived && !is_preferred && (
        <Step
          {...common}
          label="Prefer"
          title={`Prefer ${title}`}
          explains="What is short is proposed to be bought so. The item that was preferred no longer is."
          send={(_, sending) => supplierItems.update(id, { is_preferred: true }, sending)}
          done={() => 'The supplier item is preferred'}
        />
      )}
      <Step
        {...common}
        label={archived ? 'Use again' : 'Archive'}
        title={`${archived ? 'Use again' : 'Archive'}: ${title}`}
        explains={`New orders ${archived ? 'take its unit and price again' : 'no longer take its unit and price'}.`}
        send={(_, sending) => supplierItems.update(id, { archived: !archived }, sending)}
        done={() => `The supplier item is ${archived ? 'in use again' : 'archived'}`}
      />
    </Group>
  )
}
