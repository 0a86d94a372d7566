/** The choice of a storage place; stock may also lie without a place. */
import { Select, type SelectProps } from '@mantine/core'
import type { StoragePlace } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import type { Exact } from '../exact.ts'
import { useSession } from '../session.tsx'

/** All places that are not archived, once they are read. */
export function usePlaces(): readonly Exact<StoragePlace>[] | undefined {
  const { api, can } = useSession()
  const { data } = useQuery({
    queryKey: ['storage-places', 'all'],
    queryFn: ({ signal }) =>
      api.storagePlaces.list({ archived: false, limit: 200 }, { signal }).toArray({ max: 5_000 }),
    enabled: can('read:stock'),
    staleTime: 300_000,
  })
  return data
}

/** Stands for stock without a place, as values of inputs are texts. */
const NONE = 'none'

/** The id of what was chosen; null without a place. */
export const placeId = (value: string): string | null => (value === NONE ? null : value)

export const placeValue = (id: string | null): string => id ?? NONE

type Props = Omit<SelectProps, 'data'> & {
  readonly of?: (place: Exact<StoragePlace>) => boolean
  /** Whether stock without a place can be chosen. */
  readonly withNone?: boolean
}

export function PlaceInput({ of = () => true, withNone = false, ...props }: Props) {
  const places = usePlaces()?.filter(of) ?? []
  return (
    <Select
      {...props}
      searchable={places.length > 8}
      clearButtonProps={{ 'aria-label': `Clear ${props.label}` }}
      data={[
        ...places.map(({ id, title }) => ({ value: id, label: title })),
        ...(withNone ? [{ value: NONE, label: 'No place' }] : []),
      ]}
    />
  )
}
