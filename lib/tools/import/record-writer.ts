/** Sends rows that are bodies of requests, one record each. */
import { canonicalJson, type JsonObject } from '../../platform/json.ts'
import type { Outcome } from './kind.ts'
import { findFirst, hashOf, ImportStopped, messageOf, request, type Service } from './service.ts'

type RecordKind = {
  /** The path of the list and of the POST: `/products`. */
  readonly path: string
  readonly keyPrefix: string
  /** The query with which the list finds the row's record, or null when the row names none. */
  readonly lookupOf: (row: JsonObject) => string | null
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
async function isThere(service: Service, { path, lookupOf, isSame }: RecordKind, row: JsonObject): Promise<boolean> {
  const lookup = lookupOf(row)
  if (lookup === null || lookup.length > LOOKUP_CHARACTERS_MAX) return false
  const found = await findFirst(service, path, lookup)
  return found !== null && isSame(row, found)
}
