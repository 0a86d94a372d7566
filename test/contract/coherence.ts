/**
 * Whether the figures of an answer fit each other. It judges by the answer alone: it knows how documents add up, and nothing of how the
 * service computes them.
 */
import type { Loose } from '../support/command-context.ts'

type Rule = {
  /** The rule is for documents that have these fields. */
  readonly fields: readonly string[]
  readonly faults: (document: Loose) => readonly (string | false)[]
}

/**
 * Rounds half up as people do with decimals. The figures of examples are not close to the values where binary fractions would round
 * differently.
 */
const round = (value: number, places: number) =>
  Number(`${Math.round(Number(`${value.toFixed(9)}e${places}`))}e-${places}`)
const sum = (values: readonly number[]) =>
  round(
    values.reduce((total, value) => total + value, 0),
    6,
  )
const sumOf = (items: readonly Loose[], field: string) => sum(items.map(item => item[field]))
const differs = (what: string, is: number, wanted: number) => is !== wanted && `${what} is ${is}, not ${wanted}`
const all = (fields: readonly string[], document: Loose, isNull: boolean, why: string) =>
  fields.map(field => (document[field] === null) !== isNull && `${field} is ${document[field]} where ${why}`)

/** A BLOCKED task may have been started before, so it may have `started_at`. */
const startFaults = (document: Loose) =>
  document.status === 'BLOCKED' ? [] : all(['started_at'], document, document.status === 'NOT_STARTED', document.status)

const CENTS = 2
const COST_PLACES = 4

