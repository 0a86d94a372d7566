/**
 * The rows behind the lists of an export, from which `tenant import` makes the tenant again: the columns and rows of each table. A table
 * that a migration adds is exported, too. The file contains no token and no secret. lib/tools/tenant-import reads it.
 */
import * as v from 'valibot'
import { fixedFragment, rows, sql, statement, type WritingConnection } from '../../platform/postgres/postgres.ts'
import { inWritingOrder, PRESENCE, TENANT_TABLES } from '../moves/tables.ts'

/** Its first line names the migrations of the schema. Then each table has a line with its columns, and a line for each row. */
export const ROWS = 'rows.jsonl'

const PAGE_ROWS = 1_000

/** Columns whose values are not exported. The import writes this SQL instead. */
export const writtenAnew: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tenants: { suspended_at: 'null', moving: 'null' },
  // Without answers, and with a fingerprint that no request has: a retry is refused, and nothing is done twice.
  commands: {
    ...{
      fingerprint: `'\\x'::bytea`,
      body: 'null',
      key_id: '0',
      quota_group: 'null',
      quota_day: 'null',
      request_id: `''`,
    },
    ...{ id: 'null', method: 'null', path: 'null', user_name: 'null' },
    ...{ first_sequence: 'null', last_sequence: 'null', body_sequence: 'null' },
  },
  // New events count from 1. Nothing is sent before the subscription has a secret that its owner knows.
  webhook_relays: { relayed_sequence: '0' },
  webhook_subscriptions: { enabled: 'false', status: `'disabled'`, from_sequence: '0', disabled_at: 'now()' },
  // The row counts events of the new cell.
  [PRESENCE]: { event_sequence: '0', generation: '1', event_gap: '0' },
}

/** Tables with rows of tenants that are not exported, each with the reason. All other tables are exported. */
export const left: Readonly<Record<string, string>> = {
  api_keys: 'a token of the other installation opens nothing here',
  book_notes: 'housekeeping makes them of the lines of the books',
  book_turnovers: 'housekeeping makes them of the lines of the books',
  event_gaps: 'events count from 1',
  events: 'they name the ids of the other installation, whose readers have them',
  mails: 'the other installation sent them',
  operator_actions: 'the trail of the other installation',
  refused_commands: 'a refusal is decided anew',
  refused_requests: 'of keys of the other installation',
  security_hours: 'of keys of the other installation',
  security_networks: 'of keys of the other installation',
  security_recent: 'of keys of the other installation',
  spent_documents: 'of keys of the other installation',
  webhook_deliveries: 'of events of the other installation',
  webhook_recoveries: 'of events of the other installation',
  webhook_secrets: 'a secret leaves no installation',
}

export type RowColumn = { readonly name: string /** As casts name it. */; readonly type: string }

/** Whether a column contains ids of the tenant's records. No number is a bigint except those that the import writes itself. */
export const isId = ({ type }: RowColumn): boolean => type === 'bigint'

/** Whether a column contains parts of lines with ids, as arrays of objects. */
export const hasIdsInParts = ({ name, type }: RowColumn): boolean => type === 'jsonb' && name === 'components'

export type TableColumns = { readonly table: string; readonly columns: readonly RowColumn[] }

/**
 * The tables whose rows an import needs, in an order in which rows may be written, each with its columns except `tenant_id`. The last table
 * says that the tenant lives here: nobody sees anything of the tenant before.
 */
export async function carriedTables(connection: WritingConnection): Promise<readonly TableColumns[]> {
  const Table = v.looseObject({ name: v.string(), refers: v.array(v.string()) })
  const all = inWritingOrder(await connection.any(rows(Table)`${fixedFragment(TENANT_TABLES)}`)).map(({ name }) => name)
  const names = [...all.filter(name => !(name in left) && name !== PRESENCE), PRESENCE]
  const Column = v.object({ table: v.string(), name: v.string(), type: v.string() })
  const found = await connection.any(rows(Column)`
    select c.relname::text as table, a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relname = any(${sql.array(names, 'text')})
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname <> 'tenant_id'
    order by a.attnum`)
  return names.map(table => {
    const columns = found.filter(each => each.table === table && !(each.name in (writtenAnew[table] ?? {})))
    return { table, columns: columns.map(({ name, type }) => ({ name, type })) }
  })
}

/** The names of the migrations of the schema. */
export async function migrationsOf(connection: WritingConnection): Promise<readonly string[]> {
  const found = await connection.any(rows(v.object({ name: v.string() }))`select name from migrations order by name`)
  return found.map(({ name }) => name)
}

/** The lines of the file, a page at a time. Values are texts as PostgreSQL writes them, so that each is exact. */
export async function* rowLines(snapshot: WritingConnection, tenantId: string): AsyncGenerator<readonly string[]> {
  yield [JSON.stringify({ migrations: await migrationsOf(snapshot) })]
  for (const { table, columns } of await carriedTables(snapshot)) {
    yield [JSON.stringify({ table, columns: columns.map(({ name }) => name) })]
    const values = columns.map(({ name }) => `"${name}"::text`).join(', ')
    await run(
      snapshot,
      `declare of_table no scroll cursor for
       select json_build_array(${values})::text as line from ${table} where tenant_id = ${BigInt(tenantId)}`,
    )
    for (let count = PAGE_ROWS; count === PAGE_ROWS; ) {
      const page = await snapshot.any(
        rows(v.object({ line: v.string() }))`${fixedFragment(`fetch ${PAGE_ROWS} from of_table`)}`,
      )
      count = page.length
      if (count > 0) yield page.map(({ line }) => line)
    }
    await run(snapshot, 'close of_table')
  }
}

const run = (connection: WritingConnection, text: string) => connection.query(statement`${fixedFragment(text)}`)
