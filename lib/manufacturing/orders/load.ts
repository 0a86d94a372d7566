/**
 * What the commands on an existing order read before they decide. It must not write or decide. It runs under the tenant's row
 * lock, so what it finds still holds when the command writes.
 */
import * as v from 'valibot'
import type { CommandContext } from '../../api/endpoint.ts'
import { parseCost, parseMicro } from '../../decimal.ts'
import { type Ledger, openLedger } from '../../stock/ledger.ts'
import { type Fragment, rows, sql } from '../../store/postgres.ts'
import { type Order, orderStatuses } from './order.ts'

const Text = v.string()
const TextOrNull = v.nullable(Text)
const Status = v.picklist(orderStatuses)

const OrderRow = v.object({
  number: Text,
  status: Status,
  status_before_block: v.nullable(Status),
  item_variant_id: Text,
  quantity: Text,
  released_quantity: Text,
  actual_quantity: Text,
  location_id: Text,
  batch_number: TextOrNull,
  manufacture_date: TextOrNull,
  expiry_date: TextOrNull,
  last_place_id: TextOrNull,
  last_batch_id: TextOrNull,
  materials_cost: Text,
  operations_cost: Text,
  posted_cost: Text,
  expensed_cost: Text,
  items: v.array(v.object({ id: Text, item_variant_id: Text, quantity: Text })),
  tasks: v.array(v.object({ id: Text, cost_per_hour: Text, planned_cost: Text, actual_cost: TextOrNull })),
})

/** JSON of the order `o` as `OrderRow`. */
const orderRow = sql.fragment`json_build_object(
  'number', o.number, 'status', o.status, 'status_before_block', o.status_before_block,
  'item_variant_id', o.item_variant_id::text, 'quantity', o.quantity::text,
  'released_quantity', o.released_quantity::text, 'actual_quantity', o.actual_quantity::text,
  'location_id', o.manufacturing_location_id::text, 'batch_number', o.output_batch_number,
  'manufacture_date', o.output_manufacture_date::text, 'expiry_date', o.output_expiry_date::text,
  'last_place_id', o.last_output_place_id::text, 'last_batch_id', o.last_output_batch_id::text,
  'materials_cost', o.materials_cost::text, 'operations_cost', o.operations_cost::text,
  'posted_cost', o.posted_cost::text, 'expensed_cost', o.expensed_cost::text,
  'items', coalesce((
    select json_agg(json_build_object(
      'id', l.id::text, 'item_variant_id', l.item_variant_id::text, 'quantity', l.quantity::text
    ) order by l.id)
    from manufacturing_order_items l where l.tenant_id = o.tenant_id and l.manufacturing_order_id = o.id
  ), '[]'),
  'tasks', coalesce((
    select json_agg(json_build_object(
      'id', k.id::text, 'cost_per_hour', k.cost_per_hour::text, 'planned_cost', k.planned_cost::text,
      'actual_cost', k.actual_cost::text
    ) order by k.id)
    from manufacturing_order_tasks k where k.tenant_id = o.tenant_id and k.manufacturing_order_id = o.id
  ), '[]')
)`

function orderFrom(id: string, found: unknown): Order {
  const row = v.parse(OrderRow, found)
  return {
    id,
    number: row.number,
    status: row.status,
    statusBeforeBlock: row.status_before_block,
    itemVariantId: row.item_variant_id,
    quantity: parseMicro(row.quantity),
    released: parseMicro(row.released_quantity),
    actual: parseMicro(row.actual_quantity),
    locationId: row.location_id,
    outputBatch: { number: row.batch_number, manufactureDate: row.manufacture_date, expiryDate: row.expiry_date },
    lastOutputPlaceId: row.last_place_id,
    lastOutputBatchId: row.last_batch_id,
    materialsCost: parseCost(row.materials_cost),
    operationsCost: parseCost(row.operations_cost),
    postedCost: parseCost(row.posted_cost),
    expensedCost: parseCost(row.expensed_cost),
    items: row.items.map(item => ({
      id: item.id,
      itemVariantId: item.item_variant_id,
      quantity: parseMicro(item.quantity),
    })),
    tasks: row.tasks.map(task => ({
      id: task.id,
      costPerHour: parseMicro(task.cost_per_hour),
      plannedCost: parseCost(task.planned_cost),
      actualCost: task.actual_cost === null ? null : parseCost(task.actual_cost),
    })),
  }
}

