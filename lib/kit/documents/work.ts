/**
 * What the commands of one tenant see and change in a unit of work: each record once, and the stock. A command sees the changes of earlier
 * commands. If it is refused, its own changes are undone.
 */

import type { Query } from '../../platform/postgres/round-trip.ts'
import type { DomainEvent, Json, Tenant } from '../api/endpoint.ts'
import type { Refusal } from '../api/errors.ts'
import { Answers, type Key, type Known } from './answers.ts'
import type { AnyDocument, Document, RecordOf } from './document.ts'
import { Journal } from './journal.ts'
import { NextUnit, OutOfIds } from './next-unit.ts'
import { render, renderPrevious } from './render.ts'
import { holderOf, UniqueValues } from './unique-values.ts'

type Stored = Readonly<Record<string, unknown>> & { readonly id: string }

/** A record as it was loaded (null: there was none), and as it is now. */
export type Entry = { readonly loaded: Stored | null; readonly now: Stored | null }

/** Free counted numbers of one kind, in order. */
type FreeNumber = { readonly number: string; readonly count: number }

/**
 * A part is state of a tenant in a unit of work beside its records, such as the stock. A part calls `Work.undo` with the way to undo each
 * change. There is one constant for each kind of part.
 */
export type PartKind<P extends object> = {
  readonly make: (work: Work) => P
  /** Why the decided command cannot make its change to the part. */
  readonly refuse?: (part: P) => Refusal | null
  /** The part's events of a command that succeeded. Called once, before the next command begins. */
  readonly takeEvents?: (part: P) => readonly DomainEvent[]
  /** The events of loaded rows that have changed by the time alone. Called once, before the first command begins. */
  readonly turn?: (part: P) => readonly DomainEvent[]
  /** The statements that write the parts of all tenants. `ids` are passed if the database gives none: as many as `idsOf` returns. */
  readonly write: (parts: PartsOf<P>, ids?: readonly string[]) => readonly Query[]
  /** How many rows of `write` take an id from the database. */
  readonly idsOf?: (parts: PartsOf<P>) => number
}

type PartsOf<P> = readonly { readonly work: Work; readonly part: P }[]

// biome-ignore lint/suspicious/noExplicitAny: each kind declares the type of its parts
type AnyPartKind = PartKind<any>

/** Whether its records show who made and last changed them (lib/kit/fields/record-fields.ts). */
const isStamped = ({ fields }: AnyDocument): boolean => 'updated_by_user_name' in fields

export class Work {
  readonly tenant: Tenant
  /** The time of its commands. */
  readonly now: string
  /** The last used count of each kind of document. */
  readonly counts: Record<string, number>
  readonly #journal = new Journal()
  readonly #records = new Map<AnyDocument, Map<string, Entry>>()
  readonly #answers = new Answers(this.#journal)
  readonly #unique = new UniqueValues(this.#answers, this.#journal)
  readonly #free = new Map<string, FreeNumber[]>()
  readonly #parts = new Map<AnyPartKind, object>()
  /** Rows that commands changed, as `table id`, and the document through which they changed them. */
  readonly #rows = new Map<string, AnyDocument>()
  #ids: string[] = []
  #userName: string | null = null

  constructor(options: { readonly tenant: Tenant; readonly now: string; readonly counts: Record<string, number> }) {
    this.tenant = options.tenant
    this.now = options.now
    this.counts = options.counts
  }

  // ---- loading

  /** Stores a record as the database has it. */
  put(document: AnyDocument, id: string, record: Stored | null): void {
    const records = this.#recordsOf(document)
    if (!records.has(id)) records.set(id, { loaded: record, now: record })
  }

  putAnswer<K extends string, T>(known: Known<K, T>, key: Key<K>, answer: T): void {
    this.#answers.put(known, key, answer)
  }

  putFree(kind: string, free: readonly FreeNumber[]): void {
    this.#free.set(kind, [...free])
  }

  // ---- seeing

