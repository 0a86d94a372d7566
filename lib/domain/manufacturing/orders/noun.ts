/** What a manufacturing order is, its materials and its tasks (docs/rules/manufacturing.md). */

import { errorCode } from '../../../kit/api/errors.ts'
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
import type { BodyOf, ChangeOf, CreateOf } from '../../../kit/fields/bodies.ts'
import type { Column, Derived } from '../../../kit/fields/field.ts'
import {
  choice,
  code,
  cost,
  day,
  derived,
  flag,
  hiddenJson,
  identifier,
  instant,
  key,
  longText,
  percent,
  price,
  quantity,
  reference,
  text,
  whole,
} from '../../../kit/fields/kinds.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import type { Cost, Micro } from '../../../platform/decimal.ts'
import { variant } from '../../catalogue/by-sku.ts'
import { Unit } from '../../catalogue/units/document.ts'
import { Item, Variant } from '../../catalogue/variant.ts'
import { searchOrders } from '../../partners/order-search.ts'
import { StoragePlace } from '../../places/noun.ts'
import { SalesOrder } from '../../sales/orders/noun.ts'
import { Batch } from '../../stock/batches/noun.ts'
import { averageCost } from '../../stock/cost-rules.ts'
import { Operation } from '../operations/noun.ts'
import { orderTypes, Recipe } from '../recipes/noun.ts'

export const invalidStatus = errorCode(import.meta, 'manufacturing_order_invalid_status', {
  status: 422,
  meaning: 'The manufacturing order is not in a status that allows this.',
})
export const transitionNotAllowed = errorCode(import.meta, 'manufacturing_order_transition_not_allowed', {
  status: 422,
  meaning: 'The manufacturing order cannot be created like this.',
})

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

export const OrderItem = lineOf({
  table: 'manufacturing_order_items',
  parent: 'manufacturing_order_id',
  fields: {
    id: key(),
    item_id: reference(Item),
    item_variant_id: variant().writable('create'),
    sku: text().orNull(),
    title: text(),
    quantity: quantity({ moreThan: '0' }).words('total need').writable(),
    quantity_per_unit: quantity()
      .words(
        'of the recipe as the order took it, with scrap, rounded; null where a caller gave or changed the quantity. Needs are computed ' +
          'from the recipe, not from this',
      )
      .orNull(),
    /** The quantity as the recipe has it; null if quantity_per_unit is null. */
    recipe_quantity: quantity().orNull().hidden(),
    scrap_percent: percent().hidden(),
    actual_quantity: quantity().words('written off so far, less what came back'),
    /** The stock value that left with the material, less what came back. */
    cost: cost().hidden(),
    /** Whether the need is still reserved. True until the start. */
    is_open: flag().hidden(),
  },
})

/** A field of the order that a task shows. Only lists show it: they join the order as `o`. */
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
    manufacturing_order_id: ofOrder(key().words('the manufacturing order'), 'o.id'),
    operation_id: reference(Operation),
    operation_title: text().words('the title of the operation'),
    position: whole(),
    status: ofOrder(
      choice(taskStatuses).words("follows the order's"),
      `case o.status when 'PARTIALLY_DONE' then 'IN_PROGRESS' else o.status end`,
    ),
    planned_duration: quantity().words('hours'),
    recipe_duration: quantity().hidden(),
    actual_duration: quantity().words('hours; null until reported').orNull(),
    cost_per_hour: price().words("in the tenant's currency"),
    planned_cost: cost().words('planned duration * cost per hour'),
    actual_cost: cost().words('of the actual duration; null until reported').orNull(),
    unit_id: reference(Unit).orNull(),
    unit_name: text().orNull(),
    notes: text().orNull(),
    started_at: ofOrder(instant().words('when work began').orNull(), 'o.started_at'),
    completed_at: ofOrder(instant().words('when it was done').orNull(), 'o.completed_at'),
  },
})

type Costs = { readonly materials_cost: Cost; readonly operations_cost: Cost; readonly posted_cost: Cost }
type Output = { readonly posted_cost: Cost; readonly released_quantity: Micro }

