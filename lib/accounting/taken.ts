/**
 * Who has the number and the external_ref that a record wants: the look-up for a new document's load, and the refusal. It must
 * not know what the record is (contract 1, "Document numbers", "external_ref").
 */
import * as v from 'valibot'
import { invalid, type Refusal } from '../api/errors.ts'
import { type Fragment, sql } from '../store/postgres.ts'

/** What `takenLookup` answers: ids of documents, null where none has it. */
export const Taken = v.object({
  number_taken_by: v.nullable(v.string()),
  external_ref_taken_by: v.nullable(v.string()),
})
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
    'number_taken_by', (select id::text from ${table} where ${ofTenant} and number = ${document.number}),
    'external_ref_taken_by', (select id::text from ${table} where ${ofTenant} and external_ref = ${document.externalRef})
  )`
}

/** Refuses `validation_failed` for a number or an external_ref that another document of the kind has. */
export function refuseTaken(taken: Taken): Refusal | null {
  return refuseTakenBy('number', taken.number_taken_by) ?? refuseTakenBy('external_ref', taken.external_ref_taken_by)
}

/** Refuses `validation_failed` where another record has what the field wants; `by` is its id, or null. */
export function refuseTakenBy(field: 'number' | 'external_ref', by: string | null): Refusal | null {
  return by === null ? null : invalid(field, `is taken by ${by}`)
}
