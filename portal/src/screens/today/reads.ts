/** What several parts of the first screen show: read once for all of them. */
import type { ExactApi } from '../../exact.ts'
import { firstQuery } from '../../lists.ts'

export const openSales = (api: ExactApi) =>
  firstQuery(['sales-orders', 'open'], (paged, options) => api.salesOrders.list({ ...paged, status: 'OPEN' }, options))

export const openPurchases = (api: ExactApi) =>
  firstQuery(['purchase-orders', 'open'], (paged, options) =>
    api.purchaseOrders.list({ ...paged, status: 'OPEN' }, options),
  )

const making = ['NOT_STARTED', 'IN_PROGRESS', 'PARTIALLY_DONE', 'BLOCKED'] as const

export const toMake = (api: ExactApi) =>
  firstQuery(['manufacturing-orders', 'to-make'], (paged, options) =>
    api.manufacturingOrders.list({ ...paged, status: making }, options),
  )

export const shortages = (api: ExactApi) =>
  firstQuery(['shortages'], (paged, options) => api.shortages.list(paged, options))
