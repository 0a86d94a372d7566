/**
 * Whether a new document's number and external_ref are free: the look-up for its load, and the refusal. It must not know what
 * the document is (contract 1, "Document numbers", "external_ref").
 */
import * as v from 'valibot'
import { invalid, type Refusal } from '../api/errors.ts'
import { type Fragment, sql } from '../store/postgres.ts'

/** What `takenLookup` answers. */
export const Taken = v.object({ number_taken: v.boolean(), external_ref_taken: v.boolean() })
export type Taken = v.InferOutput<typeof Taken>

/** A scalar for the document's load: JSON of `Taken`. The table has both unique per tenant. */
export function takenLookup(document: {
  readonly table: string
  readonly tenantId: string
  readonly number: string
  readonly externalRef: string | null
}): Fragment {
  const table = sql.identifier([document.table])
  const ofTenant = sql.fragment`tenant_id = ${document.tenantId}::bigint`
  return sql.fragment`json_build_object(
    'number_taken', exists (select from ${table} where ${ofTenant} and number = ${document.number}),
    'external_ref_taken', exists (select from ${table} where ${ofTenant} and external_ref = ${document.externalRef})
  )`
}

/** Refuses `validation_failed` for a number or an external_ref that another document of the kind has. */
export function refuseTaken(taken: Taken): Refusal | null {
  if (taken.number_taken) return invalid('number', 'is taken')
  if (taken.external_ref_taken) return invalid('external_ref', 'is taken')
  return null
}
