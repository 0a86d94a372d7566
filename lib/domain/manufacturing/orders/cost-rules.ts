/**
 * The cost of a manufacturing order: its parts, how much is posted, how much one completion posts, and what is booked without movements.
 * Pure: no I/O and no clock (docs/rules/manufacturing.md).
 */
import { decideEach, invalid, isRefusal, noSuch, type Refusal } from '../../../kit/api/errors.ts'
import { type Cost, costOf, divideRounded, formatCost, type Micro } from '../../../platform/decimal.ts'
import { book } from '../../stock/book-rules.ts'
import type { Cause, Stock } from '../../stock/stock.ts'
import type { Completion, Order, OrderTask } from './noun.ts'

/**
 * The order's tasks with the reported actual durations (hours), and the tasks' costs. Refuses `validation_failed` for a task of another
 * order, and for a task that is reported twice.
 */
export function reportedTasks(order: Order, given: Completion['tasks']): readonly OrderTask[] | Refusal {
  const durations = new Map<string, Micro>()
  const named = decideEach(given, ({ id, actual_duration }, index) => {
    const field = `tasks[${index}].id`
    if (!order.tasks.some(task => task.id === id)) return noSuch(field, `task of ${order.number}`)
    return durations.has(id) ? invalid(field, 'is named twice') : durations.set(id, actual_duration)
  })
  if (isRefusal(named)) return named
  return order.tasks.map(task => {
    const duration = durations.get(task.id)
    if (duration === undefined) return task
    return { ...task, actual_duration: duration, actual_cost: costOf(duration, task.cost_per_hour) }
  })
}

/** The cost of the operations: the actual cost of each task, else its planned cost. */
export const operationsCost = (tasks: readonly OrderTask[]): Cost =>
  tasks.reduce((sum, task) => sum + (task.actual_cost ?? task.planned_cost), 0n)

/**
 * The cost that one completion posts. The last completion posts all that is in progress; others post `round(wip * quantity / remaining,
 * 4)`. Refuses `validation_failed` when the reported durations make the total less than what is already posted.
 */
export function postingCost(
  order: Pick<Order, 'materials_cost' | 'posted_cost'>,
  completion: {
    readonly operationsCost: Cost
    readonly quantity: Micro
    /** Before this completion. It is more than the quantity, unless this completion is the last. */
    readonly remaining: Micro
    readonly isLast: boolean
  },
): Cost | Refusal {
  const total = order.materials_cost + completion.operationsCost
  const wip = total - order.posted_cost
  if (wip < 0n)
    return invalid(
      'tasks',
      `the total cost would be ${formatCost(total)}, of which ${formatCost(order.posted_cost)} is posted`,
    )
  return completion.isLast ? wip : divideRounded(wip * completion.quantity, completion.remaining)
}

type Booked = Pick<Order, 'operations_cost' | 'expensed_cost'>

/** Books the change of the order's operations cost, and the cost that no stock took, for its product at its place. */
export function bookCosts(
  stock: Stock,
  cause: Cause,
  { before, after }: { readonly before: Order; readonly after: Booked },
): void {
  const where = { itemVariantId: before.item_variant_id, storagePlaceId: before.manufacturing_location_id }
  const [debit, credit] = ['WORK_IN_PROGRESS', 'PRODUCTION_COSTS_ABSORBED'] as const
  book(stock, cause, { debit, credit, where, amount: after.operations_cost - before.operations_cost })
  const expensed = after.expensed_cost - before.expensed_cost
  book(stock, cause, { debit: 'PRODUCTION_EXPENSED', credit: 'WORK_IN_PROGRESS', where, amount: expensed })
}
