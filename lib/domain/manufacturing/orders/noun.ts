/** What a manufacturing order is, its materials and its tasks (docs/rules/manufacturing.md). */

import {
  changes,
  created,
  dated,
  fewIds,
  filtersOf,
  oneText,
  someTexts,
  uniqueCode,
  uniqueText,
} from '../../../kit/api/list-filters.ts'
import { group, hiddenLines, lineOf, lines, type RecordOf, sentLines } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { Sql } from '../../../kit/documents/sql.ts'
import type { BodyOf, CreateOf } from '../../../kit/fields/bodies.ts'
import type { Column, Derived } from '../../../kit/fields/field.ts'
import {
  choice,
  code,
  cost,
  day,
  derived,
  flag,
  instant,
  key,
  longText,
  price,
  quantity,
  reference,
  text,
  whole,
} from '../../../kit/fields/kinds.ts'
import type { Cost, Micro } from '../../../platform/decimal.ts'
import { Unit } from '../../catalogue/units/document.ts'
import { Item, Variant } from '../../catalogue/variant.ts'
import { StoragePlace } from '../../places/noun.ts'
import { SalesOrder } from '../../sales/orders/noun.ts'
import { Batch } from '../../stock/batches/noun.ts'
import { averageCost } from '../../stock/cost-rules.ts'
import { Operation } from '../operations/noun.ts'
import { orderTypes, Recipe } from '../recipes/noun.ts'

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
    item_id: reference(Item),
    item_variant_id: reference(Variant).writable('create'),
    sku: text().orNull(),
    title: text(),
    quantity: quantity({ moreThan: '0' }).words('total need').writable('create'),
    actual_quantity: quantity().words('written off so far'),
    /** The stock value that left with it. */
    cost: cost().hidden(),
    /** Whether its need is still reserved: until the start. */
    is_open: flag().hidden(),
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
      choice(taskStatuses).words("follows the order's"),
      `case o.status when 'PARTIALLY_DONE' then 'IN_PROGRESS' else o.status end`,
    ),
    planned_duration: quantity().words('hours'),
    actual_duration: quantity().words('hours; null until reported').orNull(),
    cost_per_hour: price(),
    planned_cost: cost(),
    actual_cost: cost().words('of the actual duration; null until reported').orNull(),
    unit_id: reference(Unit).orNull(),
    unit_name: text().orNull(),
    notes: text().orNull(),
    started_at: ofOrder(instant().orNull(), 'o.started_at'),
    completed_at: ofOrder(instant().orNull(), 'o.completed_at'),
  },
})

type Costs = { readonly materials_cost: Cost; readonly operations_cost: Cost; readonly posted_cost: Cost }
type Output = { readonly posted_cost: Cost; readonly released_quantity: Micro }

const totalCost = (order: Costs): Cost => order.materials_cost + order.operations_cost

const LINES_MAX = 500

/** What is said of the batch of the output: when an order is made, and again when it is completed. */
const outputFields = {
  output_batch_number: text().words('of the last output, or as planned').orNull(),
  output_manufacture_date: day().orNull(),
  output_expiry_date: day().orNull(),
}