const totalCost = (order: Costs): Cost => order.materials_cost + order.operations_cost
/** The cost in progress: neither in stock nor expensed yet. */
export const wipCost = (order: Costs): Cost => totalCost(order) - order.posted_cost

/** A material of the recipe whose need rounds to 0, with decimals as texts. */
type Unneeded = { readonly item_variant_id: string; readonly quantity: string; readonly scrap_percent: string }

/** The most lines of an order. Removed lines do not count. */
export const LINES_MAX = 500

/** The batch fields of the output, in bodies that make, change or complete an order. */
const outputFields = {
  output_batch_number: identifier()
    .words(
      'of the last output, or as planned',
      'the batch of the output; of a batch-tracked product by default the number of the order',
    )
    .orNull(),
  output_manufacture_date: day().words('when the batch of the output was made').orNull(),
  output_expiry_date: day().words('the last day of the batch of the output').orNull(),
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
    updated: 'Fields, the quantity, the place or materials of a manufacturing order changed.',
    started: 'Materials were written off; work began.',
    partially_done: 'A part of the output came into stock.',
    done: 'A manufacturing order was completed.',
    blocked: 'A manufacturing order was blocked.',
    unblocked: 'A manufacturing order went on.',
    deleted: 'A manufacturing order was deleted; `data` is as it last was.',
  },
  posts: {
    as: 'a manufacturing order',
    kinds: {
      MANUFACTURING_WRITE_OFF: 'materials of an order',
      MANUFACTURING_RETURN: 'materials that came back from an order',
      MANUFACTURING_OUTPUT: 'output of an order',
    },
  },
  scopes: {
    read: 'read:manufacturing',
    create: 'write:manufacturing.order.create',
    update: 'write:manufacturing.order.update',
  },
  fields: {
    id: key(),
    number: code().counted('MO').writable('create'),
    type: choice(orderTypes)
      .words('what it is made for; MAKE_TO_ORDER where a sales order is given')
      .decided()
      .writable('create'),
    status: choice(orderStatuses).words('where the order stands'),
    /** The status after unblocking; null unless BLOCKED. */
    status_before_block: choice(orderStatuses).orNull().hidden(),
    block_reason: text().words('why it is blocked').orNull(),
    priority: whole().words('for your own order of work; the service does nothing with it').default(0).writable(),
    quantity: quantity({ moreThan: '0' }).words('planned', 'how many are to be made').writable(),
    actual_quantity: quantity().words('good output: released and not quarantined'),
    released_quantity: quantity().words('all output received into stock so far'),
    created_date: derived(
      instant(),
      (order: { readonly created_at: string }) => order.created_at,
      column => column('created_at'),
    ),
    planned_start_date: instant().words('when work should begin').orNull().writable(),
    started_at: instant().words('when work began').orNull(),
    completed_at: instant().words('of the last completion; null until DONE').orNull(),
    production_date: instant().words('when the output is expected').orNull().writable(),
    shipping_date: instant().words('when the output should leave').orNull().writable(),
    output_batch_number: outputFields.output_batch_number.writable(),
    output_manufacture_date: outputFields.output_manufacture_date.writable(),
    output_expiry_date: outputFields.output_expiry_date.writable(),
    /** The place of the last output. The rest of the cost goes there at the end. */
    last_output_place_id: reference(StoragePlace).orNull().hidden(),
    last_output_batch_id: reference(Batch).orNull().hidden(),
    manufacturing_location_id: reference(StoragePlace)
      .words('where materials are taken and output arrives; by default the main place if it allows manufacturing')
      .decided()
      .writable(),
    sales_order_id: reference(SalesOrder).words('the sales order that it is made for').orNull().writable('create'),
    recipe_id: reference(Recipe).orNull(),
    /** The output quantity that the quantities of the recipe are for. */
    recipe_output_quantity: quantity().hidden(),
    /** Materials of the recipe whose need rounds to 0. A greater quantity of the order needs them. */
    unneeded_materials: hiddenJson<readonly Unneeded[]>(),
    notes: longText().orNull().writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    created_at: instant(),
    updated_at: instant(),
    /** The part of the posted cost that no stock took. */
    expensed_cost: cost().hidden(),
    actual_cost: group('what it costs so far; all 0 before the start', {
      currency: text(),
      materials_cost: cost().words(
        'what left the stock for it, each at the moving average of its moment, less what came back',
      ),
      operations_cost: cost().words('by planned durations, or by actual ones as far as they are reported'),
      total_cost: derived(
        cost().words('materials + operations = posted + work in progress'),
        totalCost,
        column => `${column('materials_cost')} + ${column('operations_cost')}`,
      ),
      posted_cost: cost().words('gone with the output, or expensed at the end without stock to carry it'),
      wip_cost: derived(
        cost().words('work in progress; 0 when DONE'),
        wipCost,
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
    item_variant: group('what is made', {
      item_variant_id: reference(Variant).as('id'),
      item_id: reference(Item),
      item_title: text().words('the title of the product'),
      sku: text().orNull(),
      title: text(),
    }),
    items: lines(
      OrderItem,
      'in the order sent, or of the recipe, added ones last; sku and title as of the order',
      "the materials, instead of the recipe's; none is allowed",
    ).writable({ min: 0, max: LINES_MAX, absent: 'decided', entries: { min: 1, max: LINES_MAX } }),
    tasks: hiddenLines(ProductionTask),
  },
  create: {
    item_variant_id: variant().words('what is made'),
    recipe_id: reference().words("the recipe; by default the variant's newest, else the product's").decided(),
  },
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
    q: searchOrders('manufacturing_orders'),
    ...changes,
  }),
  listed:
    '`q` looks in number and `external_ref`. `created_after` is inclusive, `created_before` exclusive; both speak of `created_date`.',
})

