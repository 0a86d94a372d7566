/** What a manufacturing order is, its materials and its tasks. */

import { document, group, hiddenLines, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import {
  type Column,
  called,
  choice,
  cost,
  type Derived,
  day,
  derived,
  explained,
  flag,
  hidden,
  instant,
  key,
  nullable,
  price,
  quantity,
  reference,
  text,
  whole,
} from '../../../kit/documents/field.ts'
import type { Sql } from '../../../kit/documents/sql.ts'
import type { Cost, Micro } from '../../../platform/decimal.ts'
import { StoragePlace } from '../../places/document.ts'
import { SalesOrder } from '../../sales/orders/document.ts'
import { averageCost } from '../../stock/cost-rules.ts'
import { Operation } from '../operations/document.ts'
import { Variant } from '../products.ts'
import { orderTypes, Recipe } from '../recipes/document.ts'

export const orderStatuses = {
  NOT_STARTED: 'materials are reserved, output is expected',
  IN_PROGRESS: 'materials are written off',
  BLOCKED: 'stopped until it is unblocked',
  PARTIALLY_DONE: 'a part of the output is in stock',
  DONE: 'all output is in stock, all cost is posted',
} as const
export const taskStatuses = {
  NOT_STARTED: 'the order is not started',
  IN_PROGRESS: 'the order is started',
  BLOCKED: 'the order is blocked',
  DONE: 'the order is done',
} as const

const OrderItem = lineOf({
  table: 'manufacturing_order_items',
  parent: 'manufacturing_order_id',
  fields: {
    id: key(),
    item_id: reference(),
    item_variant_id: reference(Variant),
    sku: nullable(text()),
    title: text(),
    quantity: explained(quantity(), 'total need'),
    actual_quantity: explained(quantity(), 'written off so far'),
    /** The stock value that left with it. */
    cost: hidden(cost()),
    /** Whether its need is still reserved: until the start. */
    is_open: hidden(flag()),
  },
})

/** What a task shows of its order, which only lists do: they join it as `o`. */
const ofOrder = <T>(field: Column<T>, sql: Sql): Derived<unknown> =>
  derived(
    field,
    () => {
      throw new Error('no command shows a task')
    },
    () => sql,
  )

export const ProductionTask = lineOf({
  table: 'manufacturing_order_tasks',
  parent: 'manufacturing_order_id',
  fields: {
    id: key(),
    manufacturing_order_id: ofOrder(key(), 'o.id'),
    operation_id: reference(Operation),
    operation_title: text(),
    position: whole(),
    status: ofOrder(
      explained(choice(taskStatuses), "follows the order's"),
      `case o.status when 'PARTIALLY_DONE' then 'IN_PROGRESS' else o.status end`,
    ),
    planned_duration: explained(quantity(), 'hours'),
    actual_duration: nullable(explained(quantity(), 'hours; null until reported')),
    cost_per_hour: price(),
    planned_cost: cost(),
    actual_cost: nullable(explained(cost(), 'of the actual duration; null until reported')),
    unit_id: nullable(reference()),
    unit_name: nullable(text()),
    notes: nullable(text()),
    started_at: ofOrder(nullable(instant()), 'o.started_at'),
    completed_at: ofOrder(nullable(instant()), 'o.completed_at'),
  },
})

type Costs = { readonly materials_cost: Cost; readonly operations_cost: Cost; readonly posted_cost: Cost }
type Output = { readonly posted_cost: Cost; readonly released_quantity: Micro }

const totalCost = (order: Costs): Cost => order.materials_cost + order.operations_cost

export const ManufacturingOrder = document({
  kind: 'manufacturing_order',
  noun: 'manufacturing order',
  table: 'manufacturing_orders',
  prefix: 'MO',
  fields: {
    id: key(),
    number: text(),
    type: choice(orderTypes),
    status: choice(orderStatuses),
    /** Where unblocking leads; null unless BLOCKED. */
    status_before_block: hidden(nullable(choice(orderStatuses))),
    block_reason: nullable(text()),
    priority: whole(),
    quantity: explained(quantity(), 'planned'),
    actual_quantity: explained(quantity(), 'good output: released and not quarantined'),
    released_quantity: explained(quantity(), 'all output received into stock so far'),
    created_date: derived(
      instant(),
      (order: { readonly created_at: string }) => order.created_at,
      column => column('created_at'),
    ),
    planned_start_date: nullable(instant()),
    started_at: nullable(instant()),
    completed_at: nullable(explained(instant(), 'of the last completion; null until DONE')),
    production_date: nullable(instant()),
    shipping_date: nullable(instant()),
    output_batch_number: nullable(explained(text(), 'of the last output, or as planned')),
    output_manufacture_date: nullable(day()),
    output_expiry_date: nullable(day()),
    /** Where the last output went: what is left of the cost at the end goes there. */
    last_output_place_id: hidden(nullable(reference(StoragePlace))),
    last_output_batch_id: hidden(nullable(reference())),
    manufacturing_location_id: reference(StoragePlace),
    sales_order_id: nullable(reference(SalesOrder)),
    recipe_id: nullable(reference(Recipe)),
    notes: nullable(text()),
    external_ref: nullable(text()),
    created_at: instant(),
    updated_at: instant(),
    /** The part of the posted cost that no stock carries. */
    expensed_cost: hidden(cost()),
    actual_cost: group({
      currency: text(),
      materials_cost: explained(cost(), 'at the moving average of the moment of the start'),
      operations_cost: explained(cost(), 'by planned durations, or by actual ones as far as they are reported'),
      total_cost: derived(
        explained(cost(), 'materials + operations = posted + work in progress'),
        totalCost,
        column => `${column('materials_cost')} + ${column('operations_cost')}`,
      ),
      posted_cost: explained(cost(), 'gone with the output, or expensed at the end without stock to carry it'),
      wip_cost: derived(
        explained(cost(), 'work in progress; 0 when DONE'),
        (order: Costs) => totalCost(order) - order.posted_cost,
        column => `${column('materials_cost')} + ${column('operations_cost')} - ${column('posted_cost')}`,
      ),
      unit_cost: derived(
        nullable(explained(cost(), 'posted cost per released unit; null before output')),
        (order: Output) => averageCost({ quantity: order.released_quantity, value: order.posted_cost }),
        column => `cost_ratio(${column('posted_cost')}, ${column('released_quantity')})`,
      ),
      is_final: derived(
        explained(flag(), 'true when DONE: nothing more will be posted'),
        (order: { readonly status: string }) => order.status === 'DONE',
        column => `${column('status')} = 'DONE'`,
      ),
    }),
    item_variant: group({
      item_variant_id: called('id', reference(Variant)),
      item_id: reference(),
      item_title: text(),
      sku: nullable(text()),
      title: text(),
    }),
    items: lines(OrderItem, 'in the order sent, or of the recipe; sku and title as of the order'),
    /** In technology order. */
    tasks: hiddenLines(ProductionTask),
  },
  unique: ['number', 'external_ref'],
})

export type Order = RecordOf<typeof ManufacturingOrder>
export type OrderItem = RecordOf<typeof OrderItem>
export type OrderTask = RecordOf<typeof ProductionTask>
export type OrderStatus = Order['status']

/** What is still to be made: expected output. Never below 0. */
export const remaining = ({
  quantity,
  released_quantity: released,
}: Pick<Order, 'quantity' | 'released_quantity'>): Micro => (quantity > released ? quantity - released : 0n)
