/** A choice among the tenant's places. */
import { Select } from '@mantine/core'
import type { StoragePlace } from '@millrace/client'
import type { Exact } from '../exact.ts'
import { usePlaces } from './places.ts'

type Place = Exact<StoragePlace>
type Purpose = 'manufacturing_allowed' | 'sales_allowed' | 'purchase_allowed'

type Props = {
  readonly label: string
  readonly value?: string | null
  readonly onChange: (id: string | null) => void
  readonly error?: unknown
  readonly required?: boolean
  /** What the place must be good for; any without it. */
  readonly of?: Purpose
  readonly placeholder?: string
}

export function PlaceSelect({ of, value = null, error, required = false, ...props }: Props) {
  const places = usePlaces() ?? []
  const data = places
    .filter(place => isUsable(place, of) || place.id === value)
    .map(({ id, title }) => ({ value: id, label: title }))
  return (
    <Select
      {...props}
      data={data}
      value={value}
      error={error as string}
      withAsterisk={required}
      searchable
      clearable={!required}
      clearButtonProps={{ 'aria-label': `Clear ${props.label}` }}
      nothingFoundMessage="Nothing found"
    />
  )
}

/** The id of the place that serves unless another is chosen: the main one where it may. */
export function usualPlace(places: readonly Place[] | undefined, of: Purpose): string | null {
  const usable = places?.filter(place => isUsable(place, of)) ?? []
  return (usable.find(({ is_main }) => is_main) ?? usable[0])?.id ?? null
}

const isUsable = (place: Place, of: Purpose | undefined): boolean => !place.archived && (of === undefined || place[of])