  /**
   * The current record with this id; null: there is none. @throws NextUnit if no command asked for it, or if a command has changed its row
   * through another document, or a row from which it was read
   */
  find<D extends AnyDocument>(document: D, id: string): RecordOf<D> | null {
    const entry = this.#records.get(document)?.get(id)
    if (entry === undefined) throw new NextUnit(`${document.kind} ${id} was not asked for`)
    const changedBy = this.#rows.get(`${document.table} ${id}`)
    if (changedBy !== undefined && changedBy !== document) throw new NextUnit(`${document.kind} ${id} has changed`)
    if (document.readFrom && entry.now !== null) this.#refuseChanged(document.readFrom(entry.now))
    const isRemoved = document.removedBy !== null && entry.now !== null && entry.now[document.removedBy] !== null
    return (isRemoved ? null : entry.now) as RecordOf<D> | null
  }

  /** The current answer for this key. @throws NextUnit if no command asked for it, or a command has dropped it or changed its source */
  answer<K extends string, T>(known: Known<K, T>, key: Key<K>): T {
    const answer = this.#answers.see(known, key)
    this.#refuseChanged(known.readFrom(answer, key))
    return answer
  }

  /** The answer, if a command asked for it and none has dropped it. */
  knownAnswer<K extends string, T>(known: Known<K, T>, key: Key<K>): T | undefined {
    return this.#answers.find(known, key)
  }

  #refuseChanged(rows: readonly string[]): void {
    for (const row of rows) if (this.#rows.has(row)) throw new NextUnit(`${row} has changed`)
  }

  /** The record as commands of this unit made or changed it; undefined: none did. */
  changed<D extends AnyDocument>(document: D, id: string): RecordOf<D> | undefined {
    const entry = this.#records.get(document)?.get(id)
    return entry === undefined || entry.loaded === entry.now ? undefined : ((entry.now ?? undefined) as RecordOf<D>)
  }

  /** Whether a command of this unit of work made the record. */
  isMadeHere(document: AnyDocument, id: string): boolean {
    const entry = this.#records.get(document)?.get(id)
    return entry?.loaded === null && entry.now !== null
  }

  // ---- changing

  /** An id for a new record. Ids rise in the order in which they are taken. */
  newId(): string {
    const id = this.#ids.shift()
    if (id === undefined) throw new OutOfIds('the command takes more ids than it said')
    return id
  }

  /** Adds ids for the running command, after those that it has. */
  addIds(ids: readonly string[]): void {
    this.#ids.push(...ids)
  }

