/** The transitions between the statuses of a manufacturing order, as data. Pure: no I/O and no clock (docs/rules/manufacturing.md). */
import { type Refusal, refuse } from '../../../kit/api/errors.ts'
import { invalidStatus, type Order, type OrderChange, type OrderStatus } from './noun.ts'

type Move = {
  readonly from: readonly OrderStatus[]
  /** `BEFORE_BLOCK`: the status before the block. `SAME`: the status does not change. `GONE`: the order is deleted. */
  readonly to: OrderStatus | 'BEFORE_BLOCK' | 'SAME' | 'GONE'
  /** Completes the message "cannot be ...". */
  readonly words: string
}

const started = ['IN_PROGRESS', 'PARTIALLY_DONE'] as const

export const moves = {
  start: { from: ['NOT_STARTED'], to: 'IN_PROGRESS', words: 'started' },
  block: { from: ['NOT_STARTED', ...started], to: 'BLOCKED', words: 'blocked' },
  unblock: { from: ['BLOCKED'], to: 'BEFORE_BLOCK', words: 'unblocked' },
  materials: { from: started, to: 'SAME', words: 'changed in its materials' },
  complete_part: { from: started, to: 'PARTIALLY_DONE', words: 'completed' },
  complete: { from: started, to: 'DONE', words: 'completed' },
  delete: { from: ['NOT_STARTED'], to: 'GONE', words: 'deleted' },
} as const satisfies Readonly<Record<string, Move>>

type Trigger = keyof typeof moves

/** Refuses `manufacturing_order_invalid_status` for a transition that the table does not have. */
export function refuseMove(order: Pick<Order, 'number' | 'status'>, trigger: Trigger): Refusal | null {
  const { from, words }: Move = moves[trigger]
  if (from.includes(order.status)) return null
  return refuse(invalidStatus, `the manufacturing order ${order.number} is ${order.status} and cannot be ${words}`)
}

/** The status after the transition. @throws Error for a transition that the table does not have. */
export function statusAfter(
  order: Pick<Order, 'number' | 'status' | 'status_before_block'>,
  trigger: Exclude<Trigger, 'materials' | 'delete'>,
): OrderStatus {
  const { to } = moves[trigger]
  const status = to === 'BEFORE_BLOCK' ? order.status_before_block : to
  if (status === null || refuseMove(order, trigger) !== null) throw new Error(`${order.number}: no such move`)
  return status
}

type Standing = Pick<Order, 'number' | 'status' | 'status_before_block' | 'released_quantity'>
const isBeforeStart = ({ status, status_before_block: before }: Standing): boolean =>
  (status === 'BLOCKED' ? before : status) === 'NOT_STARTED'

/** Until when a PATCH may have a field. A field that no entry lists may change in any status. */
const windows: readonly {
  readonly fields: readonly (keyof OrderChange)[]
  readonly isOpen: (order: Standing) => boolean
  /** Completes the message "can only change ...". */
  readonly words: string
}[] = [
  {
    fields: ['quantity', 'manufacturing_location_id', 'items'],
    isOpen: isBeforeStart,
    words: 'before the start',
  },
  {
    fields: ['output_batch_number', 'output_manufacture_date', 'output_expiry_date'],
    isOpen: ({ status, released_quantity: released }) => status !== 'DONE' && released === 0n,
    words: 'before the first output',
  },
  {
    fields: ['priority', 'planned_start_date', 'production_date', 'shipping_date'],
    isOpen: ({ status }) => status !== 'DONE',
    words: 'until the order is DONE',
  },
]

/** Refuses `manufacturing_order_invalid_status` for a PATCH with a field that the order's status does not let change. */
export function refuseChange(order: Standing, body: OrderChange): Refusal | null {
  for (const { fields, isOpen, words } of windows) {
    const named = fields.find(field => body[field] !== undefined)
    if (named !== undefined && !isOpen(order))
      return refuse(
        invalidStatus,
        `${named}: the manufacturing order ${order.number} is ${order.status}, and the field can only change ${words}`,
      )
  }
  return null
}
