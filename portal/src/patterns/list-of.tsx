/** The list of a resource as a screen: its filters stand in the address of its route, and the interface takes them as they are. */
import type { Page } from '@millrace/client'
import type { ComponentProps, ReactNode } from 'react'
import type { ExactApi } from '../exact.ts'
import { listQuery, type Paged } from '../lists.ts'
import { useApi } from '../session.tsx'
import { useFilters } from './filters.tsx'
import { ListPage } from './list-page.tsx'

type Search = { readonly order?: 'asc' | 'desc' | undefined }

type Props<Has extends Search, Row extends object> = Omit<
  ComponentProps<typeof ListPage<Row>>,
  'query' | 'onClear' | 'filters'
> & {
  readonly route: Parameters<typeof useFilters<Has>>[0]
  /** The resource, by which events refresh it (live.tsx). */
  readonly name: string
  readonly of: (api: ExactApi) => {
    readonly list: (
      query: Has & Paged & { readonly order: 'asc' | 'desc' },
      options: { readonly signal: AbortSignal },
    ) => PromiseLike<Page<Row>>
  }
  readonly filters: (filter: ReturnType<typeof useFilters<Has>>['filter']) => ReactNode
}

export function ListOf<Has extends Search, Row extends object>(props: Props<Has, Row>) {
  const { route, name, of, filters, ...page } = props
  const api = useApi()
  const { search, filter, onClear } = useFilters(route)
  const query = listQuery([name], search, (asked, options) => of(api).list(asked, options))
  return <ListPage<Row> {...page} query={query} onClear={onClear} filters={filters(filter)} />
}
