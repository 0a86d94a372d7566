/** What several parts of the first screen show: read once for all of them. */
import type { List } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { startOf } from '../../days.ts'
import type { ExactApi } from '../../exact.ts'
import { firstQuery } from '../../lists.ts'
import { useSession } from '../../session.tsx'

export const openSales = (api: ExactApi) =>
  firstQuery(['sales-orders', 'open'], (paged, options) => api.salesOrders.list({ ...paged, status: 'OPEN' }, options))

/** @param now a day, in the tenant's zone. */
export const lateSales = (api: ExactApi, now: string) =>
  firstQuery(['sales-orders', 'late', now], (paged, options) =>
    api.salesOrders.list({ ...paged, status: 'OPEN', delivery_before: startOf(now) }, options),
  )

export const openPurchases = (api: ExactApi) =>
  firstQuery(['purchase-orders', 'open'], (paged, options) =>
    api.purchaseOrders.list({ ...paged, status: 'OPEN' }, options),
  )

export const latePurchases = (api: ExactApi, now: string) =>
  firstQuery(['purchase-orders', 'late', now], (paged, options) =>
    api.purchaseOrders.list({ ...paged, status: 'OPEN', expected_before: startOf(now) }, options),
  )

export const inProduction = (api: ExactApi) =>
  firstQuery(['manufacturing-orders', 'open'], (paged, options) =>
    api.manufacturingOrders.list({ ...paged, status: ['IN_PROGRESS', 'PARTIALLY_DONE', 'BLOCKED'] }, options),
  )

const making = ['NOT_STARTED', 'IN_PROGRESS', 'PARTIALLY_DONE', 'BLOCKED'] as const

export const toMake = (api: ExactApi) =>
  firstQuery(['manufacturing-orders', 'to-make'], (paged, options) =>
    api.manufacturingOrders.list({ ...paged, status: making }, options),
  )

export const shortages = (api: ExactApi) =>
  firstQuery(['shortages'], (paged, options) => api.shortages.list(paged, options))

type Endpoint = { readonly list: (query: { readonly limit: number }) => List<unknown> }

/** Whether a tenant has any record of a kind; undefined while it is not known. */
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
