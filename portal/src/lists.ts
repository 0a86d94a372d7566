/** Lists of the API as queries: page by page with a cursor. */
import type { Page } from '@millrace/client'
import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query'

import { inMoments } from './days.ts'

/** A small first page comes soon. Large further pages make waits and requests rare. */
const [FIRST_ROWS, PAGE_ROWS] = [50, 200]
/** A list with more pages than this is not reloaded by itself. */
const PAGES_MAX = 2

/** Whether a query's data is reloaded by itself: all data except long lists. */
export const isShort = (data: unknown): boolean =>
  !(typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)) ||
  data.pages.length <= PAGES_MAX

const whileShort = ({ state }: { readonly state: { readonly data: unknown } }): boolean => isShort(state.data)

export type Paged = { readonly cursor?: string | undefined; readonly limit?: number | undefined }

/**
 * @param name the resource (`sales-orders`), by which events refresh the list (live.tsx), then what identifies this list.
 * @param filters the newest records come first by default.
 * @param read reads one page; its query is the filters with cursor and limit.
 */
export function listQuery<Row, Filters extends object>(
  name: readonly [resource: string, ...rest: string[]],
  filters: Filters & { readonly order?: 'asc' | 'desc' | undefined },
  read: (
    query: Filters & Paged & { readonly order: 'asc' | 'desc' },
    options: { readonly signal: AbortSignal },
  ) => PromiseLike<Page<Row>>,
) {
  const order = filters.order ?? 'desc'
  const page = async (cursor: string, limit: number, signal: AbortSignal): Promise<Page<Row>> =>
    read({ ...inMoments(filters), order, limit, cursor: cursor || undefined }, { signal })
  const options = infiniteQueryOptions({
    queryKey: [...name, 'list', filters] as readonly unknown[],
    queryFn: ({ pageParam, signal }) => page(pageParam, pageParam === '' ? FIRST_ROWS : PAGE_ROWS, signal),
    refetchOnMount: whileShort,
    refetchOnWindowFocus: whileShort,
    refetchOnReconnect: whileShort,
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor || undefined,
  })
  return { ...options, order, all: (signal: AbortSignal) => everyPage(cursor => page(cursor, PAGE_ROWS, signal)) }
}

/** A list with its order, and a function that reads all of it page by page. */
export type ListQuery<Row> = UseInfiniteQueryOptions<
  Page<Row>,
  Error,
  InfiniteData<Page<Row>>,
  readonly unknown[],
  string
> & {
  readonly order: 'asc' | 'desc'
  readonly all: (signal: AbortSignal) => AsyncIterable<readonly Row[]>
}

async function* everyPage<Row>(read: (cursor: string) => Promise<Page<Row>>): AsyncGenerator<readonly Row[]> {
  let cursor = ''
  do {
    const page = await read(cursor)
    yield page.data
    cursor = page.next_cursor
  } while (cursor !== '')
}

/** The number of records, as far as one page shows it. */
export type Count = { readonly count: number; readonly isMore: boolean }

const COUNT_MAX = 100

/** The first hundred of a list. A count and a panel that shows some of them share one request. */
export const firstQuery = <Row>(
  name: readonly [resource: string, ...rest: string[]],
  list: (paged: { limit: number }, options: { readonly signal: AbortSignal }) => PromiseLike<Page<Row>>,
) =>
  queryOptions({
    queryKey: [...name, 'first'] as readonly unknown[],
    queryFn: async ({ signal }) => await list({ limit: COUNT_MAX }, { signal }),
  })

/** Counts a list up to a hundred, because the API has no totals. */
export const countOf = ({ data, next_cursor }: Page<unknown>): Count => ({
  count: data.length,
  isMore: next_cursor !== '',
})
