/** The SQL of everything that the recipes of some variants use, with the stock at a place, in one statement. */
import * as v from 'valibot'
import {
  COST_PLACES,
  type ConversionRate,
  type Cost,
  MICRO_PLACES,
  type Micro,
  parseConversionRate,
  parseMicro,
  parseScaled,
  powerOfTen,
} from '../../platform/decimal.ts'
import { type Connection, type Fragment, fixedFragment, rows, sql } from '../../platform/postgres/postgres.ts'
import { parsePercent } from '../accounting/money.ts'
import type { Share } from '../manufacturing/recipes/need-rules.ts'
import { itemRecipe, ownRecipe, variantRow } from '../manufacturing/recipes/newest.ts'
import { preferredRow } from '../purchasing/supplier-items/current.ts'
import { exactUnits, inStockUnits, priceOfOne } from '../purchasing/unit-rules.ts'
import { type AskedPlace, placeParts, stockThere, usable } from './place.ts'

/** A variant that the caller asks for, or a material of one at any depth. */
export type Part = {
  readonly id: string
  readonly itemId: string
  readonly sku: string | null
  readonly title: string
  /** The name in messages. */
  readonly name: string
  /** The stock at the place that is neither quarantined, expired nor reserved; not below 0. */
  readonly available: Micro
  /** The stock that is neither quarantined nor expired, less the reserved, plus the expected quantity. It may be below 0. */
  readonly projected: Micro
  readonly minimumStock: Micro | null
  /** The average cost at the place, else the purchase price, in millionths. */
  readonly unitCost: Micro | null
  /** The order quantities and lead times. For a bought variant those of the preferred supplier's item come first. */
  readonly ordering: Ordering
  /** The supplier's item by which the variant is bought; null also for a variant that is made. */
  readonly preferred: Preferred | null
  /** Null: the variant has no recipe. */
  readonly materials: readonly { readonly id: string; readonly share: Share }[] | null
}

export type Ordering = {
  readonly leadTimeDays: number | null
  readonly minimum: Micro | null
  readonly multiple: Micro | null
}

export type Preferred = {
  readonly id: string
  readonly supplierId: string
  /** The price of a stock unit in the tenant's currency, rounded; null: there is no such price. */
  readonly price: Micro | null
}

/** The result of the statement. */
export type Reached = {
  /** Null: there is no such place. */
  readonly placeId: string | null
  readonly hasPlaces: boolean
  /** Whether minimum stocks apply: they apply to the main place. */
  readonly isMain: boolean
  readonly parts: readonly Part[]
}

const PartRow = v.object({
  place_id: v.nullable(v.string()),
  has_places: v.boolean(),
  is_main: v.boolean(),
  id: v.nullable(v.string()),
  item_id: v.nullable(v.string()),
  sku: v.nullable(v.string()),
  title: v.nullable(v.string()),
  purchase_price: v.nullable(v.string()),
  average_cost: v.nullable(v.string()),
  minimum_stock: v.nullable(v.string()),
  lead_time_days: v.nullable(v.number()),
  minimum_order_quantity: v.nullable(v.string()),
  order_multiple: v.nullable(v.string()),
  preferred_id: v.nullable(v.string()),
  supplier_id: v.nullable(v.string()),
  supplier_rate: v.nullable(v.string()),
  supplier_price: v.nullable(v.string()),
  supplier_minimum: v.nullable(v.string()),
  supplier_multiple: v.nullable(v.string()),
  supplier_lead_time_days: v.nullable(v.number()),
  available: v.nullable(v.string()),
  projected: v.nullable(v.string()),
  materials: v.nullable(v.string()),
})
type PartRow = v.InferOutput<typeof PartRow>

/**
 * UNION keeps each variant once: a part that is reached in many ways costs no more than one, and a circle ends.
 * @param asked `start` selects the variants to start from, as `id`; it may use the parts of `placeParts`. The statement reads `max` parts
 * and one more, which shows that there are too many.
 */
