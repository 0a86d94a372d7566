/** A titled part of a screen that reads for itself: closed, failed, empty, or its content. */
import { Text } from '@mantine/core'
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
  /** Default: a list without rows is empty. */
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
  /** Said below the table, where it does not show all. */
  readonly note?: (data: Data) => ReactNode
} & Pick<ComponentProps<typeof DataTable<Row>>, 'rowId' | 'leads'>

export function TablePanel<Data, Row extends object>(props: TableProps<Data, Row>) {
  const { rows, columns, rowId, leads = false, note, ...panel } = props
  return (
    <Panel {...panel} isEmpty={data => rows(data).length === 0}>
      {data => (
        <>
          <DataTable label={panel.title} columns={columns} rows={rows(data)} rowId={rowId} leads={leads} />
          {note?.(data) && (
            <Text size="sm" c="dimmed" p="sm">
              {note(data)}
            </Text>
          )}
        </>
      )}
    </Panel>
  )
}
