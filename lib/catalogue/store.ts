/**
 * What the product commands read before they decide and write afterwards: one statement each, whatever the number of
 * variants. It must not decide anything. Every statement runs under the tenant's row lock, so what was loaded still holds
 * when it is written.
 */
import * as v from 'valibot'
import type { Json } from '../api/endpoint.ts'
import { type Connection, type Fragment, jsonParameter, rows, sql } from '../store/postgres.ts'
import type { Change, StoredProduct, StoredVariant } from './change-rules.ts'
import { productDocument } from './product-document.ts'
import type { Creation, Surroundings } from './rules.ts'
import { VARIANTS_PER_PRODUCT_MAX } from './schemas.ts'

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
  taken_skus: v.array(v.string()),
  external_ref_taken: v.boolean(),
  active_variants: v.nullable(v.string()),
  unit_id: v.nullable(v.string()),
}
const SurroundingRow = v.object(surroundingColumns)

function surroundingsOf(row: v.InferOutput<typeof SurroundingRow>): Surroundings & { readonly unitId: string | null } {
  return {
    takenSkus: row.taken_skus,
    externalRefTaken: row.external_ref_taken,
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
    array(
      select taken.active_sku from item_variants taken
      where taken.tenant_id = ${tenant} and taken.item_id <> ${itemId} and taken.active_sku = any (
        ${sql.array([...skus], 'text')}
        || array(select own.sku from item_variants own where own.tenant_id = ${tenant} and own.item_id = ${itemId})
      )
    ) as taken_skus,
    exists (
      select from items other where other.tenant_id = ${tenant} and other.external_ref = ${externalRef} and other.id <> ${itemId}
    ) as external_ref_taken,
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
  select from item_variants v join stock_levels l on l.tenant_id = v.tenant_id and l.item_variant_id = v.id
  where v.tenant_id = i.tenant_id and v.item_id = i.id and l.quantity > 0
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
    from items i join units u on u.tenant_id = i.tenant_id and u.id = i.unit_id
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

export type Written = { readonly document: Json }

type Stamp = { readonly tenantId: string; readonly now: string; readonly unitId: string | null }

/** The unit's id: the known one, else that of a unit made in this statement. */
function unit({ tenantId, unitId }: Stamp, name: string): Fragment {
  return sql.fragment`
    made_unit as (
      insert into units (tenant_id, name)
      select ${tenantId}::bigint, ${name} where ${unitId}::bigint is null
      returning id
    ), u as (
      select coalesce(${unitId}::bigint, (select id from made_unit)) as id, ${name}::text as name
    )`
}

/** Inserts variants of the item of relation `i`, in the order given, so that their ids ascend in it. */
function addedVariants({ tenantId, now }: Stamp, variants: Change['added']): Fragment {
  return sql.fragment`
    added as (
      insert into item_variants (
        tenant_id, item_id, title, sku, barcode, price, purchase_price, minimum_stock, attributes, archived, active,
        created_at, updated_at
      )
      select
        ${tenantId}::bigint, i.id, n.title, n.sku, n.barcode, n.price, n.purchase_price, n.minimum_stock, n.attributes,
        n.archived, not n.archived and not i.archived, ${now}::timestamptz, ${now}::timestamptz
      from i, rows from (
        jsonb_to_recordset(${jsonParameter(variants)}::jsonb) as (
          title text, sku text, barcode text, price numeric, purchase_price numeric, minimum_stock numeric,
          attributes jsonb, archived boolean
        )
      ) with ordinality as n (
        title, sku, barcode, price, purchase_price, minimum_stock, attributes, archived, position
      )
      order by n.position
      returning *
    )`
}

/** Writes a new product with its variants, and its unit when it is new. */
export async function insertProduct(
  connection: Connection,
  stamp: Stamp,
  { item, variants }: Creation,
): Promise<Written> {
  return connection.one(rows(v.object({ document: v.string() }))`
    with ${unit(stamp, item.unit_name)}, i as (
      insert into items (
        tenant_id, title, type, description, category, unit_id, is_sellable, is_producible, is_purchasable, batch_tracked,
        shelf_life_days, external_ref, archived, created_at, updated_at
      )
      select
        ${stamp.tenantId}::bigint, ${item.title}, ${item.type}, ${item.description}, ${item.category}, u.id,
        ${item.is_sellable}, ${item.is_producible}, ${item.is_purchasable}, ${item.batch_tracked},
        ${item.shelf_life_days}::integer, ${item.external_ref}, ${item.archived},
        ${stamp.now}::timestamptz, ${stamp.now}::timestamptz
      from u
      returning *
    ), ${addedVariants(stamp, variants)}
    select ${productDocument(sql.fragment`added`)}::text as document from i, u
  `)
}

/**
 * Writes a product's change. The same statement renders the product before (the tables, which a statement sees as they were)
 * and after (the rows that it writes); `previous` holds the old values of the fields that differ.
 */
export async function updateProduct(
  connection: Connection,
  stamp: Stamp & { readonly id: string },
  { item, changed, added }: Change,
): Promise<Written & { readonly previous: Json }> {
  const tenant = sql.fragment`${stamp.tenantId}::bigint`
  return connection.one(rows(v.object({ document: v.string(), previous: v.string() }))`
    with ${unit(stamp, item.unit_name)}, i as (
      update items set
        title = ${item.title}, description = ${item.description}, category = ${item.category}, unit_id = u.id,
        is_sellable = ${item.is_sellable}, is_producible = ${item.is_producible},
        is_purchasable = ${item.is_purchasable}, batch_tracked = ${item.batch_tracked},
        shelf_life_days = ${item.shelf_life_days}::integer, external_ref = ${item.external_ref},
        archived = ${item.archived}, updated_at = ${stamp.now}::timestamptz
      from u
      where items.tenant_id = ${tenant} and items.id = ${stamp.id}::bigint
      returning items.*
    ), changed as (
      update item_variants stored set
        title = n.title, sku = n.sku, barcode = n.barcode, price = n.price, purchase_price = n.purchase_price,
        minimum_stock = n.minimum_stock, attributes = n.attributes, archived = n.archived,
        active = not n.archived and not i.archived,
        updated_at = case when n.touched then ${stamp.now}::timestamptz else stored.updated_at end
      from i, jsonb_to_recordset(${jsonParameter(changed)}::jsonb) as n (
        id bigint, title text, sku text, barcode text, price numeric, purchase_price numeric, minimum_stock numeric,
        attributes jsonb, archived boolean, touched boolean
      )
      where stored.tenant_id = ${tenant} and stored.id = n.id
      returning stored.*
    ), ${addedVariants(stamp, added)}, variants as (
      select * from changed
      union all select * from added
      union all select same.* from item_variants same
      where same.tenant_id = ${tenant} and same.item_id = ${stamp.id}::bigint
        and not exists (select from changed where changed.id = same.id)
    ), after as (
      select ${productDocument(sql.fragment`variants`)} as document from i, u
    ), before as (
      select ${productDocument()} as document
      from items i join units u on u.tenant_id = i.tenant_id and u.id = i.unit_id
      where i.tenant_id = ${tenant} and i.id = ${stamp.id}::bigint
    )
    select after.document::text as document, changed_fields(before.document, after.document)::text as previous
    from before, after
  `)
}
