/** Slonik's query methods over any function that sends a statement. Slonik's tags make the texts, but Slonik does not send. */
import type { QuerySqlToken } from 'slonik'
import { setBounded } from '../bounded-map.ts'
import { type Connection, checkRow, PREPARED_STATEMENTS_MAX } from './postgres.ts'
import type { Query } from './round-trip.ts'

type Rows = readonly object[]

type QueriesOptions = {
  readonly send: (query: Query) => Promise<Rows>
  /** Checks every row against its query's schema. */
  readonly checkRows: boolean
}

/** PostgreSQL's texts by Slonik's texts. */
const texts = new Map<string, string>()
function textOf(sql: string): string {
  const known = texts.get(sql)
  if (known !== undefined) return known
  const text = sql.replaceAll('$slonik_', '$')
  setBounded(texts, PREPARED_STATEMENTS_MAX, sql, text)
  return text
}

export function queriesOver({ send, checkRows }: QueriesOptions): Connection {
  const any = async ({ sql, values, parser }: QuerySqlToken): Promise<Rows> => {
    const found = await send({ text: textOf(sql), values })
    if (checkRows) for (const row of found) checkRow(parser, row, sql)
    return found
  }
  const maybeOne = async (query: QuerySqlToken): Promise<object | null> => {
    const [row = null, ...more] = await any(query)
    if (more.length > 0) throw new Error(`${more.length + 1} rows where one may be: ${query.sql}`)
    return row
  }
  const one = async (query: QuerySqlToken): Promise<object> => {
    const row = await maybeOne(query)
    if (row === null) throw new Error(`no row where one must be: ${query.sql}`)
    return row
  }
  return { any, maybeOne, one } as Connection
}
