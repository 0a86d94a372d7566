/**
 * What commands must see. Each need asks its questions of the load, and shows the current state when the command decides. It must not know
 * any document.
 */
import type { Tenant } from '../api/endpoint.ts'
import { allInvalid, invalid, type Refusal } from '../api/errors.ts'
import type { Key } from './answers.ts'
import type { AnyDocument, RecordOf } from './document.ts'
import { NextUnit } from './next-unit.ts'
import type { Load, Question } from './question.ts'
import { askNumber, askRecord, holders, recordsBy, recordVia } from './records.ts'
import { quoteName } from './sql.ts'
import { holderOf } from './unique-values.ts'
import type { Work } from './work.ts'

export type Need<T> = {
  /** Asks its questions. */
  ask(load: Load, tenantId: string): void
  /** Asks for what depends on all that the unit has loaded. Most needs ask nothing here, since each such question costs a round trip. */
  more?(load: Load, work: Work): void
  /** The current state: as it was loaded, and as earlier commands changed it. @throws NextUnit if only another load can show it */
  see(work: Work): T
}

export type Needs = Readonly<Record<string, Need<unknown>>>
export type Facts<N extends Needs> = { readonly [K in keyof N]: N[K] extends Need<infer T> ? T : never }

export function askAll(needs: Needs, load: Load, tenantId: string): void {
  for (const need of Object.values(needs)) need.ask(load, tenantId)
}

export function askMore(needs: Needs, load: Load, work: Work): void {
  for (const need of Object.values(needs)) need.more?.(load, work)
}

export function seeAll<N extends Needs>(needs: N, work: Work): Facts<N> {
  return Object.fromEntries(Object.entries(needs).map(([name, need]) => [name, need.see(work)])) as Facts<N>
}

/** A need that asks nothing. */
export const always = <T>(value: T): Need<T> => ({ ask: () => {}, see: () => value })

export const answerOf = <K extends string, T>(question: Question<K, T>, key: Key<K>): Need<T> => ({
  ask: (load, tenantId) => question.ask(load, tenantId, key),
  see: work => work.answer(question, key),
})

/** The time of the command, for values that depend on it if the body leaves the time out. */
export const theTime: Need<string> = { ask: () => {}, see: work => work.now }

/** The tenant, for values that depend on its time zone. */
export const theTenant: Need<Tenant> = { ask: () => {}, see: work => work.tenant }

/** The record with an id; null: there is none, or no id is given. */
export const theRecord = <D extends AnyDocument>(
  document: D,
  id: string | null | undefined,
): Need<RecordOf<D> | null> => ({
  ask: (load, tenantId) => id != null && askRecord(load, document, tenantId, id),
  see: work => (id == null ? null : foundAsAsked(work, document, id)),
})

/**
 * The record with this id. A caller can guess the id of a record that an earlier command of the unit makes. What depends on that record was
 * not loaded then. @throws NextUnit for a record that the unit of work made
 */
function foundAsAsked<D extends AnyDocument>(work: Work, document: D, id: string): RecordOf<D> | null {
  if (work.isMadeHere(document, id)) throw new NextUnit(`${document.kind} ${id} is made in this unit of work`)
  return work.find(document, id)
}

/** The records with these ids, by id. Ids without a record are missing. */
export const theRecords = <D extends AnyDocument>(
  document: D,
  ids: readonly string[],
): Need<ReadonlyMap<string, RecordOf<D>>> => ({
  ask: (load, tenantId) => {
    for (const id of ids) askRecord(load, document, tenantId, id)
  },
  see: work =>
    new Map(
      ids.flatMap(id => {
        const record = foundAsAsked(work, document, id)
        return record === null ? [] : [[id, record]]
      }),
    ),
})

/**
 * From the id of a record to the record that it names in a column, with its lines; null: either does not exist. Both are loaded in one
 * round trip. Fields of other records that the named record shows are not loaded. Declare it once.
 */
export function recordBehind<P extends AnyDocument, D extends AnyDocument>(
  document: P,
  column: string,
  other: D,
): (id: string) => Need<RecordOf<D> | null> {
  const from = `${quoteName(document.table)} where tenant_id = a.tenant_id and id = a.value limit 1`
  const askOther = recordVia(other, { name: document.kind, sql: `select ${quoteName(column)} as id from ${from}` })
  return id => ({
    ask: (load, tenantId) => askOther(load, tenantId, id),
    see: work => {
      const record = foundAsAsked(work, document, id)
      return record === null ? null : work.find(other, (record as Readonly<Record<string, string>>)[column] ?? '')
    },
  })
}

/** The record with this value in a unique field; null: there is none, or no value is given. */
export const recordBy = <D extends AnyDocument>(
  document: D,
  field: string,
  value: string | null | undefined,
): Need<RecordOf<D> | null> => ({
  ask: (load, tenantId) => value != null && recordsBy(document, field).ask(load, tenantId, { value }),
  see: work => {
    const id = value == null ? null : work.answer(holderOf(document, field), { value })
    return id === null ? null : work.find(document, id)
  },
})

/** Refuses `validation_failed` for a value that another record has, and names that record. The record `own` may have the value. */
export type RefuseTaken = (own?: string) => Refusal | null

/** Whether these values of unique fields (by name) are free; null is always free. See docs/rules/documents.md, "Unique texts". */
export const free = (
  document: AnyDocument,
  values: Readonly<Record<string, string | null | undefined>>,
): Need<RefuseTaken> => {
  const given = Object.entries(values).flatMap(([field, value]) => (value == null ? [] : [{ field, value }]))
  return {
    ask: (load, tenantId) => {
      for (const { field, value } of given) holders(document, field).ask(load, tenantId, { value })
    },
    see: work => own => {
      const taken = given.flatMap(({ field, value }) => {
        const holder = work.answer(holderOf(document, field), { value })
        return holder === null || holder === own ? [] : [invalid(field, `is taken by ${holder}`)]
      })
      return taken.length === 0 ? null : allInvalid(taken)
    },
  }
}

/** The number of a new document. */
type DocumentNumber = {
  /** The caller's own number, or the next free counted one. */
  take(): string
  /** The number that `take` will return unless an earlier command is refused, for needs that depend on it. */
  readonly expected: string
}

/** The number for a new document; null: no document is made. */
export function numberOf(document: AnyDocument | null, given: string | null): Need<DocumentNumber> {
  let at = 0
  return {
    ask: (load, tenantId) => {
      if (document !== null && given === null) at = askNumber(load, document, tenantId)
    },
    see: work => ({
      take: () => {
        if (document === null) throw new Error('no number was asked for')
        return given ?? work.nextNumber(document)
      },
      expected: given ?? (document === null ? '' : (work.freeNumber(document, at) ?? '')),
    }),
  }
}
