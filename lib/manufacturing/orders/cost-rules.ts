/**
 * The cost of a manufacturing order: what is in it, what of it is posted, and how much one completion posts. Pure: no I/O and
 * no clock (contract 2, "Manufacturing order", `actual_cost`).
 */
import { invalid, type Refusal } from '../../api/errors.ts'
import { type Cost, costOf, divideRounded, formatCost, type Micro, parseMicro } from '../../decimal.ts'
import type { Order, OrderTask } from './order.ts'
import type { Completion } from './schemas.ts'

/** An actual duration (hours), and what it costs. */
export type TaskReport = { readonly id: string; readonly actualDuration: Micro; readonly actualCost: Cost }

/** Refuses `validation_failed` for tasks that are not the order's, and for one named twice. */
export function readReports(order: Order, given: Completion['tasks']): readonly TaskReport[] | Refusal {
  const tasks = new Map(order.tasks.map(task => [task.id, task]))
  const reports: TaskReport[] = []
  for (const [index, { id, actual_duration }] of given.entries()) {
    const field = `tasks[${index}].id`
    const task = tasks.get(id)
    if (task === undefined) return invalid(field, `no such task of ${order.number}`)
    if (reports.some(report => report.id === id)) return invalid(field, 'is named twice')
    const actualDuration = parseMicro(actual_duration)
    reports.push({ id, actualDuration, actualCost: costOf(actualDuration, task.costPerHour) })
  }
  return reports
}

/** The cost of the operations: each task's actual cost as far as it is known, else the planned one. */
export function operationsCost(tasks: readonly OrderTask[], reports: readonly TaskReport[]): Cost {
  const reported = new Map(reports.map(report => [report.id, report.actualCost]))
  return tasks.reduce((sum, task) => sum + (reported.get(task.id) ?? task.actualCost ?? task.plannedCost), 0n)
}

/**
 * What one completion posts: all that is in progress when it is the last, else `round(wip * quantity / remaining, 4)`.
 * Refuses `validation_failed` when the reported durations make the total less than what is already posted.
 */
export function postingCost(
  order: Pick<Order, 'materialsCost' | 'postedCost'>,
  completion: {
    readonly operationsCost: Cost
    readonly quantity: Micro
    /** Before this completion; above the quantity unless it is the last. */
    readonly remaining: Micro
    readonly isLast: boolean
  },
): Cost | Refusal {
  const total = order.materialsCost + completion.operationsCost
  const wip = total - order.postedCost
  if (wip < 0n)
    return invalid(
      'tasks',
      `the total cost would be ${formatCost(total)}, of which ${formatCost(order.postedCost)} is posted`,
    )
  return completion.isLast ? wip : divideRounded(wip * completion.quantity, completion.remaining)
}
