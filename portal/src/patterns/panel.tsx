/** A titled part of a screen that reads for itself: closed, failed, empty, or its content. */
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { useSession } from '../session.tsx'
import { type Columns, DataTable } from './data-table.tsx'
import { Empty } from './empty.tsx'
import { Failure } from './failure.tsx'
import { Lacks } from './lacking.tsx'
import { Section } from './section.tsx'
import { WaitingPart } from './waiting.tsx'

type Props<Data> = {
  readonly title: string
  readonly scope: string
  readonly query: UseQueryOptions<Data, Error, Data, readonly unknown[]>
  readonly whenEmpty?: ReactNode
  /** A list without rows unless told. */
  readonly isEmpty?: (data: Data) => boolean
  readonly aside?: ReactNode | ((data: Data) => ReactNode)
  readonly children: (data: Data) => ReactNode
}

const hasNoRows = (data: unknown): boolean => Array.isArray(data) && data.length === 0

export function Panel<Data>({ title, scope, query, whenEmpty, isEmpty = hasNoRows, aside, children }: Props<Data>) {
  const { can } = useSession()
  const { data, error, refetch } = useQuery({ ...query, enabled: can(scope) })
  const beside = typeof aside !== 'function' ? aside : data !== undefined && !isEmpty(data) && aside(data)
  if (!can(scope)) return <Lacks scope={scope} />
  return (
    <Section title={title} aside={beside}>
      {error ? (
        <Failure error={error} onRetry={() => refetch()} />
      ) : data === undefined ? (
        <WaitingPart height={120} />
      ) : isEmpty(data) ? (
        <Empty>{whenEmpty}</Empty>
      ) : (
        children(data)
      )}
    </Section>
  )
}

/** A table that reads for itself. */
type TableProps<Data, Row extends object> = Omit<ComponentProps<typeof Panel<Data>>, 'isEmpty' | 'children'> & {
  readonly rows: (data: Data) => readonly Row[]
  readonly columns: Columns<Row>
} & Pick<ComponentProps<typeof DataTable<Row>>, 'rowId' | 'leads'>

export const TablePanel = <Data, Row extends object>({
  rows,
  columns,
  rowId,
  leads = false,
  ...panel
}: TableProps<Data, Row>) => (
  <Panel {...panel} isEmpty={data => rows(data).length === 0}>
    {data => <DataTable label={panel.title} columns={columns} rows={rows(data)} rowId={rowId} leads={leads} />}
  </Panel>
)
