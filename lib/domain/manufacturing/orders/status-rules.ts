/**
 * The moves between the statuses of a manufacturing order, as data. Pure: no I/O and no clock (docs/rules/manufacturing.md).
 */
import { type Refusal, refuse } from '../../../kit/api/errors.ts'
import type { Order, OrderStatus } from './noun.ts'

type Move = {
  readonly from: readonly OrderStatus[]
  /** `BEFORE_BLOCK`: the status before it was blocked. `GONE`: the order is no more. */
  readonly to: OrderStatus | 'BEFORE_BLOCK' | 'GONE'
  /** "cannot be ..." */
  readonly words: string
}

const started = ['IN_PROGRESS', 'PARTIALLY_DONE'] as const

export const moves = {
  start: { from: ['NOT_STARTED'], to: 'IN_PROGRESS', words: 'started' },
  block: { from: ['NOT_STARTED', ...started], to: 'BLOCKED', words: 'blocked' },
  unblock: { from: ['BLOCKED'], to: 'BEFORE_BLOCK', words: 'unblocked' },
  complete_part: { from: started, to: 'PARTIALLY_DONE', words: 'completed' },
  complete: { from: started, to: 'DONE', words: 'completed' },
  delete: { from: ['NOT_STARTED'], to: 'GONE', words: 'deleted' },
} as const satisfies Readonly<Record<string, Move>>

type Trigger = keyof typeof moves

/** Refuses `manufacturing_order_invalid_status` for a move that the table lacks. */
export function refuseMove(order: Pick<Order, 'number' | 'status'>, trigger: Trigger): Refusal | null {
  const { from, words }: Move = moves[trigger]
  if (from.includes(order.status)) return null
  return refuse(
    'manufacturing_order_invalid_status',
    `the manufacturing order ${order.number} is ${order.status} and cannot be ${words}`,
  )
}

/** Where the move leads. @throws Error for a move that the table lacks. */
export function statusAfter(
  order: Pick<Order, 'number' | 'status' | 'status_before_block'>,
  trigger: Exclude<Trigger, 'delete'>,
): OrderStatus {
  const { to } = moves[trigger]
  const status = to === 'BEFORE_BLOCK' ? order.status_before_block : to
  if (status === null || refuseMove(order, trigger) !== null) throw new Error(`${order.number}: no such move`)
  return status
}
