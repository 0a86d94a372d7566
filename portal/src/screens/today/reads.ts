/** What several parts of the first screen show: read once for all of them. */
import type { ExactApi } from '../../exact.ts'
import { firstQuery } from '../../lists.ts'
import { readShortOfExpired, type Short } from '../../patterns/short-of-expired.tsx'

export const openSales = (api: ExactApi) =>
  firstQuery(['sales-orders', 'open'], (paged, options) => api.salesOrders.list({ ...paged, status: 'OPEN' }, options))

export const openPurchases = (api: ExactApi) =>
  firstQuery(['purchase-orders', 'open'], (paged, options) =>
    api.purchaseOrders.list({ ...paged, status: 'OPEN' }, options),
  )

/** With what is short because goods have expired. */
export const shortages = (api: ExactApi) =>
  firstQuery(['shortages'], async (paged, options) => {
    const [page, expired] = await Promise.all([api.shortages.list(paged, options), readShortOfExpired(api, options)])
    return { ...page, data: [...expired, ...page.data.map((row): Short => ({ ...row, expired: '0' }))] }
  })
