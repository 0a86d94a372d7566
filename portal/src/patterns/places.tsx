/** Storage places, loaded once: their names, and the choice of one. Stock may also be without a place. */
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { StoragePlace as Place } from '../records.ts'
import { useSession } from '../session.tsx'

type Purpose = 'manufacturing_allowed' | 'sales_allowed' | 'purchase_allowed'

/** All places, archived ones too; undefined until they are loaded. */
export function usePlaces(): readonly Place[] | undefined {
  const { api, can } = useSession()
  const { data } = useQuery({
    queryKey: ['storage-places', 'all'],
    queryFn: ({ signal }) => api.storagePlaces.list({ limit: 200 }, { signal }).toArray({ max: 5_000 }),
    enabled: can('read:stock'),
    staleTime: 300_000,
  })
  return data
}

/** How a place is called; stock without a place has no id. */
export type PlaceTitleOf = (id: string | null) => string

export function usePlaceTitle(): PlaceTitleOf {
  const places = usePlaces()
  const titles = useMemo(() => new Map(places?.map(({ id, title }) => [id, title])), [places])
  return useCallback(id => (id === null ? 'No place' : (titles.get(id) ?? `Place ${id}`)), [titles])
}

export function PlaceTitle({ id }: { readonly id: string | null }) {
  return usePlaceTitle()(id)
}

/** Stands for stock without a place, because values of inputs are texts. */
const NONE = 'none'

/** The id of the chosen place; null without a place. */
export const placeId = (value: string): string | null => (value === NONE ? null : value)

export const placeValue = (id: string | null): string => id ?? NONE

/** The id of the default place: the main one if it allows this use. */
export function usualPlace(places: readonly Place[] | undefined, of: Purpose): string | null {
  const usable = places?.filter(place => isUsable(place, of)) ?? []
  return (usable.find(({ is_main }) => is_main) ?? usable[0])?.id ?? null
}

const isUsable = (place: Place, of: Purpose | undefined): boolean => !place.archived && (of === undefined || place[of])

type Props = {
  readonly label: string
  readonly value?: string | null
  readonly onChange: (id: string | null) => void
  readonly error?: unknown
  readonly required?: boolean
  /** The use that the place must allow. Undefined: any. */
  readonly of?: Purpose
  /** Whether stock without a place can be chosen. */
  readonly withNone?: boolean
  readonly placeholder?: string
}

export function PlaceSelect({ of, value, error, required = false, withNone = false, ...props }: Props) {
  const places = usePlaces() ?? []
  const choices = places.filter(place => isUsable(place, of) || place.id === value)
  return (
    <Select
      {...props}
      data={[
        ...choices.map(({ id, title }) => ({ value: id, label: title })),
        ...(withNone ? [{ value: NONE, label: 'No place' }] : []),
      ]}
      value={value || null}
      error={error as string}
      withAsterisk={required}
      allowDeselect={!required}
      searchable={choices.length > 8}
      clearable={!required}
      clearButtonProps={{ 'aria-label': `Clear ${props.label}` }}
      nothingFoundMessage="Nothing found"
    />
  )
}
