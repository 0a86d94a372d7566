/** Storage places, read once. */
import type { StoragePlace } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Exact } from '../exact.ts'
import { useSession } from '../session.tsx'

/** All places; none while they are not known. */
export function usePlaces(): readonly Exact<StoragePlace>[] | undefined {
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
export function usePlaceTitle(): (id: string | null) => string {
  const places = usePlaces()
  const titles = useMemo(() => new Map(places?.map(({ id, title }) => [id, title])), [places])
  return useCallback(id => (id === null ? 'No place' : (titles.get(id) ?? `Place ${id}`)), [titles])
}
