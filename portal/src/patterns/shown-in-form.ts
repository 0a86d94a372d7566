/** What the form of an order reads beside what is typed. */

import type { UseFormReturnType } from '@mantine/form'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { forTyping } from '../exact.ts'
import { useSession } from '../session.tsx'

const LAST = { order: 'desc', limit: 1 } as const

/**
 * The tax that a new order begins with: that of the last line of the partner's last order, else of the last order of all.
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

/**
 * What a form reads and shows beside what was typed: it is sent by it, and does not count as filled in.
 * @param next undefined until it is known.
 */
export function useShown<Values extends object, Name extends keyof Values & string>(
  form: UseFormReturnType<Values>,
  name: Name,
  next: Values[Name] | undefined,
): void {
  const { getInitialValues, setInitialValues, setFieldValue } = form
  useEffect(() => {
    // The library gives another `getInitialValues` after each change of them. What is shown already must not be set again.
    if (next === undefined || getInitialValues()[name] === next) return
    setInitialValues({ ...getInitialValues(), [name]: next })
    setFieldValue(name, next as never)
  }, [next, name, getInitialValues, setInitialValues, setFieldValue])
}
