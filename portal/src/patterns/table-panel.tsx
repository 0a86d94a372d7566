/** A table that reads for itself. */
import type { ComponentProps } from 'react'
import { type Columns, DataTable } from './data-table.tsx'
import { Panel } from './panel.tsx'

type Props<Data, Row extends object> = Omit<ComponentProps<typeof Panel<Data>>, 'isEmpty' | 'children'> & {
  readonly rows: (data: Data) => readonly Row[]
  readonly columns: Columns<Row>
} & Pick<ComponentProps<typeof DataTable<Row>>, 'rowId' | 'leads'>

export const TablePanel = <Data, Row extends object>({
  rows,
  columns,
  rowId,
  leads = false,
  ...panel
}: Props<Data, Row>) => (
  <Panel {...panel} isEmpty={data => rows(data).length === 0}>
    {data => <DataTable label={panel.title} columns={columns} rows={rows(data)} rowId={rowId} leads={leads} />}
  </Panel>
)
