/** Lists of the interface as queries: page by page behind a cursor. */
import type { List, Page } from '@millrace/client'
import { infiniteQueryOptions } from '@tanstack/react-query'

export const PAGE_ROWS = 50

type Paged = { readonly cursor?: string | undefined; readonly limit?: number | undefined }

/**
 * @param name the resource (`sales-orders`), by which events refresh it (live.ts), then what tells this list from others.
 * @param read one page; the query is the filters with cursor and limit.
 */
export function listQuery<Row, Filters extends object>(
  name: readonly [resource: string, ...rest: string[]],
  filters: Filters,
  read: (query: Filters & Paged, options: { readonly signal: AbortSignal }) => PromiseLike<Page<Row>>,
) {
  return infiniteQueryOptions({
    queryKey: [...name, 'list', filters] as readonly unknown[],
    queryFn: async ({ pageParam, signal }): Promise<Page<Row>> =>
      read({ ...filters, limit: PAGE_ROWS, ...(pageParam === '' ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: page => page.next_cursor || undefined,
  })
}

/** How many there are, as far as one page tells. */
export type Count = { readonly count: number; readonly isMore: boolean }

const COUNT_MAX = 100

/** Counts a list up to a hundred: the interface tells no totals. */
export async function countOf(list: (paged: { limit: number }) => List<unknown>): Promise<Count> {
  const { data, next_cursor } = await list({ limit: COUNT_MAX })
  return { count: data.length, isMore: next_cursor !== '' }
}
