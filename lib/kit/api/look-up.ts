/**
 * Looks up records by their ids, together with the tenant's last event number, which every answer to a read carries
 * (docs/rules/requests.md, "Following the changes").
 */
import * as v from 'valibot'
import { type Connection, rows } from '../../platform/postgres/postgres.ts'
import type { Query } from '../../platform/postgres/round-trip.ts'
import type { Json, Reader } from './endpoint.ts'

/** The number of the tenant's last event; 0 if there is none. */
export type LastEvent = { readonly event_sequence: string }

export const lastEvent = (tenantId: string): Query => ({
  text: 'select event_sequence from tenant_streams where tenant_id = $1::bigint',
  values: [tenantId],
})

/** The number of the key in the request; 1 for the first. */
export type Found = LastEvent & {
  /** The number of its key; 1 for the first. */
  readonly position: string
  readonly document: Json | null
}

/**
 * A statement for any number of records: one row of `Found` for each. Only `position` says which key a row belongs to. Each record is
 * looked up by its key, whatever number of records PostgreSQL expects.
 * @param document selects the JSON text of the row with `q.tenant_id` and `q.id`, which has this type
 */
export const lookUpText = (document: string, type: 'bigint' | 'text' = 'bigint'): string => `
  select q.position,
    (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence,
    (${document}) as document
  from unnest($1::bigint[], $2::${type}[]) with ordinality as q (tenant_id, id, position)`

export const lookUp = (text: string, keys: readonly { readonly tenantId: string; readonly id: string }[]): Query => ({
  text,
  values: [keys.map(({ tenantId }) => tenantId), keys.map(({ id }) => id)],
})

const found = () => rows(v.object({ event_sequence: v.string(), document: v.nullable(v.string()) }))``

/** The methods of a reader except `snapshot`, on a connection that shares no statements. */
export const readerOver = (connection: Connection, tenantId: string): Omit<Reader, 'snapshot'> => ({
  any: query => connection.any(query),
  one: query => connection.one(query),
  maybeOne: query => connection.maybeOne(query),
  lookUp: async (text, id) => (await connection.one({ ...found(), sql: text, values: [[tenantId], [id]] })).document,
})
