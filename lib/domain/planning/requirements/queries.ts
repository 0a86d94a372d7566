/** The SQL of requirements: all that the recipes of a variant reach, with what is there at the place, in one statement. */
import * as v from 'valibot'
import {
  COST_PLACES,
  type Cost,
  MICRO_PLACES,
  type Micro,
  parseMicro,
  parseScaled,
  powerOfTen,
} from '../../../platform/decimal.ts'
import { type Connection, fixedFragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import { itemRecipe, ownRecipe, variantRow } from '../../manufacturing/recipes/newest.ts'
import { manufacturingPlaceId } from '../../places/manufacturing-place.ts'
import { preferredRow } from '../../purchasing/supplier-items/current.ts'
import { expiryOf, today } from '../../stock/expired.ts'
import type { Component } from './netting-rules.ts'

/** Variants beside the asked one. */
export const COMPONENTS_MAX = 5_000

export type Part = Component & {
  readonly itemId: string
  readonly sku: string | null
  readonly title: string
  /** The average cost at the place, else the purchase price, in millionths. */
  readonly unitCost: Micro | null
  /** The preferred supplier item and its supplier. */
  readonly supplierId: string | null
  readonly supplierItemId: string | null
}

/** What the statement saw; one component more than there may be stands for more. */
export type Reached = {
  /** The named place, or the one that manufactures; null: there is none such. */
  readonly placeId: string | null
  readonly hasPlaces: boolean
  readonly parts: readonly Part[]
}

const PartRow = v.object({
  place_id: v.nullable(v.string()),
  has_places: v.boolean(),
  id: v.nullable(v.string()),
  item_id: v.nullable(v.string()),
  sku: v.nullable(v.string()),
  title: v.nullable(v.string()),
  purchase_price: v.nullable(v.string()),
  average_cost: v.nullable(v.string()),
  available: v.nullable(v.string()),
  materials: v.nullable(v.string()),
  supplier_id: v.nullable(v.string()),
  supplier_item_id: v.nullable(v.string()),
})
type PartRow = v.InferOutput<typeof PartRow>

/** UNION keeps each variant once, so a part that comes in by many ways costs no more than one, and a circle ends. */
export async function reachedBy(
  connection: Connection,
  asked: { readonly tenantId: string; readonly itemVariantId: string; readonly storagePlaceId: string | undefined },
): Promise<Reached> {
  const tenant = sql.fragment`${asked.tenantId}::bigint`
  const named = sql.fragment`${asked.storagePlaceId ?? null}::bigint`
  const found = await connection.any(rows(PartRow)`
    with recursive reached (tenant_id, id) as (
      select ${tenant}, ${asked.itemVariantId}::bigint
      union
      select r.tenant_id, line.item_variant_id
      from reached r
      cross join lateral (${fixedFragment(variantRow('r.tenant_id', 'r.id'))}) v
      cross join lateral (
        select item_variant_id from recipe_materials
        where tenant_id = r.tenant_id and recipe_id = ${recipe}
        offset 0
      ) line
    ), place as materialized (
      select q.tenant_id,
        case
          when ${named} is null then ${fixedFragment(manufacturingPlaceId)}
          else (select id from storage_places where tenant_id = q.tenant_id and id = ${named} limit 1)
        end as id,
        coalesce((select true from storage_places where tenant_id = q.tenant_id limit 1), false) as has_places
      from (select ${tenant} as tenant_id) q
    ), unknown as materialized (
      -- Stock entries that do not repeat the expiry date of their batch yet.
      select exists (
        select from stock_levels where tenant_id = ${tenant} and batch_id is not null and expires_on is null limit 1
      ) as is_any
    )
    select place.id::text as place_id, place.has_places, part.*
    from place
    left join lateral (
      select v.id::text as id, v.item_id::text as item_id, v.sku, v.title, v.purchase_price::text as purchase_price,
        cost_ratio(b.value, b.quantity)::text as average_cost,
        greatest(
          b.quantity - b.quarantine_quantity - coalesce(e.quantity, 0) - coalesce(l.reserved_quantity, 0), 0
        )::text as available,
        case when n.recipe_id is not null then (
          select concat('', string_agg(concat(item_variant_id, ':', quantity), ' ')) from recipe_materials
          where tenant_id = r.tenant_id and recipe_id = n.recipe_id
        ) end as materials,
        preferred.supplier_id::text as supplier_id, preferred.id::text as supplier_item_id
      from (select * from reached limit ${COMPONENTS_MAX + 2}) r
      cross join lateral (${fixedFragment(variantRow('r.tenant_id', 'r.id'))}) v
      cross join lateral (select ${recipe} as recipe_id offset 0) n
      left join lateral (${fixedFragment(preferredRow('r.tenant_id', 'r.id'))}) preferred on true
      left join lateral (
        select * from stock_balances
        where tenant_id = r.tenant_id and item_variant_id = r.id and place_key = coalesce(place.id, 0) limit 1
      ) b on true
      left join lateral (
        select reserved_quantity from stock_levels
        where tenant_id = r.tenant_id and item_variant_id = r.id and place_key = coalesce(place.id, 0) and batch_key = 0
        limit 1
      ) l on true
      left join lateral (
        select sum(quantity) as quantity from (
          select s.quantity - s.quarantine_quantity as quantity from stock_levels s
          where ${toPick} and s.expires_on < ${fixedFragment(today)}
          union all
          select s.quantity - s.quarantine_quantity from stock_levels s
          where (select is_any from unknown) and ${toPick} and s.expires_on is null
            and ${fixedFragment(expiryOf('s'))} < ${fixedFragment(today)}
        ) expired
      ) e on true
    ) part on true
  `)
  return {
    placeId: found[0]?.place_id ?? null,
    hasPlaces: found[0]?.has_places ?? false,
    parts: found.flatMap(row => (row.id === null ? [] : [partOf(row, row.id)])),
  }
}

/** Stock of batches `s` outside of quarantine, of the variant `r` at the place: in the order of an index by expiry dates. */
const toPick = fixedFragment(`
  s.tenant_id = r.tenant_id and s.item_variant_id = r.id and s.place_key = coalesce(place.id, 0)
  and s.batch_id is not null and s.quantity > s.quarantine_quantity`)

/** The id of the recipe that counts for the variant `v`. */
const recipe = fixedFragment(`coalesce(${ownRecipe}, ${itemRecipe})`)

const AVERAGE_TO_MICRO = powerOfTen(MICRO_PLACES - COST_PLACES)

function partOf(row: PartRow, id: string): Part {
  const average: Cost | null = row.average_cost === null ? null : parseScaled(row.average_cost, COST_PLACES)
  const price = row.purchase_price === null ? null : parseMicro(row.purchase_price)
  return {
    id,
    itemId: row.item_id ?? '',
    sku: row.sku,
    title: row.title ?? '',
    name: row.sku ?? row.title ?? '',
    unitCost: average === null ? price : average * AVERAGE_TO_MICRO,
    available: parseMicro(row.available ?? '0'),
    supplierId: row.supplier_id,
    supplierItemId: row.supplier_item_id,
    materials: row.materials === null ? null : row.materials.split(' ').filter(Boolean).map(materialOf),
  }
}

function materialOf(text: string): { readonly id: string; readonly quantity: Micro } {
  const [id = '', quantity = ''] = text.split(':')
  return { id, quantity: parseMicro(quantity) }
}
