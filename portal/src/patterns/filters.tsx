/** Inputs of filters. Their values stand in the address, so that a list can be sent to somebody and the way back leads to it. */
import { MultiSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { words } from '../format.tsx'
import { codesOf, joined } from '../search.ts'
import { useApi } from '../session.tsx'
import { type Choice, CustomerPicker, partnerChoice, SupplierPicker } from './inputs.tsx'
import { PlaceSelect } from './place-select.tsx'

type FilterProps = {
  readonly label: string
  readonly value: string | undefined
  /** Undefined: the filter is taken away. */
  readonly onChange: (value: string | undefined) => void
}

/** Any of several codes. */
export function CodesFilter({ label, value, onChange, of }: FilterProps & { readonly of: readonly string[] }) {
  const chosen = codesOf(value) ?? []
  return (
    <MultiSelect
      label={label}
      {...(chosen.length === 0 ? { placeholder: 'Any' } : {})}
      data={of.map(code => ({ value: code, label: words(code) }))}
      value={chosen}
      onChange={codes => onChange(joined(codes))}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  )
}

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