const rules: readonly Rule[] = [
  {
    fields: ['quantity', 'price', 'discount_percent', 'line_amount'],
    faults: line => [
      differs(
        'line_amount',
        line.line_amount,
        round((line.quantity * line.price * (100 - line.discount_percent)) / 100, CENTS),
      ),
    ],
  },
  {
    fields: ['amount', 'tax_rate', 'tax_amount', 'amount_with_tax'],
    faults: charge => [
      differs('tax_amount', charge.tax_amount, round((charge.amount * charge.tax_rate) / 100, CENTS)),
      differs('amount_with_tax', charge.amount_with_tax, sum([charge.amount, charge.tax_amount])),
    ],
  },
  {
    fields: ['line_amount', 'tax_rate', 'line_tax_amount', 'line_amount_with_tax'],
    faults: line => [
      differs('line_tax_amount', line.line_tax_amount, round((line.line_amount * line.tax_rate) / 100, CENTS)),
      differs('line_amount_with_tax', line.line_amount_with_tax, sum([line.line_amount, line.line_tax_amount])),
    ],
  },
  {
    fields: ['total_amount', 'tax_amount', 'total_amount_with_tax', 'items'],
    faults: ({ charges = [], ...order }) => [
      differs('total_amount', order.total_amount, sum([sumOf(order.items, 'line_amount'), sumOf(charges, 'amount')])),
      // The lines of receipts show no tax.
      !('received_date' in order) &&
        differs(
          'tax_amount',
          order.tax_amount,
          sum([sumOf(order.items, 'line_tax_amount'), sumOf(charges, 'tax_amount')]),
        ),
      differs('total_amount_with_tax', order.total_amount_with_tax, sum([order.total_amount, order.tax_amount])),
    ],
  },
  {
    fields: ['purchase_order_id', 'received_date', 'total_amount', 'items'],
    faults: receipt => [differs('total_amount', receipt.total_amount, sumOf(receipt.items, 'line_amount'))],
  },
  {
    fields: ['total_amount', 'stock_amount', 'expensed_amount', 'allocations'],
    faults: ({ allocations, items, exchange_rate, ...landed }) => [
      differs(
        'total_amount',
        landed.total_amount,
        sum(items.map(({ amount }: Loose) => round(amount * exchange_rate, COST_PLACES))),
      ),
      differs('total_amount', landed.total_amount, sum([landed.stock_amount, landed.expensed_amount])),
      differs('total_amount', landed.total_amount, sumOf(allocations, 'amount')),
      differs('stock_amount', landed.stock_amount, sumOf(allocations, 'stock_amount')),
      differs('expensed_amount', landed.expensed_amount, sumOf(allocations, 'expensed_amount')),
    ],
  },
  {
    fields: ['reason', 'total_amount', 'items'],
    faults: adjustment => [
      differs('total_amount', adjustment.total_amount, sumOf(adjustment.items, 'amount')),
      ...adjustment.items.flatMap((line: Loose) => [
        differs('quantity_after', line.quantity_after, sum([line.quantity_before, line.quantity])),
        // A revaluation changes the value alone.
        adjustment.reason === 'REVALUATION'
          ? differs('quantity', line.quantity, 0)
          : differs('amount', line.amount, round(line.quantity * line.unit_cost, COST_PLACES)),
      ]),
    ],
  },
  {
    fields: [
      'quantity',
      'quarantine_quantity',
      'expired_quantity',
      'reserved_quantity',
      'available_quantity',
      'average_cost',
    ],
    faults: level => [
      differs(
        'available_quantity',
        level.available_quantity,
        sum([level.quantity, -level.quarantine_quantity, -level.expired_quantity, -level.reserved_quantity]),
      ),
    ],
  },
  {
    // The value of a batch is a share of the exact value, and the average cost is rounded.
    fields: ['quantity', 'average_cost', 'stock_value'],
    faults: ({ quantity, average_cost: average, stock_value: value }) => [
      Math.abs(value - quantity * average) > quantity / 10 ** COST_PLACES &&
        `stock_value is ${value}, at ${average} each`,
    ],
  },
  {
    fields: ['sales_return', 'items'],
    faults: ({ sales_return: head, items, charges }) => [
      differs('refund_amount', head.refund_amount, sum([sumOf(items, 'refund_amount'), sumOf(charges, 'amount')])),
      differs(
        'refund_tax_amount',
        head.refund_tax_amount,
        sum([sumOf(items, 'refund_tax_amount'), sumOf(charges, 'tax_amount')]),
      ),
      ...all(['return_date'], head, head.status !== 'RETURNED', head.status),
      ...(head.status === 'CANCELLED' ? [] : all(['cancellation_reason'], head, true, head.status)),
    ],
  },
  {
    fields: ['delivery_status', 'shipped_at', 'cancelled_at', 'items'],
    faults: order => [
      ...all(
        ['cancelled_at', 'cancelled_by_user_id', 'cancelled_by_user_name'],
        order,
        order.status !== 'CANCELLED',
        order.status,
      ),
      ...all(['shipped_at'], order, order.delivery_status !== 'SHIPPED', order.delivery_status),
      order.delivery_status === 'SHIPPED' && order.status !== 'DONE' && `${order.status} though SHIPPED`,
      order.delivery_status === 'NOT_SHIPPED' &&
        sumOf(order.items, 'shipped_quantity') + sumOf(order.items, 'packed_quantity') > 0 &&
        'NOT_SHIPPED with goods that are',
    ],
  },
  {
    fields: ['delivery_status', 'close_reason', 'completed_at', 'items'],
    faults: order => [
      ...all(['completed_at'], order, order.status === 'OPEN', order.status),
      (order.delivery_status === 'RECEIVED') !==
        order.items.every((line: Loose) => line.received_quantity >= line.quantity) &&
        `${order.delivery_status} with other quantities`,
    ],
  },
  {
    fields: ['actual_cost', 'released_quantity', 'items'],
    faults: order => [
      ...costFaults(order),
      ...startFaults(order),
      ...all(['completed_at'], order, order.status !== 'DONE', order.status),
      ...all(['block_reason'], order, order.status !== 'BLOCKED', order.status),
      ...order.items.map(
        ({ quantity, quantity_per_unit: perUnit }: Loose) =>
          // `quantity_per_unit` is rounded, and the needed quantity is not computed from it.
          perUnit !== null &&
          Math.abs(quantity - perUnit * order.quantity) > (order.quantity + 1) / 1_000_000 &&
          `a need of ${quantity}, with ${perUnit} for one`,
      ),
      order.status === 'NOT_STARTED' && sumOf(order.items, 'actual_quantity') > 0 && 'material used before the start',
    ],
  },
  {
    fields: ['planned_duration', 'cost_per_hour', 'planned_cost'],
    faults: task => [
      differs('planned_cost', task.planned_cost, round(task.planned_duration * task.cost_per_hour, COST_PLACES)),
      ...startFaults(task),
      ...all(['completed_at'], task, task.status !== 'DONE', task.status),
    ],
  },
  {
    fields: ['events', 'enabled', 'status'],
    faults: ({ enabled, status }) => [enabled === (status === 'disabled') && `enabled is ${enabled} where ${status}`],
  },
]

function costFaults({ actual_cost: cost, released_quantity: released, status }: Loose): readonly (string | false)[] {
  const isUnitCostRight =
    released === 0 ? cost.unit_cost === null : cost.unit_cost === round(cost.posted_cost / released, COST_PLACES)
  return [
    differs('total_cost', cost.total_cost, sum([cost.materials_cost, cost.operations_cost])),
    differs('posted and wip cost', sum([cost.posted_cost, cost.wip_cost]), cost.total_cost),
    !isUnitCostRight && `unit_cost is ${cost.unit_cost} for ${released} at ${cost.posted_cost}`,
    cost.is_final !== (status === 'DONE') && `is_final is ${cost.is_final} where ${status}`,
    status === 'DONE' && differs('wip_cost', cost.wip_cost, 0),
  ]
}

/** The faults of an answer and of the documents in it, as sentences. Empty: there are none. */
export function faultsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = rules.flatMap(({ fields, faults }) =>
    fields.every(field => Object.hasOwn(value, field)) ? faults(value).filter(fault => fault !== false) : [],
  )
  return [...own, ...Object.values(value).flatMap(faultsOf)]
}