  /** The next free counted number. @throws NextUnit if all loaded numbers are used */
  nextNumber(document: AnyDocument): string {
    const free = this.#free.get(document.kind) ?? []
    for (let next = free.shift(); next !== undefined; next = free.shift()) {
      const { number, count } = next
      const counted = this.counts[document.kind] ?? 0
      this.counts[document.kind] = count
      this.#journal.note(() => {
        this.counts[document.kind] = counted
        free.unshift({ number, count })
      })
      if (!this.#answers.find(holderOf(document, 'number'), { value: number })) return number
    }
    throw new NextUnit(`no counted number of ${document.kind} is left`)
  }

  /** The free counted number at this position; undefined: fewer were loaded. */
  freeNumber(document: AnyDocument, at: number): string | undefined {
    return this.#free.get(document.kind)?.[at]?.number
  }

  /** A new record, made by the command's user. */
  make<D extends AnyDocument>(document: D, record: RecordOf<D>): RecordOf<D> {
    const user = this.#userName
    const made = isStamped(document) ? { ...record, created_by_user_name: user, updated_by_user_name: user } : record
    this.#set(document, null, made as unknown as Stored)
    return made
  }

  /**
   * Replaces the record with the same id. Sets `updated_at`, if the document has it, and who changed the record. Equal values are no
   * change.
   */
  change<D extends AnyDocument>(document: D, record: RecordOf<D>): RecordOf<D> {
    const { id } = record as unknown as Stored
    const before = this.find(document, id) as Stored | null
    if (before === null) throw new Error(`${document.kind} ${id} is not there to be changed`)
    if ((record as unknown) === before) return record
    const { created_by_user_name } = before
    const stamps = isStamped(document) ? { created_by_user_name, updated_by_user_name: this.#userName } : {}
    const after = 'updated_at' in document.fields ? { ...record, updated_at: this.now, ...stamps } : record
    this.#set(document, before, after as unknown as Stored)
    return after as RecordOf<D>
  }

  remove(document: AnyDocument, id: string): void {
    const entry = this.#recordsOf(document).get(id)
    if (!entry?.now) throw new Error(`${document.kind} ${id} is not there to be removed`)
    this.#set(document, entry.now, null)
  }

  #set(document: AnyDocument, before: Stored | null, now: Stored | null): void {
    const records = this.#recordsOf(document)
    const id = now?.id ?? before?.id ?? ''
    this.#journal.set(records, id, { loaded: records.get(id)?.loaded ?? null, now })
    this.#unique.change(document, before, now)
    this.#noteRows(document, before, now)
  }

  #noteRows(document: AnyDocument, before: Stored | null, after: Stored | null): void {
    this.#noteRow(document, document.table, after?.id ?? before?.id)
    for (const { property, of } of document.lines) {
      const [old, now] = [before, after].map(record => (record?.[property] ?? []) as readonly Stored[])
      const known = new Set(old)
      for (const line of now ?? []) if (!known.delete(line)) this.#noteRow(document, of.table, line.id)
      for (const line of known) this.#noteRow(document, of.table, line.id)
    }
  }

  #noteRow(document: AnyDocument, table: string, id: string | undefined): void {
    for (const row of [table, `${table} ${id}`]) if (!this.#rows.has(row)) this.#journal.set(this.#rows, row, document)
  }

  /** Sets the answer for this and later commands. */
  changeAnswer<K extends string, T>(known: Known<K, T>, key: Key<K>, answer: T): void {
    this.#answers.change(known, key, answer)
  }

  /** Drops the answer: later commands that need it run in the next unit of work, which asks again. */
  dropAnswer<K extends string, T>(known: Known<K, T>, key: Key<K>): void {
    this.#answers.drop(known, key)
  }

  #recordsOf(document: AnyDocument): Map<string, Entry> {
    const known = this.#records.get(document)
    if (known) return known
    const records = new Map<string, Entry>()
    this.#records.set(document, records)
    return records
  }

  // ---- a command

  /** Begins a command with its ids. @param userName the user's name of its key; null: the key was made without a name */
  begin(ids: readonly string[], userName: string | null): void {
    this.#journal.begin()
    this.#ids = [...ids]
    this.#userName = userName
  }

  /** Undoes all changes of the running command. */
  undoAll(): void {
    this.#journal.undoAll()
  }

  /** Records how to undo a change of the running command. The last change is undone first. */
  undo(how: () => void): void {
    this.#journal.note(how)
  }

  /** The part of this kind. The first call makes it: while loading, before any command begins. */
  part<P extends object>(kind: PartKind<P>): P {
    const known = this.#parts.get(kind)
    if (known) return known as P
    const part = kind.make(this)
    this.#parts.set(kind, part)
    return part
  }

  get parts(): ReadonlyMap<AnyPartKind, object> {
    return this.#parts
  }

  /** Why the parts refuse what the running command has decided. */
  refuse(): Refusal | null {
    for (const [kind, part] of this.#parts) {
      const refused = kind.refuse?.(part) ?? null
      if (refused !== null) return refused
    }
    return null
  }

  /** The parts' events of the command that succeeded. */
  takeEvents(): readonly DomainEvent[] {
    return [...this.#parts].flatMap(([kind, part]) => kind.takeEvents?.(part) ?? [])
  }

  /** The events of loaded rows that have changed by the time alone. */
  turn(): readonly DomainEvent[] {
    return [...this.#parts].flatMap(([kind, part]) => kind.turn?.(part) ?? [])
  }

  // ---- rendering

  readonly #lookup = (document: AnyDocument, id: string) => this.find(document, id)

  render<D extends AnyDocument>(document: D, record: RecordOf<D>): Json {
    return render(document, record, this.#lookup)
  }

  /** JSON of the old values that differ. */
  previous<D extends AnyDocument>(document: D, before: RecordOf<D>, after: RecordOf<D>): Json | null {
    return renderPrevious(document, { before, after }, this.#lookup)
  }

  /** All records to write. */
  changes(): { readonly document: Document; readonly entries: readonly Entry[] }[] {
    return [...this.#records].map(([document, entries]) => ({
      document,
      entries: [...entries.values()].filter(({ loaded, now }) => loaded !== now),
    }))
  }
}
