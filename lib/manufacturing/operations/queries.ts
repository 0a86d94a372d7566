/**
 * The SQL of operations: their document, pages of the list, and what the commands read and write. It must not decide
 * anything.
 */
import * as v from 'valibot'
import type { Json, Row } from '../../api/endpoint.ts'
import { pageRows, sameKey } from '../../api/list-page.ts'
import { type Connection, type Fragment, object, rows, sql } from '../../store/postgres.ts'
import type { OperationSurroundings } from './rules.ts'
import type { NewOperation, OperationFilters } from './schemas.ts'

/** JSON of the operation `o` with the unit name `u.name`: GET, the list and the commands' answers show it so. */
const operationDocument = object(sql.fragment`select
  o.id::text as id,
  o.title,
  o.position,
  trim_scale(o.cost_per_hour) as cost_per_hour,
  o.unit_id::text as unit_id,
  u.name as unit_name,
  o.external_ref,
  iso(o.created_at) as created_at,
  iso(o.updated_at) as updated_at
`)

const unitOf = sql.fragment`
  left join lateral (select * from units where tenant_id = o.tenant_id and id = o.unit_id limit 1) u on true`
const withUnit = sql.fragment`operations o ${unitOf}`

type Wanted = { readonly tenantId: string; readonly id: string }

/** The operation's document, or null when the tenant has no such operation. */
export async function findOperation(connection: Connection, { tenantId, id }: Wanted): Promise<Json | null> {
  const row = await connection.maybeOne(rows(v.object({ document: v.string() }))`
    select ${operationDocument}::text as document from ${withUnit}
    where o.tenant_id = ${tenantId}::bigint and o.id = ${id}::bigint
  `)
  return row?.document ?? null
}

/** A page of operations in id order. */
export async function listOperations(
  connection: Connection,
  page: {
    readonly tenantId: string
    readonly filters: OperationFilters
    readonly after: string | null
    readonly limit: number
  },
): Promise<readonly Row[]> {
  const { filters, ...of } = page
  const found = pageRows({ table: 'operations', ...of, same: sameKey('external_ref', filters.external_ref) }, 'o')
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select o.id::text as id, ${operationDocument}::text as document
    from ${found} ${unitOf}
    order by o.id
  `)
}

/** What a new operation meets. Under the tenant's row lock, so it still holds when the operation is written. */
export async function loadOperationSurroundings(
  connection: Connection,
  { tenantId, externalRef }: { readonly tenantId: string; readonly externalRef: string | null },
): Promise<OperationSurroundings> {
  return connection.one(rows(v.object({ external_ref_taken_by: v.nullable(v.string()) }))`
    select (
      select id::text from operations where tenant_id = ${tenantId}::bigint and external_ref = ${externalRef}
    ) as external_ref_taken_by
  `)
}

const StoredRow = v.object({
  title: v.string(),
  cost_per_hour: v.string(),
  position: v.number(),
  unit_name: v.nullable(v.string()),
  external_ref: v.nullable(v.string()),
  external_ref_taken_by: v.nullable(v.string()),
  document: v.string(),
})

/** The operation as it is, with what its change meets; null when the tenant has no such operation. */
export async function loadOperation(
  connection: Connection,
  wanted: Wanted & { readonly externalRef: string | null },
): Promise<(OperationSurroundings & { readonly stored: NewOperation; readonly document: Json }) | null> {
  const row = await connection.maybeOne(rows(StoredRow)`
    select o.title, o.cost_per_hour::text, o.position, u.name as unit_name, o.external_ref,
      (
        select other.id::text from operations other
        where other.tenant_id = o.tenant_id and other.external_ref = ${wanted.externalRef} and other.id <> o.id
      ) as external_ref_taken_by,
      ${operationDocument}::text as document
    from ${withUnit}
    where o.tenant_id = ${wanted.tenantId}::bigint and o.id = ${wanted.id}::bigint
  `)
  if (row === null) return null
  const { external_ref_taken_by, document, ...stored } = row
  return { stored, document, external_ref_taken_by }
}

type Write = { readonly tenantId: string; readonly now: string; readonly values: NewOperation }

/** `u`: the unit of this name, made where there is none yet; without a name, none. */
const unitWrite = ({ tenantId, values: { unit_name: name } }: Write): Fragment => sql.fragment`
  known_unit as (
    select id from units where tenant_id = ${tenantId}::bigint and name = ${name}
  ), made_unit as (
    insert into units (tenant_id, name)
    select ${tenantId}::bigint, ${name} where ${name}::text is not null and not exists (select from known_unit)
    returning id
  ), u as (
    select coalesce((select id from known_unit), (select id from made_unit)) as id, ${name}::text as name
  )`

/** Writes a new operation, with its unit where that is new, and renders it. */
export async function insertOperation(connection: Connection, write: Write): Promise<Json> {
  const { tenantId, now, values } = write
  const { document } = await connection.one(rows(v.object({ document: v.string() }))`
    with ${unitWrite(write)}, o as (
      insert into operations (
        tenant_id, title, position, cost_per_hour, unit_id, external_ref, created_at, updated_at
      )
      select
        ${tenantId}::bigint, ${values.title}, ${values.position}::integer, ${values.cost_per_hour}::numeric, u.id,
        ${values.external_ref}, ${now}::timestamptz, ${now}::timestamptz
      from u
      returning *
    )
    select ${operationDocument}::text as document from o, u
  `)
  return document
}

/** Writes an operation's new values, with its unit where that is new, and renders it. */
export async function updateOperation(connection: Connection, write: Write & { readonly id: string }): Promise<Json> {
  const { tenantId, now, values } = write
  const { document } = await connection.one(rows(v.object({ document: v.string() }))`
    with ${unitWrite(write)}, o as (
      update operations set
        title = ${values.title}, position = ${values.position}::integer, cost_per_hour = ${values.cost_per_hour}::numeric,
        unit_id = u.id, external_ref = ${values.external_ref}, updated_at = ${now}::timestamptz
      from u
      where operations.tenant_id = ${tenantId}::bigint and operations.id = ${write.id}::bigint
      returning operations.*
    )
    select ${operationDocument}::text as document from o, u
  `)
  return document
}