export const ManufacturingOrder = noun({
  name: 'manufacturing order',
  table: 'manufacturing_orders',
  path: '/manufacturing-orders',
  tag: [
    'Manufacturing orders',
    'Production from plan to output: materials are written off, output comes into stock, costs follow.',
  ],
  events: {
    created: 'A manufacturing order was created.',
    started: 'Materials were written off; work began.',
    partially_done: 'A part of the output came into stock.',
    done: 'A manufacturing order was completed.',
    blocked: 'A manufacturing order was blocked.',
    unblocked: 'A manufacturing order went on.',
    deleted: 'A manufacturing order was deleted; `data` is as it last was.',
  },
  posts: {
    as: 'a manufacturing order',
    kinds: { MANUFACTURING_WRITE_OFF: 'materials of an order', MANUFACTURING_OUTPUT: 'output of an order' },
  },
  scopes: {
    read: 'read:manufacturing',
    create: 'write:manufacturing.order.create',
    update: 'write:manufacturing.order.update',
  },
  fields: {
    id: key(),
    number: code().counted('MO').writable('create'),
    type: choice(orderTypes).decided().writable('create'),
    status: choice(orderStatuses),
    /** Where unblocking leads; null unless BLOCKED. */
    status_before_block: choice(orderStatuses).orNull().hidden(),
    block_reason: text().orNull(),
    priority: whole().default(0).writable('create'),
    quantity: quantity({ moreThan: '0' }).words('planned').writable('create'),
    actual_quantity: quantity().words('good output: released and not quarantined'),
    released_quantity: quantity().words('all output received into stock so far'),
    created_date: derived(
      instant(),
      (order: { readonly created_at: string }) => order.created_at,
      column => column('created_at'),
    ),
    planned_start_date: instant().orNull().writable('create'),
    started_at: instant().orNull(),
    completed_at: instant().words('of the last completion; null until DONE').orNull(),
    production_date: instant().orNull().writable('create'),
    shipping_date: instant().orNull().writable('create'),
    output_batch_number: outputFields.output_batch_number.writable('create'),
    output_manufacture_date: outputFields.output_manufacture_date.writable('create'),
    output_expiry_date: outputFields.output_expiry_date.writable('create'),
    /** Where the last output went: what is left of the cost at the end goes there. */
    last_output_place_id: reference(StoragePlace).orNull().hidden(),
    last_output_batch_id: reference(Batch).orNull().hidden(),
    manufacturing_location_id: reference(StoragePlace).decided().writable('create'),
    sales_order_id: reference(SalesOrder).orNull().writable('create'),
    recipe_id: reference(Recipe).orNull(),
    notes: longText().orNull().writable('create'),
    external_ref: text().orNull().writable('create'),
    created_at: instant(),
    updated_at: instant(),
    /** The part of the posted cost that no stock carries. */
    expensed_cost: cost().hidden(),
    actual_cost: group({
      currency: text(),
      materials_cost: cost().words('at the moving average of the moment of the start'),
      operations_cost: cost().words('by planned durations, or by actual ones as far as they are reported'),
      total_cost: derived(
        cost().words('materials + operations = posted + work in progress'),
        totalCost,
        column => `${column('materials_cost')} + ${column('operations_cost')}`,
      ),
      posted_cost: cost().words('gone with the output, or expensed at the end without stock to carry it'),
      wip_cost: derived(
        cost().words('work in progress; 0 when DONE'),
        (order: Costs) => totalCost(order) - order.posted_cost,
        column => `${column('materials_cost')} + ${column('operations_cost')} - ${column('posted_cost')}`,
      ),
      unit_cost: derived(
        cost().words('posted cost per released unit; null before output').orNull(),
        (order: Output) => averageCost({ quantity: order.released_quantity, value: order.posted_cost }),
        column => `cost_ratio(${column('posted_cost')}, ${column('released_quantity')})`,
      ),
      is_final: derived(
        flag().words('true when DONE: nothing more will be posted'),
        (order: { readonly status: string }) => order.status === 'DONE',
        column => `${column('status')} = 'DONE'`,
      ),
    }),
    item_variant: group({
      item_variant_id: reference(Variant).as('id'),
      item_id: reference(Item),
      item_title: text(),
      sku: text().orNull(),
      title: text(),
    }),
    items: lines(OrderItem, 'in the order sent, or of the recipe; sku and title as of the order').writable({
      on: 'create',
      min: 0,
      max: LINES_MAX,
      absent: 'decided',
      by: 'whole',
    }),
    /** In technology order. */
    tasks: hiddenLines(ProductionTask),
  },
  create: { item_variant_id: reference(), recipe_id: reference().decided() },
  unique: ['number', 'external_ref'],
  filters: filtersOf({
    number: uniqueCode(),
    external_ref: uniqueText(),
    sales_order_id: fewIds(),
    item_variant_id: fewIds(),
    status: someTexts(orderStatuses),
    type: oneText(orderTypes),
    ...created,
    ...dated('planned_start', 'planned_start_date'),
    ...changes,
  }),
  listed: '`created_after` is inclusive, `created_before` exclusive; both speak of `created_date`.',
})

// ---- what its commands are sent

export const startFields = {
  started_at: instant().decided(),
  items: sentLines({ id: key().writable(), quantity: quantity({ min: '0' }).writable() }).writable({
    min: 0,
    max: LINES_MAX,
    absent: 'filled',
  }),
  notes: longText().orNull(),
}
export type Start = BodyOf<typeof startFields>

export const completionFields = {
  quantity: quantity({ min: '0' }).decided(),
  is_final: flag().default(false),
  completed_at: instant().decided(),
  ...outputFields,
  storage_place_id: reference().decided(),
  quarantine: flag().default(false),
  tasks: sentLines({ id: key().writable(), actual_duration: quantity({ min: '0' }).writable() }).writable({
    min: 0,
    max: LINES_MAX,
    absent: 'filled',
  }),
  notes: longText().orNull(),
}
export type Completion = BodyOf<typeof completionFields>

export type NewOrder = CreateOf<typeof ManufacturingOrder>
export type Order = RecordOf<typeof ManufacturingOrder>
export type OrderItem = RecordOf<typeof OrderItem>
export type OrderTask = RecordOf<typeof ProductionTask>
export type OrderStatus = Order['status']

/** What is still to be made: expected output. Never below 0. */
export const remaining = ({
  quantity,
  released_quantity: released,
}: Pick<Order, 'quantity' | 'released_quantity'>): Micro => (quantity > released ? quantity - released : 0n)