// ---- fields of its commands

export const startFields = {
  started_at: instant().words('when work began').decided(),
  items: sentLines(
    {
      id: key().words('the line of the order').writable(),
      quantity: quantity({ min: '0' }).words('what is written off for the line').writable(),
    },
    'what is written off of single lines, where it is another quantity than planned',
  ).writable({ min: 0, max: LINES_MAX, absent: 'filled' }),
  notes: longText().orNull(),
}
export type Start = BodyOf<typeof startFields>

export const materialsFields = {
  date: instant().decided(),
  items: sentLines(
    {
      item_variant_id: variant().writable(),
      quantity: quantity().words('signed, not 0: above 0 more is issued, below 0 goods come back').writable(),
      batch_id: reference(Batch)
        .words('the batch that is issued, or into which goods come back; by default as the description says')
        .orNull()
        .writable(),
    },
    'what is issued and what comes back, in this order',
  ).writable({ max: LINES_MAX }),
}
export type Materials = BodyOf<typeof materialsFields>

export const completionFields = {
  quantity: quantity({ min: '0' }).words('output; by default all that remains').decided(),
  is_final: flag().words('whether this ends the order, whatever was planned').default(false),
  completed_at: instant().words('when it was done').decided(),
  ...outputFields,
  storage_place_id: reference().words('where the output goes; by default where it is made').decided(),
  quarantine: flag().default(false),
  tasks: sentLines(
    {
      id: key().words('the task').writable(),
      actual_duration: quantity({ min: '0' }).words('hours').writable(),
    },
    'actual durations of tasks',
  ).writable({ min: 0, max: LINES_MAX, absent: 'filled' }),
  notes: longText().orNull(),
}
export type Completion = BodyOf<typeof completionFields>

export type NewOrder = CreateOf<typeof ManufacturingOrder>
export type OrderChange = ChangeOf<typeof ManufacturingOrder>
export type Order = RecordOf<typeof ManufacturingOrder>
export type OrderItem = RecordOf<typeof OrderItem>
export type OrderTask = RecordOf<typeof ProductionTask>
export type OrderStatus = Order['status']

/** The quantity still to be made, which is the expected output. Never below 0. */
export const remaining = ({
  quantity,
  released_quantity: released,
}: Pick<Order, 'quantity' | 'released_quantity'>): Micro => (quantity > released ? quantity - released : 0n)
