/** The records of another noun that belong to the record of a page: a table that loads its own data. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Asked, Filters } from '../filters.ts'
import type { Noun } from '../noun.ts'
import { useApi, useSession } from '../session.tsx'
import type { Columns } from './data-table.tsx'
import { TablePanel } from './panel.tsx'

type By<Has extends Filters> = Asked<Has> & { readonly order?: 'asc' | 'desc'; readonly limit?: number }

const ROWS_MAX = 100

/** @param by the query. Default: the newest hundred. */
function useRelatedQuery<One extends object, Has extends Filters>({ of, resource }: Noun<One, Has>, by: By<Has>) {
  const api = useApi()
  return {
    queryKey: [resource, 'related', by] as readonly unknown[],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      (await of(api).list({ order: 'desc', limit: ROWS_MAX, ...by }, { signal })).data,
  }
}

/** The same records for other parts of the page; empty until they are loaded. */
export function useRelated<One extends object, Has extends Filters>(noun: Noun<One, Has>, by: By<Has>): readonly One[] {
  const { can } = useSession()
  const { data } = useQuery({ ...useRelatedQuery(noun, by), enabled: can(noun.scope) })
  return data ?? []
}

type Props<One extends object, Has extends Filters> = {
  readonly of: Noun<One, Has>
  readonly by: By<Has>
  readonly title?: string
  readonly columns: Columns<One>
  readonly aside?: ReactNode
  readonly whenEmpty: ReactNode
}

export function Related<One extends object, Has extends Filters>(props: Props<One, Has>) {
  const { of: noun, by, title = noun.many, columns, ...panel } = props
  return (
    <TablePanel
      title={title}
      scope={noun.scope}
      query={useRelatedQuery(noun, by)}
      columns={columns}
      rows={found => found}
      leads
      {...panel}
    />
  )
}
