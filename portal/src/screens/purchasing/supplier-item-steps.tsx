/** The steps of supplier items: one is added, changed, preferred, archived and taken back into use. */
import { Checkbox, Group } from '@mantine/core'
import { Step } from '../../patterns/action-form.tsx'
import { field, numbers } from '../../patterns/fields.tsx'
import { type Choice, PartnerPicker, VariantPicker } from '../../patterns/inputs.tsx'
import { changesOf, RecordFields, rulesOf, sentOf, valuesOf } from '../../patterns/record-fields.tsx'
import type { SupplierItem as Item } from '../../records.ts'
import { useApi, useSession } from '../../session.tsx'

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
        ...valuesOf(fields),
        currency: me.currency,
        other: null as Choice | null,
        is_preferred: false,
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
        return api.supplierItems.create(
          {
            supplier_id: isOfSupplier ? known.supplierId : chosen,
            item_variant_id: isOfSupplier ? chosen : known.variantId,
            is_preferred,
            ...sentOf(fields, values),
          },
          sending,
        )
      }}
      done={() => 'The supplier item is added'}
    />
  )
}

type Props = {
  readonly item: Item
  /** What it is called where it is shown. */
  readonly title: string
}

export function SupplierItemSteps({ item, title }: Props) {
  const api = useApi()
  const { id, archived, is_preferred } = item
  const common = { scope, button: { size: 'compact-xs' } } as const
  return (
    <Group gap={4} wrap="nowrap">
      <Step
        {...common}
        label="Edit"
        title={`Edit ${title}`}
        submitLabel="Save"
        explains="Orders that are there keep their unit and price."
        initial={() => valuesOf(fields, item)}
        validate={rulesOf(fields)}
        fields={form => <RecordFields form={form} fields={fields} />}
        send={(now, sending, before) => api.supplierItems.update(id, changesOf(fields, before, now), sending)}
        done={() => 'The supplier item is saved'}
      />
      {!archived && !is_preferred && (
        <Step
          {...common}
          label="Prefer"
          title={`Prefer ${title}`}
          explains="What is short is proposed to be bought so. The item that was preferred no longer is."
          send={(_, sending) => api.supplierItems.update(id, { is_preferred: true }, sending)}
          done={() => 'The supplier item is preferred'}
        />
      )}
      <Step
        {...common}
        label={archived ? 'Use again' : 'Archive'}
        title={`${archived ? 'Use again' : 'Archive'}: ${title}`}
        explains={
          archived ? 'New orders take its unit and price again.' : 'New orders no longer take its unit and price.'
        }
        send={(_, sending) => api.supplierItems.update(id, { archived: !archived }, sending)}
        done={() => (archived ? 'The supplier item is in use again' : 'The supplier item is archived')}
      />
    </Group>
  )
}
