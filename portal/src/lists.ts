/** Lists of the interface as queries: page by page behind a cursor. */
import type { List, Page } from '@millrace/client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

/** The first page is there soon; who scrolls on waits seldom, and asks seldom. */
const [FIRST_ROWS, PAGE_ROWS] = [50, 200]
/** A list that was read this far is not read again from its beginning by itself. */
const PAGES_MAX = 2

/** Whether what a query holds is read anew by itself: all but lists that were read far. */
export const isShort = (data: unknown): boolean =>
  !(typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)) ||
  data.pages.length <= PAGES_MAX

const whileShort = ({ state }: { readonly state: { readonly data: unknown } }): boolean => isShort(state.data)

type Paged = { readonly cursor?: string | undefined; readonly limit?: number | undefined }

/**
 * @param name the resource (`sales-orders`), by which events refresh it (live.tsx), then what tells this list from others.
 * @param filters the newest come first unless they say else.
 * @param read one page; the query is the filters with cursor and limit.
 */
export function listQuery<Row, Filters extends object>(
  name: readonly [resource: string, ...rest: string[]],
  filters: Filters & { readonly order?: 'asc' | 'desc' | undefined },
  read: (
    query: Filters & Paged & { readonly order: 'asc' | 'desc' },
    options: { readonly signal: AbortSignal },
  ) => PromiseLike<Page<Row>>,
) {
  return infiniteQueryOptions({
    queryKey: [...name, 'list', filters] as readonly unknown[],
    queryFn: async ({ pageParam, signal }): Promise<Page<Row>> =>
      read(
        {
          ...filters,
          order: filters.order ?? 'desc',
          limit: pageParam === '' ? FIRST_ROWS : PAGE_ROWS,
          cursor: pageParam || undefined,
        },
        { signal },
      ),
    refetchOnMount: whileShort,
    refetchOnWindowFocus: whileShort,
    refetchOnReconnect: whileShort,
    initialPageParam: '',
    getNextPageParam: page => page.next_cursor || undefined,
  })
}

/** How many there are, as far as one page tells. */
export type Count = { readonly count: number; readonly isMore: boolean }

const COUNT_MAX = 100

/** The first hundred of a list. What counts them and what shows some of them read them once. */
export const firstQuery = <Row>(
  name: readonly [resource: string, ...rest: string[]],
  list: (paged: { limit: number }, options: { readonly signal: AbortSignal }) => List<Row>,
) =>
  queryOptions({
    queryKey: [...name, 'first'] as readonly unknown[],
    queryFn: async ({ signal }) => await list({ limit: COUNT_MAX }, { signal }),
  })

/** Counts a list up to a hundred: the interface tells no totals. */
export const countOf = ({ data, next_cursor }: Page<unknown>): Count => ({
  count: data.length,
  isMore: next_cursor !== '',
})
