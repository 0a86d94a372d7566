/** Inputs of filters. Their values stand in the address, so that a list can be sent to somebody and the way back leads to it. */
import { MultiSelect, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { words } from '../format.tsx'
import { codesOf, joined } from '../search.ts'
import { useApi } from '../session.tsx'
import { type Choice, CustomerPicker, partnerChoice, SupplierPicker, VariantPicker } from './inputs.tsx'
import { PlaceSelect } from './place-select.tsx'

type FilterProps = {
  readonly label: string
  readonly value: string | undefined
  /** Undefined: the filter is taken away. */
  readonly onChange: (value: string | undefined) => void
}

type CodesProps = FilterProps & {
  readonly of: readonly string[]
  /** Of codes that say too little themselves. */
  readonly texts?: Readonly<Record<string, string>>
  /** What holds without any. */
  readonly placeholder?: string
}

/** Any of several codes. */
export function CodesFilter({ label, value, onChange, of, texts, placeholder = 'Any' }: CodesProps) {
  const chosen = codesOf(value) ?? []
  return (
    <MultiSelect
      label={label}
      {...(chosen.length === 0 ? { placeholder } : {})}
      data={of.map(code => ({ value: code, label: texts?.[code] ?? words(code) }))}
      value={chosen}
      onChange={codes => onChange(joined(codes))}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  )
}

/** One of several codes. */
export const CodeFilter = ({ of, ...props }: FilterProps & { readonly of: readonly string[] }) => (
  <RecordFilter {...props} of={of.map(code => ({ id: code, title: words(code) }))} />
)

type Named = { readonly id: string; readonly title: string }

/** One of few records, by its id. */
export const RecordFilter = ({ of, label, value, onChange }: FilterProps & { readonly of: readonly Named[] }) => (
  <Select
    label={label}
    placeholder="Any"
    data={of.map(({ id, title }) => ({ value: id, label: title }))}
    value={value ?? null}
    onChange={id => onChange(id ?? undefined)}
    clearable
    searchable={of.length > 10}
    clearButtonProps={{ 'aria-label': `Clear ${label}` }}
  />
)

/** A text that must be met as a whole (a number, a sku): taken on Enter or when the input is left. */
export function TextFilter({ label, value, onChange }: FilterProps) {
  const [typing, setTyping] = useState<string | null>(null)
  const take = () => {
    if (typing !== null && typing.trim() !== (value ?? '')) onChange(typing.trim() || undefined)
    setTyping(null)
  }
  return (
    <TextInput
      label={label}
      autoComplete="off"
      value={typing ?? value ?? ''}
      onChange={event => setTyping(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={event => {
        if (event.key === 'Enter') take()
      }}
    />
  )
}

/** A day. */
export function DayFilter({ label, value, onChange }: FilterProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value ?? ''}
      onChange={event => onChange(event.currentTarget.value || undefined)}
    />
  )
}

/** A customer by id; the input shows the title. */
export function CustomerFilter({ value, onChange }: Omit<FilterProps, 'label'>) {
  const api = useApi()
  const choice = useChoice('customers', value, async (id, signal) =>
    partnerChoice(await api.customers.get(id, { signal })),
  )
  return <CustomerPicker label="Customer" value={choice} onChange={chosen => onChange(chosen?.id)} />
}

/** A supplier by id; the input shows the title. */
export function SupplierFilter({ value, onChange }: Omit<FilterProps, 'label'>) {
  const api = useApi()
  const choice = useChoice('suppliers', value, async (id, signal) =>
    partnerChoice(await api.suppliers.get(id, { signal })),
  )
  return <SupplierPicker label="Supplier" value={choice} onChange={chosen => onChange(chosen?.id)} />
}

/** A variant by id; no answer tells a variant alone, so that the input shows what was chosen here, else the id. */
export function VariantFilter({
  value,
  onChange,
  of,
}: Omit<FilterProps, 'label'> & { readonly of: 'is_sellable' | 'is_purchasable' | 'is_producible' }) {
  const [chosen, setChosen] = useState<Choice | null>(null)
  const shown = value === undefined ? null : chosen?.id === value ? chosen : { id: value, label: `Variant ${value}` }
  return (
    <VariantPicker
      label="Product"
      of={of}
      value={shown}
      onChange={choice => {
        setChosen(choice)
        onChange(choice?.id)
      }}
    />
  )
}

/** A place by id. */
export const PlaceFilter = ({ value, onChange }: Omit<FilterProps, 'label'>) => (
  <PlaceSelect label="Place" placeholder="Any" value={value ?? null} onChange={id => onChange(id ?? undefined)} />
)

/** What the address names by its id alone. */
function useChoice(
  resource: string,
  id: string | undefined,
  read: (id: string, signal: AbortSignal) => Promise<Choice>,
): Choice | null {
  const { data } = useQuery({
    queryKey: [resource, 'choice', id],
    queryFn: ({ signal }) => read(id ?? '', signal),
    enabled: id !== undefined && /^\d+$/.test(id),
  })
  return id === undefined ? null : (data ?? { id, label: id })
}