/** The order without any stock, for moves that touch none; null when the tenant has no such order. One round trip. */
export async function loadOrder({ connection, tenant }: CommandContext, id: string): Promise<Order | null> {
  const row = await connection.maybeOne(rows(v.object({ found: Text }))`
    select ${orderRow}::text as found from manufacturing_orders o
    where o.tenant_id = ${tenant.id}::bigint and o.id = ${id}::bigint
  `)
  return row === null ? null : orderFrom(id, JSON.parse(row.found))
}

export type OpenedOrder = { readonly order: Order; readonly ledger: Ledger }

/** Whether the order's materials are opened at its location, and so that stock can be picked or only to release claims. */
export type MaterialsWish = 'none' | 'claims' | 'pickable'

/** Where output goes; an id may be absent in the tenant. */
export type OutputWish = {
  /** The place that the caller names, or null. */
  readonly placeId: string | null
  /** The batch that the caller names, or null. */
  readonly batchNumber: string | null
  /** Nothing comes out any more: the stock of the last output is opened, to carry what is left of the cost. */
  readonly isEmpty: boolean
}

/**
 * The order with the ledger opened at what it touches: its output where that is expected, its materials, and where output
 * goes. One round trip for any number of materials. Null when the tenant has no such order.
 */
export async function openOrder(
  context: CommandContext,
  wish: { readonly id: string; readonly materials: MaterialsWish; readonly output?: OutputWish },
): Promise<OpenedOrder | null> {
  const { id, materials, output } = wish
  const tenant = sql.fragment`${context.tenant.id}::bigint`
  const positions: Fragment[] = []
  if (materials !== 'none')
    positions.push(sql.fragment`
      select l.item_variant_id, o.manufacturing_location_id, ${materials === 'pickable'}::boolean,
        row_number() over (order by l.id)::integer
      from this_order o
      join manufacturing_order_items l on l.tenant_id = ${tenant} and l.manufacturing_order_id = o.id`)
  if (materials !== 'pickable')
    positions.push(sql.fragment`select item_variant_id, manufacturing_location_id, false, 0 from this_order`)
  if (output !== undefined) positions.push(outputPosition(output))
  const ledger = await openLedger(context, {
    positions: [],
    batches: [],
    lookup: {
      relations: sql.fragment`this_order as materialized (
        select * from manufacturing_orders where tenant_id = ${tenant} and id = ${id}::bigint
      )`,
      positions: sql.fragment`${sql.join(positions, sql.fragment` union all `)}`,
      batches: outputBatches(output),
    },
    freshIds: output === undefined ? 0 : 1,
    also: sql.fragment`(select ${orderRow} from this_order o)`,
  })
  return ledger.also === null ? null : { order: orderFrom(id, ledger.also), ledger }
}

/** See `outputPlaceId` of the rules. */
const outputPosition = ({ placeId, isEmpty }: OutputWish): Fragment => sql.fragment`
  select item_variant_id,
    coalesce(
      ${placeId}::bigint, case when ${isEmpty}::boolean then last_output_place_id end, manufacturing_location_id
    ),
    ${isEmpty}::boolean, 1
  from this_order`

/** See `outputBatchNumber` of the rules. */
const outputBatches = (output: OutputWish | undefined): Fragment =>
  output === undefined
    ? sql.fragment`select null::bigint, null::bigint, null::text where false`
    : sql.fragment`
      select item_variant_id, null::bigint, coalesce(${output.batchNumber}, output_batch_number, number) from this_order
      union all
      select item_variant_id, last_output_batch_id, null::text from this_order where last_output_batch_id is not null`
