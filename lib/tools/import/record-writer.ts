/** Sends rows that are bodies of requests, one record each. */
import { canonicalJson, type JsonObject } from '../../platform/json.ts'
import { isObject, sameValue } from './json-values.ts'
import type { Outcome } from './kind.ts'
import { findByRef, findFirst, hashOf, ImportStopped, messageOf, request, type Service } from './service.ts'

type RecordKind = {
  /** The path of the list and of the POST: `/products`. */
  readonly path: string
  readonly keyPrefix: string
  /** The query with which the list finds the row's record, or null when the row names none. */
  readonly lookupOf: (row: JsonObject) => string | null
  /** Whether a record is read by its external_ref: faster than the list finds it. */
  readonly hasByRef?: true
  readonly isSame: (row: JsonObject, found: JsonObject) => boolean
}

const LOOKUP_CHARACTERS_MAX = 1_000

/**
 * A writer of one import. Its Idempotency-Keys are made from the rows' contents. So a row that was sent before, in any line, is answered
 * and not made again. Equal rows of one file differ by their count. After the 30 days that keys are kept, a refused row finds its record by
 * its names.
 */
export function recordWriter(service: Service, kind: RecordKind): (row: JsonObject) => Promise<Outcome> {
  const seen = new Map<string, number>()
  return async row => {
    const body = canonicalJson(row)
    const hash = hashOf(body)
    const count = (seen.get(hash) ?? 0) + 1
    seen.set(hash, count)
    const reply = await request(service, 'POST', kind.path, { body, key: `${kind.keyPrefix}-${hash}-${count}` })
    if (reply.status < 300) return reply.isReplay ? 'known' : 'created'
    if (reply.status === 402) throw new ImportStopped(messageOf(reply))
    return (await isThere(service, kind, row)) ? 'known' : { fault: messageOf(reply) }
  }
}

/** Whether a refused row's record already exists with the row's values, which is no fault. */
async function isThere(service: Service, kind: RecordKind, row: JsonObject): Promise<boolean> {
  const found = await findRecord(service, kind, row)
  return found !== null && kind.isSame(row, found)
}

/** The record that the row names; null where it names none, or none is there. */
export async function findRecord(
  service: Service,
  { path, lookupOf, hasByRef }: Pick<RecordKind, 'path' | 'lookupOf' | 'hasByRef'>,
  row: JsonObject,
): Promise<JsonObject | null> {
  const ref = row['external_ref']
  if (hasByRef && typeof ref === 'string' && !/^\.{0,2}$/.test(ref.trim())) return findByRef(service, path, ref.trim())
  const lookup = lookupOf(row)
  return lookup === null || lookup.length > LOOKUP_CHARACTERS_MAX ? null : findFirst(service, path, lookup)
}

/** A writer that changes records that are there, in what the row has, and makes the others. `fixed` fields never change. */
export function recordUpdater(
  service: Service,
  { fixed = [], ...kind }: RecordKind & { readonly fixed?: readonly string[] },
): (row: JsonObject) => Promise<Outcome> {
  const write = recordWriter(service, kind)
  return async row => {
    const found = await findRecord(service, kind, row)
    if (found === null) return write(row)
    const differing = differenceOf(row, found)
    const fault = fixed.find(name => name in differing)
    if (fault !== undefined) return { fault: `${fault}: cannot change` }
    return changeRecord(service, kind, { found, change: differing })
  }
}

/**
 * What the row says else than the record. Of objects, such as an address, the record keeps the parts that the row leaves out.
 */
export function differenceOf(row: JsonObject, found: JsonObject): JsonObject {
  const differing: JsonObject = Object.create(null)
  for (const [name, given] of Object.entries(row)) {
    const before = found[name]
    const value = isObject(given) && isObject(before) ? { ...before, ...given } : given
    if (!sameValue(value, before)) differing[name] = value
  }
  return differing
}

/**
 * Changes a record by PATCH. The key contains the record's `updated_at`: a repeated request is answered, and the same change is made again
 * where somebody took it back.
 */
export async function changeRecord(
  service: Service,
  { path, keyPrefix }: Pick<RecordKind, 'path' | 'keyPrefix'>,
  { found, change }: { readonly found: JsonObject; readonly change: JsonObject },
): Promise<Outcome> {
  if (Object.keys(change).length === 0) return 'known'
  const body = canonicalJson(change)
  const id = String(found['id'])
  const key = `${keyPrefix}-update-${hashOf(`${id} ${found['updated_at']} ${body}`)}`
  const reply = await request(service, 'PATCH', `${path}/${id}`, { body, key })
  if (reply.status < 300) return 'changed'
  if (reply.status === 402) throw new ImportStopped(messageOf(reply))
  return { fault: messageOf(reply) }
}
