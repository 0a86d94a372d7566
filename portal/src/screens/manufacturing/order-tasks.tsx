/** The tasks of a manufacturing order: hours and costs, planned and actual. */
import type { ManufacturingOrder } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { useApi } from '../../session.tsx'
import { type Task, tasksQuery } from './reads.ts'

const columns: Columns<Task> = [
  column.shown('Operation', ({ operation_title }) => operation_title),
  column.status('Status', ({ status }) => status),
  column.number('Planned hours', ({ planned_duration }) => planned_duration, 'sm'),
  column.number('Actual hours', ({ actual_duration }) => actual_duration, 'sm'),
  column.cost('Planned cost', ({ planned_cost }) => planned_cost),
  column.cost('Actual cost', ({ actual_cost }) => actual_cost, 'sm'),
]

export function OrderTasks({ order }: { readonly order: Exact<ManufacturingOrder> }) {
  const api = useApi()
  return (
    <Panel
      title="Tasks"
      scope="read:manufacturing"
      query={tasksQuery(api, order.id)}
      whenEmpty="It has no tasks: its recipe has no operations."
    >
      {tasks => <DataTable label="Tasks" columns={columns} rows={tasks} />}
    </Panel>
  )
}
