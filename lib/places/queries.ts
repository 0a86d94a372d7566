/**
 * The SQL of storage places: pages of the list, and what the creation reads and writes. It must not decide anything.
 */
import * as v from 'valibot'
import type { Json, Row } from '../api/endpoint.ts'
import { pageRows, sameKey } from '../api/list-page.ts'
import { type Connection, jsonParameter, object, rows, sql } from '../store/postgres.ts'
import type { PlaceSurroundings, PlaceValues } from './rules.ts'
import type { StoragePlaceFilters } from './schemas.ts'

/** JSON of the storage place `p`: the list, the creation's answer and the event show it so. */
const placeDocument = object(sql.fragment`select
  p.id::text as id,
  p.title,
  p.code,
  p.is_main,
  p.manufacturing_allowed,
  p.sales_allowed,
  p.purchase_allowed,
  case when p.address is not null then ${object(sql.fragment`select
    p.address -> 'line_1' as line_1,
    p.address -> 'line_2' as line_2,
    p.address -> 'city' as city,
    p.address -> 'region' as region,
    p.address -> 'zip' as zip,
    p.address -> 'country_code' as country_code
  `)} end as address,
  p.external_ref,
  p.archived,
  iso(p.created_at) as created_at,
  iso(p.updated_at) as updated_at
`)

/** A page of storage places in id order. */
export async function listPlaces(
  connection: Connection,
  {
    tenantId,
    filters,
    after,
    limit,
  }: {
    readonly tenantId: string
    readonly filters: StoragePlaceFilters
    readonly after: string | null
    readonly limit: number
  },
): Promise<readonly Row[]> {
  const same = sameKey('external_ref', filters.external_ref)
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select p.id::text as id, ${placeDocument}::text as document
    from ${pageRows({ table: 'storage_places', tenantId, after, limit, same }, 'p')}
    order by p.id
  `)
}

/** What a new place meets. Under the tenant's row lock, so it still holds when the place is written. */
export async function loadPlaceSurroundings(
  connection: Connection,
  { tenantId, externalRef }: { readonly tenantId: string; readonly externalRef: string | null },
): Promise<PlaceSurroundings> {
  return connection.one(rows(v.object({ hasMain: v.boolean(), externalRefTakenBy: v.nullable(v.string()) }))`
    select
      exists (select from storage_places where tenant_id = ${tenantId}::bigint and is_main) as "hasMain",
      (
        select id::text from storage_places where tenant_id = ${tenantId}::bigint and external_ref = ${externalRef}
      ) as "externalRefTakenBy"
  `)
}

/** Writes a new place and renders it. */
export async function insertPlace(
  connection: Connection,
  { tenantId, now }: { readonly tenantId: string; readonly now: string },
  place: PlaceValues,
): Promise<Json> {
  const address = place.address === null ? null : jsonParameter(place.address)
  const { document } = await connection.one(rows(v.object({ document: v.string() }))`
    with p as (
      insert into storage_places (
        tenant_id, title, code, is_main, manufacturing_allowed, sales_allowed, purchase_allowed, address, external_ref,
        created_at, updated_at
      ) values (
        ${tenantId}::bigint, ${place.title}, ${place.code}, ${place.is_main}, ${place.manufacturing_allowed},
        ${place.sales_allowed}, ${place.purchase_allowed}, ${address}::jsonb, ${place.external_ref},
        ${now}::timestamptz, ${now}::timestamptz
      )
      returning *
    )
    select ${placeDocument}::text as document from p
  `)
  return document
}