export async function reachedBy(
  connection: Connection,
  asked: AskedPlace & { readonly start: Fragment; readonly max: number },
): Promise<Reached> {
  const tenant = sql.fragment`${asked.tenantId}::bigint`
  const found = await connection.any(rows(PartRow)`
    with recursive ${placeParts(asked)}, reached (tenant_id, id) as (
      select ${tenant}, started.id from (${asked.start}) started
      union
      select r.tenant_id, line.item_variant_id
      from reached r
      cross join lateral (${fixedFragment(variantRow('r.tenant_id', 'r.id'))}) v
      cross join lateral (
        select item_variant_id from recipe_materials
        where tenant_id = r.tenant_id and recipe_id = ${countingRecipe}
        offset 0
      ) line
    )
    select place.id::text as place_id, place.has_places, place.is_main, part.*
    from place
    left join lateral (
      select v.id::text as id, v.item_id::text as item_id, v.sku, v.title, v.purchase_price::text as purchase_price,
        v.minimum_stock::text as minimum_stock, v.lead_time_days,
        v.minimum_order_quantity::text as minimum_order_quantity, v.order_multiple::text as order_multiple,
        preferred.id::text as preferred_id, preferred.supplier_id::text as supplier_id,
        preferred.conversion_rate::text as supplier_rate, preferred.minimum_quantity::text as supplier_minimum,
        preferred.multiple_of::text as supplier_multiple, preferred.lead_time_days as supplier_lead_time_days,
        case when coalesce(preferred.currency, place.currency) = place.currency then preferred.price end::text as supplier_price,
        cost_ratio(b.value, b.quantity)::text as average_cost,
        greatest(${usable} - coalesce(l.reserved_quantity, 0), 0)::text as available,
        (${usable} - coalesce(l.reserved_quantity, 0) + coalesce(l.expected_quantity, 0))::text as projected,
        case when n.recipe_id is not null then (
          select concat('', string_agg(concat_ws(':', item_variant_id, quantity, scrap_percent, (
            select output_quantity from recipes where tenant_id = r.tenant_id and id = n.recipe_id
          )), ' '))
          from recipe_materials where tenant_id = r.tenant_id and recipe_id = n.recipe_id
        ) end as materials
      from (select * from reached limit ${asked.max + 1}) r
      cross join lateral (${fixedFragment(variantRow('r.tenant_id', 'r.id'))}) v
      cross join lateral (select ${countingRecipe} as recipe_id offset 0) n
      left join lateral (${fixedFragment(preferredRow('r.tenant_id', 'r.id'))}) preferred on n.recipe_id is null
      ${stockThere}
    ) part on true
  `)
  const [first] = found
  return {
    placeId: first?.place_id ?? null,
    hasPlaces: first?.has_places ?? false,
    isMain: first?.is_main ?? false,
    parts: found.flatMap(row => (row.id === null ? [] : [partOf(row, row.id)])),
  }
}

/** The most materials of one variant, at all depths. */
export const COMPONENTS_MAX = 5_000

/** A `start` that selects one variant. */
export const oneVariant = (id: string): Fragment => sql.fragment`select ${id}::bigint as id`

/** The id of the current recipe of the variant `v`. */
export const countingRecipe = fixedFragment(`coalesce(${ownRecipe}, ${itemRecipe})`)

const AVERAGE_TO_MICRO = powerOfTen(MICRO_PLACES - COST_PLACES)
const microOrNull = (text: string | null): Micro | null => (text === null ? null : parseMicro(text))

/** Converts to stock units, rounded half up. */
const inStock = (quantity: string | null, rate: ConversionRate): Micro | null =>
  quantity === null ? null : inStockUnits(exactUnits(parseMicro(quantity), rate))

function preferredOf(row: PartRow): { readonly preferred: Preferred; readonly ordering: Ordering } | null {
  if (row.preferred_id === null || row.supplier_id === null || row.supplier_rate === null) return null
  const rate = parseConversionRate(row.supplier_rate)
  const price = microOrNull(row.supplier_price)
  return {
    preferred: {
      id: row.preferred_id,
      supplierId: row.supplier_id,
      price: price === null ? null : priceOfOne(price, rate),
    },
    ordering: {
      leadTimeDays: row.supplier_lead_time_days,
      minimum: inStock(row.supplier_minimum, rate),
      multiple: inStock(row.supplier_multiple, rate),
    },
  }
}

function partOf(row: PartRow, id: string): Part {
  const bought = preferredOf(row)
  const average: Cost | null = row.average_cost === null ? null : parseScaled(row.average_cost, COST_PLACES)
  return {
    id,
    itemId: row.item_id ?? '',
    sku: row.sku,
    title: row.title ?? '',
    name: row.sku ?? row.title ?? '',
    unitCost: average === null ? microOrNull(row.purchase_price) : average * AVERAGE_TO_MICRO,
    available: parseMicro(row.available ?? '0'),
    projected: parseMicro(row.projected ?? '0'),
    minimumStock: microOrNull(row.minimum_stock),
    ordering: {
      leadTimeDays: bought?.ordering.leadTimeDays ?? row.lead_time_days,
      minimum: bought?.ordering.minimum ?? microOrNull(row.minimum_order_quantity),
      multiple: bought?.ordering.multiple ?? microOrNull(row.order_multiple),
    },
    preferred: bought?.preferred ?? null,
    materials: row.materials === null ? null : row.materials.split(' ').filter(Boolean).map(materialOf),
  }
}

function materialOf(text: string): { readonly id: string; readonly share: Share } {
  const [id = '', quantity = '', scrap = '', output = ''] = text.split(':')
  return { id, share: { quantity: parseMicro(quantity), scrap: parsePercent(scrap), output: parseMicro(output) } }
}
