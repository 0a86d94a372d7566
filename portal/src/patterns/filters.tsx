/**
 * Inputs of filters. Their values are in the address, so that a person can send a list to another person, and the back button leads to it.
 */
import { MultiSelect, Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Filter, Filters, Search } from '../filters.ts'
import { words } from '../format.tsx'
import { codesOf, joined } from '../search.ts'
import { useApi, useSession } from '../session.tsx'
import {
  type Choice,
  PartnerPicker,
  type Partners,
  partnerChoice,
  type Use,
  VariantPicker,
  variantChoices,
} from './inputs.tsx'
import { PlaceSelect } from './places.tsx'

const KEYS_MAX = 1_000

type Navigate<Search> = (to: {
  readonly search: Search | ((before: Search) => Search)
  readonly replace?: boolean
  readonly resetScroll: boolean
}) => unknown

type Route<Search> = { readonly useSearch: () => Search; readonly useNavigate: () => unknown }

/**
 * The filters of a route: their values in the address, a function for the props of each input, and a function that clears them all if any
 * is set.
 */
export function useFilters<Search extends object>(route: Route<Search>) {
  const search = route.useSearch()
  const navigate = route.useNavigate() as Navigate<Search>
  const filter = (name: keyof Search) => ({
    value: search[name] as string | undefined,
    onChange: (value: string | undefined) =>
      navigate({ search: before => ({ ...before, [name]: value }), replace: true, resetScroll: false }),
  })
  const { order, ...filters } = search as Search & { readonly order?: 'asc' | 'desc' | undefined }
  const isFiltered = Object.values(filters).some(value => value !== undefined)
  const onClear = isFiltered
    ? () => navigate({ search: { order } as unknown as Search, resetScroll: false })
    : undefined
  return { search, filter, onClear }
}

type FilterProps = {
  readonly label: string
  readonly value: string | undefined
  /** Undefined clears the filter. */
  readonly onChange: (value: string | undefined) => void
}

type CodesProps = FilterProps & { readonly of: readonly string[] }

export function CodesFilter({ label, value, onChange, of }: CodesProps) {
  const chosen = codesOf(value)
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

const CodeFilter = ({ of, ...props }: CodesProps) => (
  <RecordFilter {...props} of={of.map(code => ({ id: code, title: words(code) }))} />
)

type Named = { readonly id: string; readonly title: string }

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

/** A text that must match as a whole (a number, a sku). It applies on Enter or when the input loses the focus. */
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

const DayFilter = ({ label, value, onChange }: FilterProps) => (
  <TextInput
    type="date"
    label={label}
    value={value ?? ''}
    onChange={event => onChange(event.currentTarget.value || undefined)}
  />
)

/** A customer or supplier by id; the input shows the title. */
function PartnerFilter({ of, value, onChange, ...props }: FilterProps & { readonly of: Partners }) {
  const api = useApi()
  const choice = useChoice([of, 'choice'], value, async (id, signal) =>
    partnerChoice(await api[of].get(id, { signal })),
  )
  return <PartnerPicker {...props} of={of} value={choice} onChange={chosen => onChange(chosen?.id)} />
}

const variantKey = ['variant-titles'] as const

/** The chosen variant; only its id if the key may not read products. */
export function useVariantChoice(id: string | undefined): Choice | null {
  const { api, can } = useSession()
  return useChoice(variantKey, id, async (item_variant_id, signal) => {
    const { data } = can('read:catalog') ? await api.products.list({ item_variant_id }, { signal }) : { data: [] }
    const choices = data.flatMap(variantChoices)
    return (
      choices.find(choice => choice.id === item_variant_id) ?? {
        id: item_variant_id,
        label: `Variant ${item_variant_id}`,
      }
    )
  })
}

/** A variant by id. The input shows its title. */
export function VariantFilter({ value, onChange, ...props }: FilterProps & { readonly of?: Use }) {
  const queries = useQueryClient()
  return (
    <VariantPicker
      {...props}
      value={useVariantChoice(value)}
      onChange={choice => {
        if (choice) queries.setQueryData([...variantKey, choice.id], choice)
        onChange(choice?.id)
      }}
    />
  )
}

type PlaceProps = Omit<FilterProps, 'label'> & { readonly label?: string; readonly placeholder?: string }

export const PlaceFilter = ({ value, onChange, ...look }: PlaceProps) => (
  <PlaceSelect
    {...{ label: 'Place', placeholder: 'Any', ...look }}
    value={value ?? null}
    onChange={id => onChange(id ?? undefined)}
  />
)

/** A person, by the ids of all keys of theirs; a key that was issued without a name by its own. */
function KeysFilter({ value, ...props }: FilterProps) {
  const { api, can } = useSession()
  const { data = [] } = useQuery({
    queryKey: ['api-keys', 'people'],
    queryFn: ({ signal }) => api.apiKeys.list({ limit: 200 }, { signal }).toArray({ max: KEYS_MAX }),
    enabled: can('read:keys'),
  })
  const people = [...Map.groupBy(data, ({ user_name, name }) => user_name ?? name)].map(([title, keys]) => ({
    ...{ title, id: keys.map(({ id }) => id).join(',') },
  }))
  // A link may name a single key.
  const of = people.find(({ id }) => id === value || id.split(',').includes(value ?? ''))
  return can('read:keys') ? <RecordFilter {...props} of={people} value={of?.id} /> : null
}

/** The filters of the screen that is shown, for screens that stand on more than one route. */
export const here: Route<Search> = {
  useSearch: () => useSearch({ strict: false }) as Search,
  useNavigate: () => {
    const navigate = useNavigate() as unknown as (to: object) => unknown
    return (to: object) => navigate({ to: '.', ...to })
  },
}

type One = FilterProps & { readonly of: Filter<unknown> }

const inputs: Readonly<Record<Filter<unknown>['input'], (props: One) => ReactNode>> = {
  codes: ({ of, ...props }) => <CodesFilter {...props} of={of.of ?? []} />,
  code: ({ of, ...props }) => <CodeFilter {...props} of={of.of ?? []} />,
  use: ({ of, ...props }) => <CodeFilter {...props} of={of.of ?? []} />,
  text: ({ of: _, ...props }) => <TextFilter {...props} />,
  day: ({ of: _, ...props }) => <DayFilter {...props} />,
  customers: ({ of: _, ...props }) => <PartnerFilter {...props} of="customers" />,
  suppliers: ({ of: _, ...props }) => <PartnerFilter {...props} of="suppliers" />,
  variant: ({ of, ...props }) => <VariantFilter {...props} {...(of.use ? { of: of.use } : {})} />,
  place: ({ of: _, ...props }) => <PlaceFilter {...props} />,
  keys: ({ of: _, ...props }) => <KeysFilter {...props} />,
  link: () => null,
}

type FilterInputsProps = {
  readonly of: Filters
  readonly filter: (name: string) => Pick<FilterProps, 'value' | 'onChange'>
}

export const FilterInputs = ({ of, filter }: FilterInputsProps) =>
  Object.entries(of).map(([name, one]) => {
    const Input = inputs[one.input]
    return <Input key={name} label={one.label} of={one} {...filter(name)} />
  })

/** What the address names by its id alone. */
function useChoice(
  key: readonly string[],
  id: string | undefined,
  read: (id: string, signal: AbortSignal) => Promise<Choice>,
): Choice | null {
  const { data } = useQuery({
    queryKey: [...key, id],
    queryFn: ({ signal }) => read(id ?? '', signal),
    enabled: id !== undefined && /^\d+$/.test(id),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return id === undefined ? null : (data ?? { id, label: id })
}
