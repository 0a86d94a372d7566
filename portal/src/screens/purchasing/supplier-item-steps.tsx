/** The steps of supplier items: one is added, changed, preferred, archived and taken back into use. */
import { Checkbox, Group, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { SupplierItem } from '@millrace/client'
import { type Decimal, type Exact, forTyping, sentTyped } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { changedFields, orNull } from '../../patterns/changes.tsx'
import {
  type Choice,
  currencyRule,
  DecimalInput,
  decimalRules,
  PartnerPicker,
  VariantPicker,
} from '../../patterns/inputs.tsx'
import { useApi } from '../../session.tsx'

type Item = Exact<SupplierItem>

const scope = 'write:purchase.supplier.update'

const typedOrEmpty = (value: Decimal | null): string => (value === null ? '' : forTyping(value))

const valuesOf = (item: Item | null) => ({
  supplier_sku: item?.supplier_sku ?? '',
  purchase_unit_name: item?.purchase_unit_name ?? '',
  conversion_rate: forTyping(item?.conversion_rate ?? '1'),
  price: typedOrEmpty(item?.price ?? null),
  currency: item?.currency ?? '',
  minimum_quantity: typedOrEmpty(item?.minimum_quantity ?? null),
  multiple_of: typedOrEmpty(item?.multiple_of ?? null),
  lead_time_days: typedOrEmpty(item?.lead_time_days ?? null),
})

type Values = ReturnType<typeof valuesOf>

const sentOrNull = (input: string): number | null => (decimalRules.empty(input) ? null : sentTyped(input))

const writers = {
  supplier_sku: orNull,
  purchase_unit_name: orNull,
  conversion_rate: sentTyped,
  price: sentOrNull,
  currency: (input: string) => orNull(input.toUpperCase()),
  minimum_quantity: sentOrNull,
  multiple_of: sentOrNull,
  lead_time_days: sentOrNull,
}

const unlessEmpty = (rule: (input: string) => string | null) => (input: string) =>
  decimalRules.empty(input) ? null : rule(input)

const rules = {
  conversion_rate: decimalRules.positive,
  price: unlessEmpty(decimalRules.zeroOrMore),
  currency: unlessEmpty(currencyRule),
  minimum_quantity: unlessEmpty(decimalRules.positive),
  multiple_of: unlessEmpty(decimalRules.positive),
  lead_time_days: unlessEmpty(decimalRules.zeroOrMore),
}

function Fields<Has extends Values>({ form: given }: { readonly form: UseFormReturnType<Has> }) {
  // The library cannot follow paths of values that are not known.
  const form = given as unknown as UseFormReturnType<Values>
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="xs">
      <TextInput label="Supplier's sku" maxLength={255} {...form.getInputProps('supplier_sku')} />
      <TextInput
        label="Purchase unit"
        placeholder="box of 12"
        maxLength={255}
        {...form.getInputProps('purchase_unit_name')}
      />
      <DecimalInput label="Stock units in one" withAsterisk {...form.getInputProps('conversion_rate')} />
      <DecimalInput label="Price of one" placeholder="purchase price" {...form.getInputProps('price')} />
      <TextInput label="Currency of the price" placeholder="any" maxLength={3} {...form.getInputProps('currency')} />
      <DecimalInput label="Least, in purchase units" {...form.getInputProps('minimum_quantity')} />
      <DecimalInput label="Multiples of, in purchase units" {...form.getInputProps('multiple_of')} />
      <DecimalInput label="Lead time, days" {...form.getInputProps('lead_time_days')} />
    </SimpleGrid>
  )
}

/** One side of the item is known: the supplier or the variant. The form asks for the other one. */
type Known = { readonly supplierId: string } | { readonly variantId: string }

export function AddSupplierItem(known: Known) {
  const api = useApi()
  const isOfSupplier = 'supplierId' in known
  return (
    <Step
      label={isOfSupplier ? 'Add an item' : 'Add a supplier'}
      submitLabel="Add"
      button={{ size: 'compact-sm' }}
      scope={[scope, 'read:purchase']}
      explains="How the supplier sells it: orders are typed in this unit and at this price."
      initial={() => ({ ...valuesOf(null), other: null as Choice | null, is_preferred: false })}
      validate={{
        ...rules,
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
          <Fields form={form} />
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
            supplier_sku: writers.supplier_sku(values.supplier_sku),
            purchase_unit_name: writers.purchase_unit_name(values.purchase_unit_name),
            conversion_rate: writers.conversion_rate(values.conversion_rate),
            price: writers.price(values.price),
            currency: writers.currency(values.currency),
            minimum_quantity: writers.minimum_quantity(values.minimum_quantity),
            multiple_of: writers.multiple_of(values.multiple_of),
            lead_time_days: writers.lead_time_days(values.lead_time_days),
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
        initial={() => valuesOf(item)}
        validate={rules}
        fields={form => <Fields form={form} />}
        send={(now, sending, before) => api.supplierItems.update(id, changedFields(before, now, writers), sending)}
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
