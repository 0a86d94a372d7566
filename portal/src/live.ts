/** Keeps what is shown up to date: an event of the stream makes what it touches be read again. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from './session.tsx'

/** The resources (first part of the queries' keys) that an event's kind touches. */
const touched: Readonly<Record<string, readonly string[]>> = {
  product: ['products'],
  storage_place: ['storage-places'],
  supplier: ['suppliers'],
  customer: ['customers'],
  operation: ['operations'],
  recipe: ['recipes'],
  stock: ['stock', 'availability', 'shortages', 'batches', 'stock-valuation', 'stock-movements', 'requirements'],
  stock_adjustment: ['stock-adjustments'],
  stock_transfer: ['stock-transfers'],
  manufacturing_order: ['manufacturing-orders', 'production-tasks', 'shortages'],
  purchase_order: ['purchase-orders', 'shortages'],
  purchase_receipt: ['purchase-receipts', 'purchase-orders'],
  sales_order: ['sales-orders', 'sales-shipments', 'shortages'],
  sales_return: ['sales-returns', 'sales-orders'],
}

/** Many events come at once when much happens; what they touch is read again once in this time at most. */
const REFRESH_MS = 1_000
/** A list that was read this far is not read again from its beginning by itself. */
const PAGES_MAX = 2

/** Whether the stream is open; null for a key that may not read it. */
export function useLive(): boolean | null {
  const { api, can } = useSession()
  const client = useQueryClient()
  const isAllowed = can('read:webhooks')
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isAllowed) return
    const controller = new AbortController()
    const due = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      const resources = new Set(due)
      due.clear()
      client.invalidateQueries({
        predicate: ({ queryKey: [resource], state: { data } }) =>
          resources.has(String(resource)) && pagesOf(data) <= PAGES_MAX,
      })
      client.invalidateQueries({
        refetchType: 'none',
        predicate: ({ queryKey: [resource], state: { data } }) =>
          resources.has(String(resource)) && pagesOf(data) > PAGES_MAX,
      })
    }
    const follow = async () => {
      setOpen(true)
      for await (const { type } of api.events.stream({}, { signal: controller.signal })) {
        for (const resource of touched[type.split('.')[0] ?? ''] ?? []) due.add(resource)
        timer ??= setTimeout(refresh, REFRESH_MS)
      }
    }
    // One that was left behind says nothing of the one that took its place.
    follow().catch(() => controller.signal.aborted || setOpen(false))
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [api, client, isAllowed])
  return isAllowed ? isOpen : null
}

const pagesOf = (data: unknown): number =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages) ? data.pages.length : 0
