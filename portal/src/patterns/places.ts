/** Titles of storage places, read once. */
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useSession } from '../session.tsx'

/** How a place is called; stock without a place has no id. */
export function usePlaceTitle(): (id: string | null) => string {
  const { api, can } = useSession()
  const { data } = useQuery({
    queryKey: ['storage-places', 'titles'],
    queryFn: async ({ signal }) => {
      const places = await api.storagePlaces.list({ limit: 200 }, { signal }).toArray({ max: 5_000 })
      return new Map(places.map(({ id, title }) => [id, title]))
    },
    enabled: can('read:stock'),
    staleTime: 300_000,
  })
  return useCallback(id => (id === null ? 'No place' : (data?.get(id) ?? `Place ${id}`)), [data])
}
