/** The documents behind movements of stock: their numbers, and why and by whom they were made. A movement names its document by id alone. */
import type { ExactApi } from '../exact.ts'
import { words } from '../format.tsx'
import type { StockMovement as Movement, SalesReturn } from '../records.ts'
import { inGroups } from './groups.ts'

type Kind = Movement['source_type']

export type Source = {
  readonly number: string
  readonly reason: string | null
  readonly notes: string | null
  readonly by: string | null
  /** Of its reversal; null where it was not reversed. */
  readonly reversal: Pick<Source, 'reason' | 'by'> | null
}

type Query = { readonly id: readonly string[]; readonly limit: number }
type Options = { readonly signal: AbortSignal }
type Read = {
  readonly scope: string
  readonly list: (api: ExactApi, query: Query, options: Options) => PromiseLike<{ readonly data: readonly Document[] }>
}

/** What documents have in common, as far as they have it. */
type Document = {
  readonly id: string
  readonly number: string
  readonly notes: string | null
  readonly created_by_user_name: string | null
  readonly reason?: string
  readonly reversed_at?: string | null
  readonly reversal_reason?: string | null
  readonly reversed_by_user_name?: string | null
}

const reads: Readonly<Record<Kind, Read>> = {
  STOCK_ADJUSTMENT: {
    scope: 'read:stock',
    list: async (api, query, options) => {
      const { data } = await api.stockAdjustments.list(query, options)
      return { data: data.map(one => ({ ...one, reason: words(one.reason) })) }
    },
  },
  STOCK_TRANSFER: { scope: 'read:stock', list: (api, query, options) => api.stockTransfers.list(query, options) },
  MANUFACTURING_ORDER: {
    scope: 'read:manufacturing',
    list: (api, query, options) => api.manufacturingOrders.list(query, options),
  },
  PURCHASE_RECEIPT: {
    scope: 'read:purchase',
    list: (api, query, options) => api.purchaseReceipts.list(query, options),
  },
  LANDED_COST: { scope: 'read:purchase', list: (api, query, options) => api.landedCosts.list(query, options) },
  SALES_SHIPMENT: { scope: 'read:sales', list: (api, query, options) => api.salesShipments.list(query, options) },
  SALES_RETURN: {
    scope: 'read:sales',
    list: async (api, query, options) => ({ data: (await api.salesReturns.list(query, options)).data.map(returned) }),
  },
}

/** A return says why line by line. */
const returned = ({ sales_return, items }: SalesReturn): Document => ({
  ...sales_return,
  reason: [...new Set(items.flatMap(({ reason }) => reason ?? []))].join(', '),
})

const sourceOf = (document: Document): Source => ({
  number: document.number,
  reason: document.reason || null,
  notes: document.notes,
  by: document.created_by_user_name,
  reversal: document.reversed_at
    ? { reason: document.reversal_reason ?? null, by: document.reversed_by_user_name ?? null }
    : null,
})

/**
 * Movements with their documents: one request for each kind of document and hundred of them. The document is null for a key that may not
 * read its kind.
 */
export async function withSources(
  { api, can }: { readonly api: ExactApi; readonly can: (scope: string) => boolean },
  movements: readonly Movement[],
  options: Options,
): Promise<(Movement & { readonly source: Source | null })[]> {
  const byKind = [...Map.groupBy(movements, ({ source_type }) => source_type)]
  const found = await Promise.all(
    byKind.flatMap(([kind, rows]) => {
      const { scope, list } = reads[kind]
      if (!can(scope)) return []
      return inGroups([...new Set(rows.map(({ source_id }) => source_id))]).map(async id => {
        const { data } = await list(api, { id, limit: id.length }, options)
        return data.map(document => [`${kind} ${document.id}`, sourceOf(document)] as const)
      })
    }),
  )
  const sources = new Map(found.flat())
  return movements.map(movement => ({
    ...movement,
    source: sources.get(`${movement.source_type} ${movement.source_id}`) ?? null,
  }))
}
