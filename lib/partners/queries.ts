/**
 * The SQL of suppliers and customers: their document, pages of the lists, and what the commands read and write. It must not
 * decide anything.
 */
import * as v from 'valibot'
import type { Json, Row } from '../api/endpoint.ts'
import { pageRows, sameKey } from '../api/list-page.ts'
import { type Connection, object, rows, sql } from '../store/postgres.ts'
import type { PartnerKind } from './kinds.ts'
import type { PartnerSurroundings, PartnerValues } from './rules.ts'
import type { PartnerFilters } from './schemas.ts'

/** JSON of the partner `p`: GET, the list and the commands' answers show it so. */
const partnerDocument = object(sql.fragment`select
  p.id::text as id,
  p.title,
  p.country_code,
  p.email,
  p.phone,
  p.tax_number,
  p.currency,
  p.external_ref,
  p.archived,
  iso(p.created_at) as created_at,
  iso(p.updated_at) as updated_at
`)

/** JSON of the partner `p` as an order shows it: `{ id, title, country_code? }`. */
export const partnerSummary = object(sql.fragment`select
  p.id::text as id, p.title, p.country_code
`)

const tableOf = (kind: PartnerKind) => sql.identifier([kind.table])

/** The partner's document, or null when the tenant has no such partner. */
export async function findPartner(
  connection: Connection,
  kind: PartnerKind,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<Json | null> {
  const row = await connection.maybeOne(rows(v.object({ document: v.string() }))`
    select ${partnerDocument}::text as document
    from ${tableOf(kind)} p where p.tenant_id = ${tenantId}::bigint and p.id = ${id}::bigint
  `)
  return row?.document ?? null
}

/** A page of partners in id order. The flag is written out rather than bound, so that the partial index serves. */
export async function listPartners(
  connection: Connection,
  kind: PartnerKind,
  page: {
    readonly tenantId: string
    readonly filters: PartnerFilters
    readonly after: string | null
    readonly limit: number
  },
): Promise<readonly Row[]> {
  const { filters, ...of } = page
  const { archived } = filters
  const and =
    archived === undefined ? sql.fragment`` : archived ? sql.fragment`and r.archived` : sql.fragment`and not r.archived`
  const same = sameKey('external_ref', filters.external_ref)
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select p.id::text as id, ${partnerDocument}::text as document
    from ${pageRows({ table: kind.table, ...of, same, and }, 'p')}
    order by p.id
  `)
}

/** What a new partner meets. Under the tenant's row lock, so it still holds when the partner is written. */
export async function loadPartnerSurroundings(
  connection: Connection,
  kind: PartnerKind,
  { tenantId, externalRef }: { readonly tenantId: string; readonly externalRef: string | null },
): Promise<PartnerSurroundings> {
  return connection.one(rows(v.object({ externalRefTakenBy: v.nullable(v.string()) }))`
    select (
      select id::text from ${tableOf(kind)} where tenant_id = ${tenantId}::bigint and external_ref = ${externalRef}
    ) as "externalRefTakenBy"
  `)
}

const StoredRow = v.object({
  title: v.string(),
  country_code: v.nullable(v.string()),
  email: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  tax_number: v.nullable(v.string()),
  currency: v.nullable(v.string()),
  external_ref: v.nullable(v.string()),
  archived: v.boolean(),
  external_ref_taken_by: v.nullable(v.string()),
  document: v.string(),
})

/** The partner as it is, with what its change meets; null when the tenant has no such partner. */
export async function loadPartner(
  connection: Connection,
  kind: PartnerKind,
  wanted: { readonly tenantId: string; readonly id: string; readonly externalRef: string | null },
): Promise<(PartnerSurroundings & { readonly stored: PartnerValues; readonly document: Json }) | null> {
  const row = await connection.maybeOne(rows(StoredRow)`
    select p.title, p.country_code, p.email, p.phone, p.tax_number, p.currency, p.external_ref, p.archived,
      (
        select other.id::text from ${tableOf(kind)} other
        where other.tenant_id = p.tenant_id and other.external_ref = ${wanted.externalRef} and other.id <> p.id
      ) as external_ref_taken_by,
      ${partnerDocument}::text as document
    from ${tableOf(kind)} p
    where p.tenant_id = ${wanted.tenantId}::bigint and p.id = ${wanted.id}::bigint
  `)
  if (row === null) return null
  const { external_ref_taken_by: externalRefTakenBy, document, ...stored } = row
  return { stored, document, externalRefTakenBy }
}

/** Writes a new partner and renders it. */
export async function insertPartner(
  connection: Connection,
  kind: PartnerKind,
  { tenantId, now, values }: { readonly tenantId: string; readonly now: string; readonly values: PartnerValues },
): Promise<Json> {
  const { document } = await connection.one(rows(v.object({ document: v.string() }))`
    with p as (
      insert into ${tableOf(kind)} (
        tenant_id, title, country_code, email, phone, tax_number, currency, external_ref, archived, created_at, updated_at
      ) values (
        ${tenantId}::bigint, ${values.title}, ${values.country_code}, ${values.email}, ${values.phone}, ${values.tax_number},
        ${values.currency}, ${values.external_ref}, ${values.archived}, ${now}::timestamptz, ${now}::timestamptz
      )
      returning *
    )
    select ${partnerDocument}::text as document from p
  `)
  return document
}

/** Writes a partner's new values and renders it. */
export async function updatePartner(
  connection: Connection,
  kind: PartnerKind,
  change: { readonly tenantId: string; readonly id: string; readonly now: string; readonly values: PartnerValues },
): Promise<Json> {
  const { values } = change
  const { document } = await connection.one(rows(v.object({ document: v.string() }))`
    with p as (
      update ${tableOf(kind)} set
        title = ${values.title}, country_code = ${values.country_code}, email = ${values.email}, phone = ${values.phone},
        tax_number = ${values.tax_number}, currency = ${values.currency}, external_ref = ${values.external_ref},
        archived = ${values.archived}, updated_at = ${change.now}::timestamptz
      where tenant_id = ${change.tenantId}::bigint and id = ${change.id}::bigint
      returning *
    )
    select ${partnerDocument}::text as document from p
  `)
  return document
}
