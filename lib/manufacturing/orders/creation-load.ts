/**
 * What a new manufacturing order meets: its variant, place, recipe and sales order, whatever of them the body leaves to be
 * found, with the stock of all that it names. It must not write or decide.
 */
import * as v from 'valibot'
import { Taken, takenLookup } from '../../accounting/taken.ts'
import type { CommandContext } from '../../api/endpoint.ts'
import { type Ledger, openLedger } from '../../stock/ledger.ts'
import { type Fragment, jsonParameter, sql } from '../../store/postgres.ts'
import { readFromRows } from '../../store/read-from-rows.ts'
import { newestRecipe } from '../recipes/newest.ts'
import type { OrderSurroundings } from './creation-rules.ts'
import type { NewOrder } from './schemas.ts'

const Text = v.string()
const TextOrNull = v.nullable(Text)
const Also = v.object({
  taken: Taken,
  item_title: TextOrNull,
  place: v.nullable(v.object({ id: Text, manufacturing_allowed: v.boolean() })),
  recipe: v.nullable(v.object({ id: Text, item_id: Text, item_variant_id: TextOrNull })),
  needs: v.array(v.object({ item_variant_id: Text, quantity: Text })),
  steps: v.array(
    v.object({
      operation_id: Text,
      operation_title: Text,
      operation_type: TextOrNull,
      position: v.number(),
      duration: Text,
      cost_per_hour: Text,
      unit_id: TextOrNull,
      unit_name: TextOrNull,
      notes: TextOrNull,
    }),
  ),
  sales_order_status: TextOrNull,
})

export type OpenedNewOrder = { readonly ledger: Ledger; readonly taken: Taken; readonly found: OrderSurroundings }

/** One round trip, for any number of materials. */
export async function openNewOrder(
  context: CommandContext,
  { body, number }: { readonly body: NewOrder; readonly number: string },
): Promise<OpenedNewOrder> {
  const tenantId = context.tenant.id
  const tenant = sql.fragment`${tenantId}::bigint`
  const ledger = await openLedger(context, {
    positions: [],
    batches: [],
    lookup: {
      relations: sql.fragment`
        made as materialized (
          select v.id, v.item_id, i.title as item_title
          from item_variants v
          cross join lateral (select * from items where tenant_id = v.tenant_id and id = v.item_id limit 1) i
          where v.tenant_id = ${tenant} and v.id = ${body.item_variant_id}::bigint and ${readFromRows('v')}
        ), place as materialized (
          select id, manufacturing_allowed from storage_places
          where tenant_id = ${tenant} and id = coalesce(
            ${body.manufacturing_location_id ?? null}::bigint,
            (
              select id from storage_places
              where tenant_id = ${tenant} and is_main and manufacturing_allowed and not archived
            ),
            (
              select id from storage_places
              where tenant_id = ${tenant} and manufacturing_allowed and not archived order by id limit 1
            )
          )
        ), recipe as materialized (
          select r.id, r.item_id, r.item_variant_id
          from made cross join lateral (
            select * from recipes where tenant_id = ${tenant} and id = coalesce(${body.recipe_id ?? null}::bigint, ${newestRecipe(
              { tenantId, variant: sql.fragment`made.id`, item: sql.fragment`made.item_id` },
            )}) and ${readFromRows('recipes')} limit 1
          ) r
        ), needs as materialized (${needs(tenant, body)})`,
      positions: sql.fragment`
        select ${body.item_variant_id}::bigint, (select id from place), false, 0
        union all
        select item_variant_id, (select id from place), false, line::integer from needs`,
      batches: sql.fragment`
        select ${body.item_variant_id}::bigint, null::bigint, coalesce(${body.output_batch_number}, ${number})::text`,
    },
    freshIds: 1,
    also: sql.fragment`json_build_object(
      'taken', ${takenLookup({ table: 'manufacturing_orders', tenantId, number, externalRef: body.external_ref })},
      'item_title', (select item_title from made),
      'place', (select json_build_object('id', id::text, 'manufacturing_allowed', manufacturing_allowed) from place),
      'recipe', (
        select json_build_object('id', id::text, 'item_id', item_id::text, 'item_variant_id', item_variant_id::text)
        from recipe
      ),
      'needs', coalesce((
        select json_agg(json_build_object('item_variant_id', item_variant_id::text, 'quantity', quantity::text) order by line)
        from needs
      ), '[]'),
      'steps', coalesce((${steps(tenant)}), '[]'),
      'sales_order_status', (
        select status from sales_orders
        where tenant_id = ${tenant} and id = ${body.sales_order_id}::bigint and ${readFromRows('sales_orders')}
      )
    )`,
  })
  const { taken, ...also } = v.parse(Also, ledger.also)
  const found: OrderSurroundings = {
    itemTitle: also.item_title ?? '',
    place: also.place,
    recipe: also.recipe,
    needs: also.needs,
    steps: also.steps,
    salesOrderStatus: also.sales_order_status,
  }
  return { ledger, taken, found }
}

/** Selects `item_variant_id, quantity, line`: the body's items, else the recipe's materials per unit of output. */
const needs = (tenant: Fragment, { items }: NewOrder): Fragment =>
  items === undefined
    ? sql.fragment`
      select m.item_variant_id, m.quantity, row_number() over (order by m.id) as line
      from recipe join recipe_materials m on m.tenant_id = ${tenant} and m.recipe_id = recipe.id`
    : sql.fragment`
      select item_variant_id, quantity, line
      from rows from (jsonb_to_recordset(${jsonParameter(items)}::jsonb) as (item_variant_id bigint, quantity numeric))
        with ordinality as n (item_variant_id, quantity, line)`

/** The recipe's operations in technology order: by position, then as sent. */
const steps = (tenant: Fragment): Fragment => sql.fragment`
  select json_agg(json_build_object(
    'operation_id', s.operation_id::text, 'operation_title', op.title, 'operation_type', s.operation_type,
    'position', s.position, 'duration', s.duration::text, 'cost_per_hour', s.cost_per_hour::text,
    'unit_id', op.unit_id::text, 'unit_name', u.name, 'notes', s.notes
  ) order by s.position, s.id)
  from recipe
  join recipe_operations s on s.tenant_id = ${tenant} and s.recipe_id = recipe.id
  cross join lateral (select * from operations where tenant_id = s.tenant_id and id = s.operation_id limit 1) op
  left join lateral (select * from units where tenant_id = op.tenant_id and id = op.unit_id limit 1) u on true`
