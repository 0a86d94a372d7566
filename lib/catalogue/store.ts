/**
 * What the product commands write after they decided: one statement each, whatever the number of variants, which also
 * renders the answer. It must not decide anything.
 */
import * as v from 'valibot'
import type { Json } from '../api/endpoint.ts'
import { type Connection, type Fragment, jsonParameter, rows, sql } from '../store/postgres.ts'
import type { Change } from './change-rules.ts'
import { productDocument } from './product-document.ts'
import type { Creation } from './rules.ts'

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
      from items i
      cross join lateral (select * from units where tenant_id = i.tenant_id and id = i.unit_id limit 1) u
      where i.tenant_id = ${tenant} and i.id = ${stamp.id}::bigint
    )
    select after.document::text as document, changed_fields(before.document, after.document)::text as previous
    from before, after
  `)
}
