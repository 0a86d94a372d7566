/** Makes, finds and changes records that are bodies of requests, one record each. */

import { nameOf } from './in-order.ts'
import type { Outcome } from './kind.ts'
import { type Entry, faultsOf, findFirst, type Result, type Service } from './service.ts'
import { canonical, differenceOf, type Fields, textIn } from './values.ts'

export type RecordPath = {
  /** The path of the list and of the POST: `/products`. */
  readonly path: string
  readonly keyPrefix: string
  /** The query with which the list finds the row's record, or null when the row names none. */
  readonly lookupOf: (row: Fields) => string | null
  /** Whether a record is read by its external_ref: faster than the list finds it. */
  readonly hasByRef?: true
}

const LOOKUP_CHARACTERS_MAX = 1_000

/**
 * The entry of a new record. Its key is made from the body's content. So a body that was sent before, in any line and from the command line
 * or the portal, is answered and not made again. Equal bodies of one import differ by their count. After the 30 days that keys are kept, a
 * refused row finds its record by its names.
 */
export function newEntries(service: Service, { path, keyPrefix }: RecordPath): (body: Fields) => Entry {
  const seen = new Map<string, number>()
  return body => {
    const hash = service.hash(canonical(body))
    const count = (seen.get(hash) ?? 0) + 1
    seen.set(hash, count)
    return { method: 'POST', path, key: `${keyPrefix}-${hash}-${count}`, body }
  }
}

/**
 * The entry that changes a record. The key contains the record's `updated_at`: a repeated request is answered, and the same change is made
 * again where somebody took it back.
 */
export function changeEntry(
  service: Service,
  { path, keyPrefix }: RecordPath,
  { found, change }: { readonly found: Fields; readonly change: Fields },
): Entry {
  const id = String(found['id'])
  const key = `${keyPrefix}-update-${service.hash(`${id} ${found['updated_at']} ${canonical(change)}`)}`
  return { method: 'PATCH', path: `${path}/${id}`, key, body: change }
}

/** The record that the row names; null where it names none, or none is there. */
export async function findRecord(
  service: Service,
  { path, lookupOf, hasByRef }: RecordPath,
  row: Fields,
): Promise<Fields | null> {
  const ref = textIn(row['external_ref'])
  // The paths `.` and `..` would be others.
  if (hasByRef && ref !== null && ref !== '.' && ref !== '..')
    return service.read(`${path}/by-ref/${encodeURIComponent(ref)}`)
  const lookup = lookupOf(row)
  return lookup === null || lookup.length > LOOKUP_CHARACTERS_MAX ? null : findFirst(service, path, lookup)
}

/** What became of a row whose record was sent. */
export const outcomeOf = (result: Result, made: 'created' | 'changed'): Outcome => {
  if ('refusal' in result) return { faults: faultsOf(result.refusal) }
  return result.isReplay && made === 'created' ? 'known' : made
}

/**
 * A writer of rows of which each is a record. With `update` it changes records that are there, in what the row has; `fixed` fields never
 * change.
 */
export function recordWriter(
  service: Service,
  { fixed = [], ...kind }: RecordPath & { readonly fixed?: readonly string[] },
  { update }: { readonly update: boolean },
): (row: Fields) => Promise<Outcome> {
  const newEntry = newEntries(service, kind)
  const rehearsed = rehearsal(service)
  const changed = async (row: Fields, found: Fields, isRehearsed: boolean): Promise<Outcome> => {
    const change = differenceOf(row, found)
    if (isEmpty(change)) return 'known'
    const fault = fixed.find(name => name in change)
    if (fault !== undefined) return { faults: [{ column: fault, reason: 'cannot change' }] }
    rehearsed.keep(refNames(row), { ...found, ...change })
    return isRehearsed
      ? 'changed'
      : outcomeOf(await service.write(changeEntry(service, kind, { found, change })), 'changed')
  }
  return async row => {
    const before = rehearsed.find(refNames(row))
    const found = update ? (before ?? (await findRecord(service, kind, row))) : null
    if (found !== null) return changed(row, found, before !== null)
    const result = await service.write(newEntry(row))
    if (!('refusal' in result)) rehearsed.keep(refNames(row), result.body)
    else if (!update) {
      const other = await findRecord(service, kind, row)
      if (other !== null && isEmpty(differenceOf(row, other))) return 'known'
    }
    return outcomeOf(result, 'created')
  }
}

const refNames = (row: Fields) => nameOf('external_ref', row['external_ref'])

export const isEmpty = (fields: Fields): boolean => Object.keys(fields).length === 0

/**
 * What dry runs of an import answered, by the names of the records: the service has forgotten it, and later rows may name it. Of real writes
 * nothing is kept.
 */
export function rehearsal({ isDry }: Service): {
  readonly find: (names: readonly string[]) => Fields | null
  readonly keep: (names: readonly string[], body: Fields) => void
} {
  const byName = new Map<string, Fields>()
  return {
    find: names => names.map(name => byName.get(name)).find(body => body !== undefined) ?? null,
    keep: (names, body) => {
      if (isDry) for (const name of names) byName.set(name, body)
    },
  }
}
