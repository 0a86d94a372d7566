/** The tax that a new order begins with: that of the last line of the partner's last order, else of the last order of all. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { forTyping } from '../exact.ts'
import { useSession } from '../session.tsx'

const LAST = { order: 'desc', limit: 1 } as const

/**
 * As it is typed; empty without an order, and undefined until it is known.
 * @param partnerId empty of one that is to be made.
 */
export function useLastTax(of: 'sales' | 'purchase', partnerId: string | undefined): string | undefined {
  const { api, can } = useSession()
  const { data } = useQuery({
    queryKey: [of === 'sales' ? 'sales-orders' : 'purchase-orders', 'last-tax', partnerId],
    queryFn:
      partnerId !== undefined && can(`read:${of}`)
        ? async ({ signal }) => {
            const last = (by: object) =>
              of === 'sales'
                ? api.salesOrders.list({ ...by, ...LAST }, { signal })
                : api.purchaseOrders.list({ ...by, ...LAST }, { signal })
            const whose = { [of === 'sales' ? 'customer_id' : 'supplier_id']: partnerId }
            const own = partnerId === '' ? [] : (await last(whose)).data
            const [order] = own.length > 0 ? own : (await last({})).data
            const tax = order?.items.at(-1)?.tax_rate
            return tax === undefined ? '' : forTyping(tax)
          }
        : skipToken,
  })
  return data
}
