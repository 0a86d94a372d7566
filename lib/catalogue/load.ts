/**
 * What the product commands read before they decide: one statement each, whatever the number of variants. It must not write
 * or decide. It runs under the tenant's row lock, so what it finds still holds when the command writes.
 */
import * as v from 'valibot'
import { type Connection, type Fragment, rows, sql } from '../store/postgres.ts'
import type { Surroundings, TakenSku } from './rules.ts'
import { VARIANTS_PER_PRODUCT_MAX } from './schemas.ts'
import type { StoredProduct, StoredVariant } from './variant-plan.ts'

/** Whose catalogue, and what a body asks about. */
export type Question = {
  readonly tenantId: string
  /** Whether unarchived variants are to be counted. */
  readonly limited: boolean
  readonly freePlanVariantsMax: number
  readonly skus: readonly string[]
  readonly externalRef: string | null
  readonly unitName: string | null
}

const surroundingColumns = {
  taken_skus: v.string(),
  external_ref_taken_by: v.nullable(v.string()),
  active_variants: v.nullable(v.string()),
  unit_id: v.nullable(v.string()),
}
const SurroundingRow = v.object(surroundingColumns)

function surroundingsOf(row: v.InferOutput<typeof SurroundingRow>): Surroundings & { readonly unitId: string | null } {
  return {
    takenSkus: JSON.parse(row.taken_skus) as TakenSku[],
    externalRefTakenBy: row.external_ref_taken_by,
    activeVariants: row.active_variants === null ? null : Number(row.active_variants),
    unitId: row.unit_id,
  }
}

/**
 * Columns of the surroundings. `itemId` is the product that does not stand in its own way (0: none). The count stops where
 * it cannot matter any more: one product's variants above the limit.
 */
function surroundings(question: Question, itemId: Fragment, unitName: Fragment): Fragment {
  const { tenantId, limited, freePlanVariantsMax, skus, externalRef } = question
  const tenant = sql.fragment`${tenantId}::bigint`
  return sql.fragment`
    (
      select coalesce(json_agg(json_build_object(
        'sku', taken.active_sku, 'id', taken.id::text, 'item_id', taken.item_id::text
      )), '[]')::text
      from unnest(
        ${sql.array([...skus], 'text')}
        || array(select own.sku from item_variants own where own.tenant_id = ${tenant} and own.item_id = ${itemId})
      ) as asked (sku)
      cross join lateral (
        select variant.active_sku, variant.id, variant.item_id from item_variants variant
        where variant.tenant_id = ${tenant} and variant.active_sku = asked.sku limit 1
      ) taken
      where taken.item_id <> ${itemId}
    ) as taken_skus,
    (
      select other.id::text from items other
      where other.tenant_id = ${tenant} and other.external_ref = ${externalRef} and other.id <> ${itemId}
    ) as external_ref_taken_by,
    case when ${limited} then (
      select count(*) from (
        select from item_variants counted where counted.tenant_id = ${tenant} and counted.active
        limit ${freePlanVariantsMax + VARIANTS_PER_PRODUCT_MAX + 1}
      ) counted
    ) end as active_variants,
    (select unit.id::text from units unit where unit.tenant_id = ${tenant} and unit.name = ${unitName}) as unit_id`
}

/** What a new product meets; the unit's id when the tenant has a unit of that name. */
export async function loadSurroundings(connection: Connection, question: Question) {
  const row = await connection.one(
    rows(SurroundingRow)`select ${surroundings(question, sql.fragment`0`, sql.fragment`${question.unitName}`)}`,
  )
  return surroundingsOf(row)
}

const StoredRow = v.object({ ...surroundingColumns, item: v.string(), variants: v.string(), has_stock: v.boolean() })

/** Whether any variant of the item `i` has physical stock. */
const hasStock = sql.fragment`exists (
  select from item_variants v
  cross join lateral (
    select from stock_levels l where l.tenant_id = v.tenant_id and l.item_variant_id = v.id and l.quantity > 0 limit 1
  ) in_stock
  where v.tenant_id = i.tenant_id and v.item_id = i.id
)`

/**
 * The product as it is, with what its change meets; null when the tenant has no such product. Stock is looked for only on
 * `asksForStock`: most changes don't depend on it.
 */
export async function loadProduct(
  connection: Connection,
  question: Question & { readonly id: string; readonly asksForStock: boolean },
) {
  const row = await connection.maybeOne(rows(StoredRow)`
    select
      json_build_object(
        'title', i.title, 'description', i.description, 'category', i.category, 'unit_name', u.name,
        'is_sellable', i.is_sellable, 'is_producible', i.is_producible, 'is_purchasable', i.is_purchasable,
        'batch_tracked', i.batch_tracked, 'shelf_life_days', i.shelf_life_days, 'external_ref', i.external_ref,
        'archived', i.archived
      )::text as item,
      (
        select coalesce(json_agg(json_build_object(
          'id', v.id::text, 'title', v.title, 'sku', v.sku, 'barcode', v.barcode,
          'price', trim_scale(v.price)::text, 'purchase_price', trim_scale(v.purchase_price)::text,
          'minimum_stock', trim_scale(v.minimum_stock)::text, 'attributes', v.attributes, 'archived', v.archived
        ) order by v.id), '[]')::text
        from item_variants v where v.tenant_id = i.tenant_id and v.item_id = i.id
      ) as variants,
      ${question.asksForStock} and ${hasStock} as has_stock,
      ${surroundings(question, sql.fragment`i.id`, sql.fragment`coalesce(${question.unitName}, u.name)`)}
    from items i
    cross join lateral (select * from units where tenant_id = i.tenant_id and id = i.unit_id limit 1) u
    where i.tenant_id = ${question.tenantId}::bigint and i.id = ${question.id}::bigint
  `)
  if (row === null) return null
  const product: StoredProduct = {
    item: JSON.parse(row.item) as StoredProduct['item'],
    variants: JSON.parse(row.variants) as StoredVariant[],
    hasStock: row.has_stock,
  }
  return { product, surroundings: surroundingsOf(row) }
}
