/** Access to PostgreSQL through Slonik: one pool per process, exact types, every statement prepared. It contains no SQL of an endpoint. */
import { createHash } from 'node:crypto'
import {
  type CommonQueryMethods,
  createPool as createSlonikPool,
  createSqlTag,
  type DatabasePool,
  type FragmentSqlToken,
  type Interceptor,
  type PrimitiveValueExpression,
} from 'slonik'
import * as v from 'valibot'
import { traceStatements } from '../tracing/trace-statements.ts'
import { isTracing } from '../tracing/tracing.ts'
import { connectionString, readAddress, withOptions } from './address.ts'
import { limitedDriver } from './driver.ts'
import { connectionSlots, inSlots } from './pool-slots.ts'

export type Pool = DatabasePool
/** Runs queries that return rows: a pool, its connection, a transaction, or the connections of reads. */
export type Connection = Pick<CommonQueryMethods, 'any' | 'one' | 'maybeOne'>
/** Runs writes. */
export type WritingConnection = CommonQueryMethods

/** A part of a statement, for use in others. */
export type Fragment = FragmentSqlToken

export const sql = createSqlTag()

/** A part of a statement from a text without values. */
export const fixedFragment = (text: string): Fragment => ({ ...sql.fragment``, sql: text, values: [] })

/** Beyond this number statements are parsed and planned at each call. test/scaling/statements.test.ts checks that there are far fewer. */
export const PREPARED_STATEMENTS_MAX = 2_000
/** PostgreSQL keeps 63 bytes of a name. */
const NAME_DIGITS = 40
const statementNames = new Map<string, string>()

/**
 * One name per statement text, so that PostgreSQL parses each text once per connection. The name is a hash of the text, so it means the
 * same text in every process that prepares the statement.
 */
export function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= PREPARED_STATEMENTS_MAX) return known
  const name = `m_${createHash('sha256').update(text).digest('hex').slice(0, NAME_DIGITS)}`
  statementNames.set(text, name)
  return name
}

const prepareAll: Interceptor = {
  name: 'prepare-all',
  transformQuery: (_context, query) => {
    const name = statementName(query.sql)
    return name === undefined ? query : { ...query, name }
  },
}

/** @throws TypeError for a row that does not fit its query's schema. Used in tests, so that a wrong type shows at once. */
export function checkRow(parser: unknown, row: unknown, text: string): void {
  const schema = parser as v.GenericSchema | undefined
  if (schema === undefined || schema['~standard'].vendor !== 'valibot') return
  const result = v.safeParse(schema, row)
  if (result.success) return
  const faults = result.issues.map(issue => `${v.getDotPath(issue)}: ${issue.message}`).join('; ')
  throw new TypeError(`a row does not fit its schema: ${faults} in ${text}`)
}

const checkRows: Interceptor = {
  name: 'check-rows',
  transformRow: (context, query, row) => {
    checkRow(context.resultParser, row, query.sql)
    return row
  },
}

const reportStatements = (onStatement: NonNullable<PoolOptions['onStatement']>): Interceptor => ({
  name: 'reportStatements',
  beforeQueryExecution: (_context, query) => {
    onStatement(query)
    return null
  },
})

const reportNotices = (onNotice: NonNullable<PoolOptions['onNotice']>): Interceptor => ({
  name: 'reportStatements-notices',
  afterQueryExecution: (_context, _query, { notices }) => {
    for (const { message } of notices) onNotice(message)
    return null
  },
})

export type PoolOptions = {
  /** The name of these connections in PostgreSQL (`web.1 keys`), unless the address names one. */
  readonly name?: string
  readonly size: number
  /** The longest time of one statement. */
  readonly statementTimeoutMs: number
  /** The longest idle time of a transaction: a frozen worker must free its tenants. */
  readonly idleInTransactionTimeoutMs: number
  readonly checkRows?: boolean
  /** Called with every statement before it runs (the bench records them). */
  readonly onStatement?: (statement: { readonly sql: string; readonly values: readonly unknown[] }) => void
  /** Called with PostgreSQL's notices (a test makes it report its plans). */
  readonly onNotice?: (message: string) => void
}

/**
 * Statements are planned once for all tenants. Otherwise PostgreSQL compares plans, and where a plan for one small tenant looks cheaper it
 * plans every execution again, which takes longer than most statements run (docs/decisions/0005). Options in the URL come later, and win.
 */
const withGenericPlans = (databaseUrl: string): string => withOptions(databaseUrl, 'plan_cache_mode=force_generic_plan')

/**
 * For connections whose statements look up rows by key. A plan that was made while a table was empty must still be good when the table is
 * large, but a read of a whole empty table looks cheaper than any index. A cache of look-ups does not help when no look-up is repeated: for
 * the five look-ups of each row in a page of stock it took a sixth of the time.
 */
export const withPlansByKey = (databaseUrl: string): string =>
  withOptions(databaseUrl, 'plan_cache_mode=force_generic_plan', 'enable_seqscan=off', 'enable_memoize=off')

/** Slonik reads the name of a connection from its address only. */
function withName(databaseUrl: string, name: string | undefined): string {
  const url = new URL(databaseUrl)
  if (name === undefined || url.searchParams.has('application_name')) return databaseUrl
  url.searchParams.set('application_name', name)
  return url.href
}

const distributed = new WeakSet<Pool>()

/** Whether rows written over this pool must bring their ids (lib/platform/postgres/address.ts). */
export const isDistributed = (pool: Pool): boolean => distributed.has(pool)

/** Opens a pool. Types: bigint and numeric arrive as text; timestamps must be selected as text (`iso(...)`). */
export async function createPool(databaseUrl: string, options: PoolOptions): Promise<Pool> {
  const address = withName(withGenericPlans(databaseUrl), options.name)
  const slonik = await createSlonikPool(connectionString(address), {
    driverFactory: limitedDriver(address, {
      statementTimeoutMs: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs,
    }),
    typeParsers: [],
    captureStackTrace: false,
    minPoolSize: 0,
    maxPoolSize: options.size,
    idleTimeout: 'DISABLE_TIMEOUT',
    maximumConnectionAge: 'DISABLE_TIMEOUT',
    connectionRetryLimit: 1,
    queryRetryLimit: 0,
    transactionRetryLimit: 0,
    // No session state is used, so nothing needs a reset. DISCARD ALL would drop the prepared statements.
    resetConnection: async () => {},
    interceptors: [
      prepareAll,
      ...(isTracing() ? [traceStatements()] : []),
      ...(options.checkRows ? [checkRows] : []),
      ...(options.onStatement ? [reportStatements(options.onStatement)] : []),
      ...(options.onNotice ? [reportNotices(options.onNotice)] : []),
    ],
  })
  const pool = inSlots(slonik, connectionSlots(options.size))
  if (readAddress(databaseUrl).isDistributed) distributed.add(pool)
  return pool
}

/** Starts a query whose rows have this valibot shape: ``rows(v.object({ id: v.string() }))`select ...` ``. */
export const rows = <S extends v.GenericSchema>(schema: S) => sql.type(schema)

/** A statement without rows. */
export const statement = sql.type(v.object({}))

/** A JSON value as one text parameter, cast in SQL: rows for `jsonb_to_recordset`. */
export function jsonParameter(value: unknown): PrimitiveValueExpression {
  return JSON.stringify(value)
}
