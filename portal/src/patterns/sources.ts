/** The documents behind movements of stock: their numbers, and why and by whom they were made. A movement names its document by id alone. */
import { words } from '../format.tsx'
import { nouns } from '../nouns.ts'
import type { StockMovement as Movement, SalesReturn } from '../records.ts'
import type { Reader } from '../session.tsx'
import { inGroups } from './groups.ts'

export type Source = {
  readonly number: string
  readonly reason: string | null
  readonly notes: string | null
  readonly by: string | null
  /** Reason and user of its reversal; null: it is not reversed. */
  readonly reversal: Pick<Source, 'reason' | 'by'> | null
}

type Options = { readonly signal: AbortSignal }
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

/** An adjustment says why by a code, a return line by line. */
const documentOf = (found: Document | SalesReturn): Document =>
  'sales_return' in found
    ? { ...found.sales_return, reason: [...new Set(found.items.flatMap(({ reason }) => reason ?? []))].join(', ') }
    : found

const sourceOf = (kind: string, document: Document): Source => ({
  number: document.number,
  reason: (kind === 'STOCK_ADJUSTMENT' ? words(document.reason ?? '') : document.reason) || null,
  notes: document.notes,
  by: document.created_by_user_name,
  reversal: document.reversed_at
    ? { reason: document.reversal_reason ?? null, by: document.reversed_by_user_name ?? null }
    : null,
})

/**
 * Movements with their documents: one request for each kind of document and each hundred of them. The document is null for a key that may
 * not read its kind.
 */
export async function withSources(
  { api, can }: Reader,
  movements: readonly Movement[],
  options: Options,
): Promise<(Movement & { readonly source: Source | null })[]> {
  const byKind = [...Map.groupBy(movements, ({ source_type }) => source_type)]
  const found = await Promise.all(
    byKind.flatMap(([kind, rows]) => {
      const noun = nouns.find(one => one.kind === kind)
      if (!noun?.of || !can(noun.scope ?? '')) return []
      const documents = noun.of(api)
      return inGroups([...new Set(rows.map(({ source_id }) => source_id))]).map(async id => {
        const { data } = await documents.list({ id, limit: id.length, order: 'desc' }, options)
        return data.map(documentOf).map(one => [`${kind} ${one.id}`, sourceOf(kind, one)] as const)
      })
    }),
  )
  const sources = new Map(found.flat())
  return movements.map(movement => ({
    ...movement,
    source: sources.get(`${movement.source_type} ${movement.source_id}`) ?? null,
  }))
}
