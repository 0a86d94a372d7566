/**
 * The manufacturing order that a command sees, in memory: quantities in millionths, costs in ten-thousandths. It must not do
 * I/O.
 */
import type { Cost, Micro } from '../../decimal.ts'

export const orderTypes = ['MAKE_TO_STOCK', 'MAKE_TO_ORDER'] as const
export type OrderType = (typeof orderTypes)[number]

export const orderStatuses = ['NOT_STARTED', 'IN_PROGRESS', 'BLOCKED', 'PARTIALLY_DONE', 'DONE'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** A material line. */
export type OrderItem = {
  readonly id: string
  readonly itemVariantId: string
  /** Total need; reserved at the order's location until the start. */
  readonly quantity: Micro
}

export type OrderTask = {
  readonly id: string
  readonly costPerHour: Micro
  readonly plannedCost: Cost
  /** Null until an actual duration is reported. */
  readonly actualCost: Cost | null
}

/** The batch that output goes into, as far as the order names one. */
export type OutputBatch = {
  readonly number: string | null
  /** `2026-11-21` */
  readonly manufactureDate: string | null
  readonly expiryDate: string | null
}

export type Order = {
  readonly id: string
  readonly number: string
  readonly status: OrderStatus
  /** Where unblocking leads; null unless BLOCKED. */
  readonly statusBeforeBlock: OrderStatus | null
  readonly itemVariantId: string
  /** Planned. */
  readonly quantity: Micro
  /** All output so far, quarantined or not. */
  readonly released: Micro
  /** The good part of it. */
  readonly actual: Micro
  readonly locationId: string
  readonly outputBatch: OutputBatch
  readonly lastOutputPlaceId: string | null
  readonly lastOutputBatchId: string | null
  readonly materialsCost: Cost
  readonly operationsCost: Cost
  readonly postedCost: Cost
  /** The part of the posted cost that no stock carries. */
  readonly expensedCost: Cost
  /** In the order sent. */
  readonly items: readonly OrderItem[]
  readonly tasks: readonly OrderTask[]
}

/** What is still to be made: expected output (contract 2). Never below 0. */
export function remaining({ quantity, released }: Pick<Order, 'quantity' | 'released'>): Micro {
  return quantity > released ? quantity - released : 0n
}
