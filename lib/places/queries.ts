/**
 * The SQL of storage places: pages of the list, and what the creation reads and writes. It must not decide anything.
 */
import * as v from 'valibot'
import type { Json, Row } from '../api/endpoint.ts'
import { pageRows, sameKey } from '../api/list-page.ts'
import { type Connection, jsonParameter, rows, sql } from '../store/postgres.ts'
import type { PlaceSurroundings, PlaceValues } from './rules.ts'
import type { StoragePlaceFilters } from './schemas.ts'

/** JSON of the storage place `p`: the list, the creation's answer and the event show it so. */
const placeDocument = sql.fragment`json_build_object(
  'id', p.id::text,
  'title', p.title,
  'code', p.code,
  'is_main', p.is_main,
  'manufacturing_allowed', p.manufacturing_allowed,
  'sales_allowed', p.sales_allowed,
  'purchase_allowed', p.purchase_allowed,
  'address', case when p.address is not null then json_build_object(
    'line_1', p.address -> 'line_1',
    'line_2', p.address -> 'line_2',
    'city', p.address -> 'city',
    'region', p.address -> 'region',
    'zip', p.address -> 'zip',
    'country_code', p.address -> 'country_code'
  ) end,
  'external_ref', p.external_ref,
  'archived', p.archived,
  'created_at', iso(p.created_at),
  'updated_at', iso(p.updated_at)
)`

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
  return connection.one(rows(v.object({ hasMain: v.boolean(), externalRefTaken: v.boolean() }))`
    select
      exists (select from storage_places where tenant_id = ${tenantId}::bigint and is_main) as "hasMain",
      exists (
        select from storage_places where tenant_id = ${tenantId}::bigint and external_ref = ${externalRef}
      ) as "externalRefTaken"
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
