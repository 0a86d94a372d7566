/** Whether a tenant has any record of a kind. */
import type { List } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../session.tsx'

type Endpoint = { readonly list: (query: { readonly limit: number }) => List<unknown> }

/** Undefined while it is not known. */
export function useHasAny(name: string, scope: string, endpoint: Endpoint): boolean | undefined {
  const { can } = useSession()
  const { data } = useQuery({
    queryKey: [name, 'any'],
    queryFn: async () => (await endpoint.list({ limit: 1 })).data.length > 0,
    enabled: can(scope),
    // A tenant that has one keeps it.
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
  })
  return data
}
