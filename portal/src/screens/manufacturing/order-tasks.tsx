/** The tasks of a manufacturing order: hours and costs, planned and actual. */
import type { ManufacturingOrder } from '@millrace/client'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Exact } from '../../exact.ts'
import { moneyText, quantityText, Status } from '../../format.tsx'
import { columnsOf, DataTable } from '../../patterns/data-table.tsx'
import { Section } from '../../patterns/detail-page.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import type { Task } from './reads.ts'

type Row = Task & { readonly currency: string }

const column = columnsOf<Row>()
const columns = column.columns([
  column.accessor('operation_title', { header: 'Operation' }),
  column.accessor('status', { header: 'Status', cell: ({ getValue }) => <Status code={getValue()} /> }),
  column.accessor('planned_duration', {
    header: 'Planned hours',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
  column.accessor('actual_duration', {
    header: 'Actual hours',
    cell: ({ row: { original } }) => (original.actual_duration === null ? '–' : quantityText(original.actual_duration)),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
  column.accessor('planned_cost', {
    header: 'Planned cost',
    cell: ({ row: { original } }) => moneyText(original.planned_cost, original.currency),
    meta: { align: 'right' },
  }),
  column.accessor('actual_cost', {
    header: 'Actual cost',
    cell: ({ row: { original } }) =>
      original.actual_cost === null ? '–' : moneyText(original.actual_cost, original.currency),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
])

type Props = { readonly order: Exact<ManufacturingOrder>; readonly tasks: UseQueryResult<Task[]> }

export function OrderTasks({ order, tasks: { data, error, refetch } }: Props) {
  const { currency } = order.actual_cost
  return (
    <Section title="Tasks">
      {error ? (
        <Failure error={error} onRetry={() => refetch()} />
      ) : data?.length === 0 ? (
        <Empty>It has no tasks: its recipe has no operations.</Empty>
      ) : (
        <DataTable
          label="Tasks"
          columns={columns}
          rows={(data ?? []).map(task => ({ ...task, currency }))}
          rowId={({ id }) => id}
        />
      )}
    </Section>
  )
}
