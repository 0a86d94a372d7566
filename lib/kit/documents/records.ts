/** The questions of every declared document: its records, their lines, the records that they show, its unique texts and numbers. */
import { memoized, memoizedBy } from '../../platform/memoized.ts'
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
import { type Document, type LineDocument, othersOf } from './document.ts'
import { type Load, Question, type Source, type Works } from './question.ts'
import type { Sql } from './sql.ts'
import {
  holdersText,
  ledTo,
  linesText,
  loadFreeNumbers,
  type Other,
  othersText,
  recordFrom,
  recordsText,
  type Via,
} from './statements.ts'
import { holderOf } from './unique-values.ts'
import type { Work } from './work.ts'

type Stored = { readonly id: string } & Record<string, unknown>
/** The answers of such a question are records, or the ids of records with unique texts. The question itself has no answer. */
type Asking = Question<'value', never>
type Take = (work: Work, rows: readonly TextRow[], keys: readonly { readonly value: string }[]) => void

const asking = (name: string, type: 'bigint' | 'text', sql: (asked: Sql) => Sql, take: Take): Asking =>
  new Question({ name, keys: { value: type }, sql }, take)

/** The lines of a loaded record, until the question about its lines is answered. */
const NO_LINES: readonly never[] = Object.freeze([])

function put(work: Work, document: Document, row: TextRow): string {
  const record = recordFrom(document.columns, row) as Stored
  for (const { property } of document.lines) record[property] = NO_LINES
  work.put(document, record.id, record)
  return record.id
}

/** Records by id, or those that other values find, and their lines. */
function recordsAnd(document: Document, via?: Via): readonly Asking[] {
  const by = `${document.kind} by ${via?.name ?? 'id'}`
  const from = (asked: Sql) => (via ? ledTo(via) : asked)
  const records = asking(
    by,
    'bigint',
    asked => recordsText(document, 'id', from(asked)),
    (work, rows, keys) => {
      for (const row of rows) put(work, document, row)
      // Ids without a row do not exist.
      if (!via) for (const { value } of keys) work.put(document, value, null)
    },
  )
  const lines = document.lines.map(({ property, of }) =>
    asking(
      `${by}: ${property}`,
      'bigint',
      asked => linesText(of, from(asked)),
      (work, rows) => {
        for (const [parent, lines] of Map.groupBy(rows, row => row['parent'] ?? '')) {
          const record = work.find(document, parent) as Stored | null
          // A record that was loaded before has its lines already.
          if (record?.[property] === NO_LINES) record[property] = lines.map(row => recordFrom(of.columns, row))
        }
      },
    ),
  )
  return [records, ...lines]
}

/** The other records that records, or their lines, show. */
const others = (name: string, table: Document | LineDocument, other: Other): Asking =>
  asking(
    `${name} ${other.column}`,
    'bigint',
    asked => othersText(table, other, asked),
    (work, rows) => {
      for (const row of rows) put(work, other.of, row)
    },
  )

const wholeRecords = memoized((document: Document): readonly Asking[] => {
  const { kind, shown, lines } = document
  const bare = (of: Document | LineDocument) => othersOf(of.fields).filter(other => other.of.lines.length === 0)
  return [
    ...recordsAnd(document),
    ...[...shown.map(({ field }) => field), ...bare(document)].map(other => others(kind, document, other)),
    ...lines.flatMap(({ property, of }) => bare(of).map(other => others(`${kind} ${property}`, of, other))),
  ]
})

/** Asks for a record by its id, with its lines and the records that it shows. */
export function askRecord(load: Load, document: Document, tenantId: string, id: string): void {
  for (const question of wholeRecords(document)) question.ask(load, tenantId, { value: id })
}

/** How a value finds the record for which it asks, with its lines. Records that this record shows are not loaded. */
export function recordVia(document: Document, via: Via): (load: Load, tenantId: string, value: string) => void {
  const questions = recordsAnd(document, via)
  return (load, tenantId, value) => {
    for (const question of questions) question.ask(load, tenantId, { value })
  }
}

/** Stores which record has the value in the unique field. */
const holderIs = (work: Work, document: Document, field: string, value: string, id: string | null) =>
  work.putAnswer(holderOf(document, field), { value }, id)

/** The record with a value in a unique field. */
export const recordsBy = memoizedBy((document: Document, field: string) => {
  if (document.lines.length > 0 || document.shown.length > 0)
    throw new Error(`${document.kind} is not asked for by ${field}: its lines would be missing`)
  return asking(
    `${document.kind} by ${field}`,
    'text',
    asked => recordsText(document, field, asked),
    (work, rows, keys) => {
      for (const { value } of keys) holderIs(work, document, field, value, null)
      for (const row of rows) holderIs(work, document, field, row[field] ?? '', put(work, document, row))
    },
  )
})

/** The id of the record with a value in a unique field. */
export const holders = memoizedBy((document: Document, field: string) =>
  asking(
    `${document.kind} has ${field}`,
    'text',
    asked => holdersText(document, field, asked),
    (work, rows, keys) => {
      for (const { value } of keys) holderIs(work, document, field, value, null)
      for (const { value, id } of rows) holderIs(work, document, field, value ?? '', id ?? null)
    },
  ),
)

/** Asks for one more free counted number. Returns how many were asked for before. */
export const askNumber = (load: Load, document: Document, tenantId: string): number =>
  load.source(`${document.kind} numbers`, () => new Numbers(document)).ask(tenantId)

/** Free counted numbers of one kind: as many as the commands of each tenant may take. */
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
    for (const [tenantId, found] of Map.groupBy(rows, row => row['tenant_id'] ?? ''))
      works.get(tenantId)?.putFree(
        this.#document.kind,
        found.map(row => ({ number: row['number'] ?? '', count: Number(row['count']) })),
      )
  }
}
