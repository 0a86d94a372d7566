/**
 * Gathers what the commands of a unit of work must see, and asks for all of it in one round trip: one statement per kind of
 * question, whatever the number of commands and tenants.
 */
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
import { type Document, type LineDocument, othersOf } from './document.ts'
import {
  type Key,
  loadFreeNumbers,
  loadHolders,
  loadLines,
  loadOthers,
  loadRecords,
  type Other,
  recordFrom,
  type Via,
} from './statements.ts'
import type { Work } from './work.ts'

export type Works = ReadonlyMap<string, Work>

/** One statement and the questions that it answers. */
export type Source = { query(): Query; take(rows: readonly TextRow[], works: Works): void }

export class Load {
  readonly #sources = new Map<string, Source>()
  /** Whether it is for one command, which runs by itself: sources that have a limit load more rows then. */
  readonly isAlone: boolean

  constructor({ isAlone = false } = {}) {
    this.isAlone = isAlone
  }

  /** The source of this name, made at its first question. */
  source<S extends Source>(name: string, make: () => S): S {
    const known = this.#sources.get(name)
    if (known) return known as S
    const source = make()
    this.#sources.set(name, source)
    return source
  }

  get queries(): readonly Query[] {
    return [...this.#sources.values()].map(source => source.query())
  }

  /** Hands the rows of `queries` to the tenants that asked; those of tenants without work go nowhere. */
  take(answers: readonly (readonly TextRow[])[], works: Works): void {
    for (const [at, source] of [...this.#sources.values()].entries()) source.take(answers[at] ?? [], works)
  }

  /** Asks for a record by its id, with its lines and what it shows of others. */
  record(document: Document, tenantId: string, id: string): void {
    this.#ask(document, { tenantId, value: id })
    const key = { tenantId, value: id }
    const { kind } = document
    const others = (of: Document | LineDocument) => othersOf(of.fields).filter(other => other.of.lines.length === 0)
    for (const other of [...document.shown.map(({ field }) => field), ...others(document)])
      this.source(`${kind} ${other.column}`, () => new Others(document, other)).ask(key)
    for (const { property, of } of document.lines)
      for (const other of others(of))
        this.source(`${kind} ${property} ${other.column}`, () => new Others(of, other)).ask(key)
  }

  /** Asks for the record, with its lines, to which a value leads. What it shows of others is not loaded. */
  recordVia(document: Document, via: Via, tenantId: string, value: string): void {
    this.#ask(document, { tenantId, value }, via)
  }

  #ask(document: Document, key: Key, via?: Via): void {
    const by = `${document.kind} by ${via?.name ?? 'id'}`
    const records = this.source(by, () => new Records(document, via))
    records.ask(key)
    for (const lines of document.lines)
      this.source(`${by}: ${lines.property}`, () => new LinesOf(document, lines, records)).ask(key)
  }

  /** Asks for a record by a unique field. */
  recordBy(document: Document, field: string, tenantId: string, value: string): void {
    if (document.lines.length > 0 || document.shown.length > 0)
      throw new Error(`${document.kind} is not asked for by ${field}: its lines would be missing`)
    this.source(`${document.kind} by ${field}`, () => new RecordsBy(document, field)).ask({ tenantId, value })
  }

  /** Asks who has this value in a unique field. */
  holder(document: Document, field: string, tenantId: string, value: string): void {
    this.source(`${document.kind} has ${field}`, () => new Holders(document, field)).ask({ tenantId, value })
  }

  /** Asks for one more counted number that is free; how many were asked for before. */
  number(document: Document, tenantId: string): number {
    return this.source(`${document.kind} numbers`, () => new Numbers(document)).ask(tenantId)
  }
}

/** Free counted numbers of one kind: as many as commands of each tenant may take. */
class Numbers implements Source {
  readonly #document: Document
  readonly #wanted = new Map<string, number>()
  constructor(document: Document) {
    this.#document = document
  }
  /** How many were asked for before. */
  ask(tenantId: string): number {
    const before = this.#wanted.get(tenantId) ?? 0
    this.#wanted.set(tenantId, before + 1)
    return before
  }
  query(): Query {
    return loadFreeNumbers(this.#document, this.#wanted)
  }
  take(rows: readonly TextRow[], works: Works): void {
    for (const [tenantId, found] of Map.groupBy(rows, tenantOf))
      works.get(tenantId)?.putFree(
        this.#document.kind,
        found.map(row => ({ number: row['number'] ?? '', count: Number(row['count']) })),
      )
  }
}

/** Questions by tenant and value; equal ones are asked once. */
abstract class Keyed {
  readonly #keys = new Map<string, Key>()

  ask(key: Key): void {
    this.#keys.set(`${key.tenantId} ${key.value}`, key)
  }

  get keys(): readonly Key[] {
    return [...this.#keys.values()]
  }
}

type Stored = { readonly id: string } & Record<string, unknown>

class Records extends Keyed implements Source {
  readonly #document: Document
  readonly #made = new WeakSet<object>()
  readonly via: Via | undefined
  constructor(document: Document, via?: Via) {
    super()
    this.#document = document
    this.via = via
  }
  query(): Query {
    return loadRecords(this.#document, 'id', this.keys, this.via)
  }
  take(rows: readonly TextRow[], works: Works): void {
    for (const row of rows) works.get(tenantOf(row))?.put(this.#document, row['id'] ?? '', this.#recordOf(row))
    if (this.via) return
    // What gave no row is not there.
    for (const { tenantId, value } of this.keys) works.get(tenantId)?.put(this.#document, value, null)
  }
  #recordOf(row: TextRow): Stored {
    const record = recordFrom(this.#document.columns, row)
    // Filled by LinesOf, before anybody sees the record.
    for (const { property } of this.#document.lines) record[property] = []
    this.#made.add(record)
    return record as Stored
  }

  /** Whether it made this record: one that was there before has its lines already. */
  hasMade(record: object): boolean {
    return this.#made.has(record)
  }
}

class RecordsBy extends Keyed implements Source {
  readonly #document: Document
  readonly #field: string
  constructor(document: Document, field: string) {
    super()
    this.#document = document
    this.#field = field
  }
  query(): Query {
    return loadRecords(this.#document, this.#field, this.keys)
  }
  take(rows: readonly TextRow[], works: Works): void {
    for (const { tenantId, value } of this.keys)
      works.get(tenantId)?.putHolder(this.#document, this.#field, value, null)
    for (const row of rows) {
      const work = works.get(tenantOf(row))
      const record = recordFrom(this.#document.columns, row) as Stored
      work?.put(this.#document, record.id, record)
      work?.putHolder(this.#document, this.#field, row[this.#field] ?? '', record.id)
    }
  }
}

class LinesOf extends Keyed implements Source {
  readonly #document: Document
  readonly #lines: Document['lines'][number]
  readonly #records: Records
  constructor(document: Document, lines: Document['lines'][number], records: Records) {
    super()
    this.#document = document
    this.#lines = lines
    this.#records = records
  }
  query(): Query {
    return loadLines(this.#lines.of, this.keys, this.#records.via)
  }
  take(rows: readonly TextRow[], works: Works): void {
    const { property, of } = this.#lines
    for (const row of rows) {
      const record = works.get(tenantOf(row))?.find(this.#document, row['parent'] ?? '') as Stored | null | undefined
      if (record && this.#records.hasMade(record)) (record[property] as unknown[]).push(recordFrom(of.columns, row))
    }
  }
}

/** The others that records show, or their lines. */
class Others extends Keyed implements Source {
  readonly #table: Document | LineDocument
  readonly #other: Other
  constructor(table: Document | LineDocument, other: Other) {
    super()
    this.#table = table
    this.#other = other
  }
  query(): Query {
    return loadOthers(this.#table, this.#other, this.keys)
  }
  take(rows: readonly TextRow[], works: Works): void {
    const { of } = this.#other
    for (const row of rows) works.get(tenantOf(row))?.put(of, row['id'] ?? '', recordFrom(of.columns, row) as Stored)
  }
}

class Holders extends Keyed implements Source {
  readonly #document: Document
  readonly #field: string
  constructor(document: Document, field: string) {
    super()
    this.#document = document
    this.#field = field
  }
  query(): Query {
    return loadHolders(this.#document, this.#field, this.keys)
  }
  take(rows: readonly TextRow[], works: Works): void {
    for (const { tenantId, value } of this.keys)
      works.get(tenantId)?.putHolder(this.#document, this.#field, value, null)
    for (const row of rows)
      works.get(tenantOf(row))?.putHolder(this.#document, this.#field, row['value'] ?? '', row['id'] ?? null)
  }
}

const tenantOf = (row: TextRow): string => row['tenant_id'] ?? ''
