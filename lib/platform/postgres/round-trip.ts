/**
 * Sends several statements in one round trip (a pipeline in PostgreSQL's extended protocol), as a query of the `pg` client. All are written
 * at once with one Sync, so PostgreSQL reads and answers them together. A statement that the connection has prepared is only bound and
 * executed.
 */
import type { Duplex } from 'node:stream'
import type { Span } from '@opentelemetry/api'
import type { Submittable } from 'pg'
import type { AnswerLimit } from '../answer-limit.ts'
import { statementSpan } from '../tracing/trace-statements.ts'
import { failSpan } from '../tracing/tracing.ts'
import { statementName } from './postgres.ts'

/** A statement with `$1`, `$2`, ...; values are texts, numbers, booleans, or arrays of them. */
export type Query = { readonly text: string; readonly values: readonly unknown[] }
/** Every column as text. */
export type TextRow = Readonly<Record<string, string | null>>

/** Reads a value that is not null. */
type ReadValue = (text: string) => unknown
type Column = { readonly name: string; readonly read: ReadValue | undefined }

/**
 * The statements of a connection. `columns`: the columns of prepared statements. `uncertain`: statements that an error may have left
 * prepared or not.
 */
export type KnownStatements = {
  readonly columns: Map<string, readonly Column[]>
  readonly uncertain: Set<string>
  /** How values of a type are read, if not as text. */
  readonly readerOf?: (typeId: number) => ReadValue
}

/** The used part of the client's connection. */
type Wire = {
  readonly stream: Duplex
  close(statement: { readonly type: 'S'; readonly name: string }): void
  parse(statement: { readonly name: string; readonly text: string }): void
  bind(values: { readonly statement: string; readonly values: readonly (string | null)[] }): void
  describe(portal: { readonly type: 'P'; readonly name: '' }): void
  execute(portal: object): void
  sync(): void
}

type Sent = {
  readonly query: Query
  readonly name: string
  readonly rows: TextRow[]
  readonly span: Span | undefined
  columns: readonly Column[] | undefined
}

const failures = new WeakMap<object, Query>()

/** The statement that failed in a round trip, or whose answer was due when the connection was lost. */
export const failedStatement = (error: unknown): Query | undefined => failures.get(error as object)

export class RoundTrip implements Submittable {
  readonly answer: Promise<readonly (readonly TextRow[])[]>
  readonly #known: KnownStatements
  readonly #limit: AnswerLimit
  readonly #sent: readonly Sent[]
  readonly #resolve: (rows: readonly (readonly TextRow[])[]) => void
  readonly #reject: (error: unknown) => void
  /** The index of the statement that answers. */
  #at = 0

  /** @param limit of the connection's answers */
  constructor(queries: readonly Query[], known: KnownStatements, limit: AnswerLimit) {
    const { promise, resolve, reject } = Promise.withResolvers<readonly (readonly TextRow[])[]>()
    this.answer = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#known = known
    this.#limit = limit
    limit.begin(queries.length)
    this.#sent = queries.map(query => {
      const name = statementName(query.text) ?? ''
      return { query, name, rows: [], span: statementSpan(query.text), columns: known.columns.get(name) }
    })
  }

  /** The client calls it when this query's turn comes. */
  submit(connection: object): void {
    const wire = connection as Wire
    const { uncertain } = this.#known
    const parsed = new Set<string>()
    wire.stream.cork()
    for (const { query, name, columns } of this.#sent) {
      if (columns === undefined && (name === '' || !parsed.has(name))) {
        if (uncertain.delete(name)) wire.close({ type: 'S', name })
        wire.parse({ name, text: query.text })
        parsed.add(name)
      }
      wire.bind({ statement: name, values: query.values.map(textOf) })
      if (columns === undefined) wire.describe({ type: 'P', name: '' })
      wire.execute({})
    }
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription({
    fields,
  }: {
    readonly fields: readonly { readonly name: string; dataTypeID: number }[]
  }): void {
    const sent = this.#sent[this.#at]
    const { readerOf } = this.#known
    if (sent) sent.columns = fields.map(({ name, dataTypeID }) => ({ name, read: readerOf?.(dataTypeID) }))
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const sent = this.#sent[this.#at]
    const row: Record<string, unknown> = {}
    for (const [at, { name, read }] of (sent?.columns ?? []).entries()) {
      const text = fields[at] ?? null
      row[name] = read === undefined || text === null ? text : read(text)
    }
    sent?.rows.push(row as TextRow)
  }

  handleCommandComplete(): void {
    const sent = this.#sent[this.#at++]
    sent?.span?.setAttribute('db.response.returned_rows', sent.rows.length)
    sent?.span?.end()
  }

  /** All statements are answered. */
  handleReadyForQuery(): void {
    this.#limit.end(this.#sent.length)
    for (const { name, columns = [] } of this.#sent) if (name !== '') this.#known.columns.set(name, columns)
    this.#resolve(this.#sent.map(({ rows }) => rows))
  }

  /** A statement failed, or the connection was lost. PostgreSQL may or may not have parsed the new statements. */
  handleError(error: unknown): void {
    this.#limit.end(this.#sent.length)
    const { columns, uncertain } = this.#known
    for (const [at, { name, span }] of this.#sent.entries()) {
      if (name !== '' && !columns.has(name)) uncertain.add(name)
      if (span && at === this.#at) failSpan(span, error)
      if (at >= this.#at) span?.end()
    }
    const failed = this.#sent[this.#at]
    if (failed && typeof error === 'object' && error !== null) failures.set(error, failed.query)
    this.#reject(error)
  }
}

/** A value in PostgreSQL's text form. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return Array.isArray(value) ? (jsonArrayOf(value) ?? `{${value.map(elementOf).join(',')}}`) : String(value)
}

/** The JSON of an array, where PostgreSQL can read it as an array literal. Making JSON is several times as fast. */
function jsonArrayOf(values: readonly unknown[]): string | undefined {
  if (!values.every(isAlikeInJson)) return undefined
  const json = JSON.stringify(values)
  // PostgreSQL takes the character after a backslash literally.
  return /\\[bfnrtu]/.test(json) ? undefined : `{${json.slice(1, -1)}}`
}

const isAlikeInJson = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)

function elementOf(value: unknown): string {
  const text = textOf(value)
  return text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
