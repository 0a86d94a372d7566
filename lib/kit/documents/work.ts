/**
 * What the commands of one tenant see and change in a unit of work: every record once, whoever asks, and the stock. A
 * command sees what those before it decided; what it changes is taken back when it is refused.
 */

import type { Query } from '../../platform/postgres/round-trip.ts'
import type { DomainEvent, Json, Tenant } from '../api/endpoint.ts'
import { Answers, type Key, type Known } from './answers.ts'
import type { AnyDocument, Document, RecordOf } from './document.ts'
import { Journal } from './journal.ts'
import { NextUnit, OutOfIds } from './next-unit.ts'
import { render, renderPrevious } from './render.ts'
import { holderOf, UniqueValues } from './unique-values.ts'

type Stored = Readonly<Record<string, unknown>> & { readonly id: string }

/** A record as it was loaded (null: there was none), and as it is now. */
export type Entry = { readonly loaded: Stored | null; readonly now: Stored | null }

/** Counted numbers of one kind that are free, in their order. */
type FreeNumber = { readonly number: string; readonly count: number }

/**
 * A part is what a unit of work holds of a tenant beside its records (the stock). A part notes by `Work.undo` how each change is taken
 * back. One constant per kind of part.
 */
export type PartKind<P extends object> = {
  readonly make: (work: Work) => P
  /** What the command that succeeded tells of the part. Asked once, before the next command begins. */
  readonly takeEvents?: (part: P) => readonly DomainEvent[]
  /** What writes the parts of all tenants. `ids` are given where the database gives none: as many as `idsOf` says. */
  readonly write: (parts: PartsOf<P>, ids?: readonly string[]) => readonly Query[]
  /** How many of the rows that `write` makes take an id from the database. */
  readonly idsOf?: (parts: PartsOf<P>) => number
}

type PartsOf<P> = readonly { readonly work: Work; readonly part: P }[]

// biome-ignore lint/suspicious/noExplicitAny: each kind declares the type of its parts
type AnyPartKind = PartKind<any>

/** Whether its records say who made and last changed them (lib/kit/fields/record-fields.ts). */
const isStamped = ({ fields }: AnyDocument): boolean => 'updated_by_user_name' in fields

export class Work {
  readonly tenant: Tenant
  /** When its commands run. */
  readonly now: string
  /** Last count used per kind of document. */
  readonly counts: Record<string, number>
  readonly #journal = new Journal()
  readonly #records = new Map<AnyDocument, Map<string, Entry>>()
  readonly #answers = new Answers(this.#journal)
  readonly #unique = new UniqueValues(this.#answers, this.#journal)
  readonly #free = new Map<string, FreeNumber[]>()
  readonly #parts = new Map<AnyPartKind, object>()
  /** Rows that commands changed, as `table id`, and by which document. */
  readonly #rows = new Map<string, AnyDocument>()
  #ids: string[] = []
  #userName: string | null = null

  constructor(options: { readonly tenant: Tenant; readonly now: string; readonly counts: Record<string, number> }) {
    this.tenant = options.tenant
    this.now = options.now
    this.counts = options.counts
  }

  // ---- loading

  /** Takes down what the database holds. */
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
   * The record of this id as it is now; null when there is none.
   * @throws NextUnit when it was not asked for, or when a command changed its row by another document, or a row that it was read from.
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

  /**
   * What is known of this key now.
   * @throws NextUnit when it was not asked for, when a command has forgotten it, or changed what it was read from.
   */
  answer<K extends string, T>(known: Known<K, T>, key: Key<K>): T {
    const answer = this.#answers.see(known, key)
    this.#refuseChanged(known.readFrom(answer, key))
    return answer
  }

  #refuseChanged(rows: readonly string[]): void {
    for (const row of rows) if (this.#rows.has(row)) throw new NextUnit(`${row} has changed`)
  }

  /** The record as commands of this unit of work made or changed it; undefined when none did. */
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

  /** An id for something new; ids rise in the order in which they are taken. */
  newId(): string {
    const id = this.#ids.shift()
    if (id === undefined) throw new OutOfIds('the command takes more ids than it said')
    return id
  }

  /** Further ids for the command under way, behind those that it has. */
  addIds(ids: readonly string[]): void {
    this.#ids.push(...ids)
  }

  /** The next counted number, which nobody has. @throws NextUnit when those that were asked for are used up. */
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

  /** The free counted number so many further; undefined where not so many were asked for. */
  freeNumber(document: AnyDocument, at: number): string | undefined {
    return this.#free.get(document.kind)?.[at]?.number
  }

  /** A new record, made by the user of the command. */
  make<D extends AnyDocument>(document: D, record: RecordOf<D>): RecordOf<D> {
    const user = this.#userName
    const made = isStamped(document) ? { ...record, created_by_user_name: user, updated_by_user_name: user } : record
    this.#set(document, null, made as unknown as Stored)
    return made
  }

  /**
   * The record as it is from now on; the same id. It moves `updated_at`, where the document has one, and says who changed it. A change of
   * nothing is none.
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

  /** Says what the answer is from now on, to the commands behind. */
  changeAnswer<K extends string, T>(known: Known<K, T>, key: Key<K>, answer: T): void {
    this.#answers.change(known, key, answer)
  }

  /** Sends the commands behind that look at this answer to the next unit of work, which asks again. */
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

  /** Begins a command, which may take so many ids. @param userName the user whom its key names; null: a key issued without a name */
  begin(ids: readonly string[], userName: string | null): void {
    this.#journal.begin()
    this.#ids = [...ids]
    this.#userName = userName
  }

  /** Takes back all that the command under way has changed. */
  undoAll(): void {
    this.#journal.undoAll()
  }

  /** Notes how to undo a change of the command under way. The last change is undone first. */
  undo(how: () => void): void {
    this.#journal.note(how)
  }

  /** The part of this kind, made when it is first asked for: while loading, before any command begins. */
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

  /** What the command that succeeded tells of the parts. */
  takeEvents(): readonly DomainEvent[] {
    return [...this.#parts].flatMap(([kind, part]) => kind.takeEvents?.(part) ?? [])
  }

  // ---- rendering

  readonly #lookup = (document: AnyDocument, id: string) => this.find(document, id)

  /** JSON of the record as it is. */
  render<D extends AnyDocument>(document: D, record: RecordOf<D>): Json {
    return render(document, record, this.#lookup)
  }

  /** JSON of the old values of what differs. */
  previous<D extends AnyDocument>(document: D, before: RecordOf<D>, after: RecordOf<D>): Json | null {
    return renderPrevious(document, { before, after }, this.#lookup)
  }

  /** All records that are to be written. */
  changes(): { readonly document: Document; readonly entries: readonly Entry[] }[] {
    return [...this.#records].map(([document, entries]) => ({
      document,
      entries: [...entries.values()].filter(({ loaded, now }) => loaded !== now),
    }))
  }
}
