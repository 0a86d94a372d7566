/**
 * The rows behind the lists of an export, from which `tenant import` makes the tenant again: of each table its columns and rows. It holds no
 * token and no secret. lib/tools/tenant-import reads the file.
 */
import * as v from 'valibot'
import { fixedFragment, rows, sql, statement, type WritingConnection } from '../../platform/postgres/postgres.ts'

/** Its first line names the migrations of the schema; then for each table a line with its columns, and a line for each row. */
export const ROWS = 'rows.jsonl'

const PAGE_ROWS = 1_000

/**
 * The tables whose rows an import needs, in an order in which rows may be written. The value of a column that is named here is not
 * exported: the import writes this SQL instead.
 */
export const carried = {
  tenants: { suspended_at: 'null', moving: 'null' },
  // Without answers and under a fingerprint that no request has: a retry is refused, and nothing is done twice.
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
  customers: {},
  storage_places: {},
  suppliers: {},
  units: {},
  users: {},
  // New events count from 1, and nothing is sent before the subscription has a secret that its owner knows.
  webhook_relays: { relayed_sequence: '0' },
  webhook_subscriptions: { enabled: 'false', status: `'disabled'`, from_sequence: '0', disabled_at: 'now()' },
  items: {},
  operations: {},
  purchase_orders: {},
  sales_orders: {},
  stock_adjustments: {},
  stock_transfers: {},
  item_variants: {},
  product_texts: {},
  purchase_receipts: {},
  reservations: {},
  sales_order_charges: {},
  sales_packings: {},
  sales_returns: {},
  sales_shipments: {},
  stock_counts: {},
  batches: {},
  landed_costs: {},
  purchase_order_items: {},
  recipes: {},
  reservation_items: {},
  sales_order_items: {},
  stock_balances: {},
  supplier_items: {},
  landed_cost_items: {},
  manufacturing_orders: {},
  purchase_receipt_items: {},
  recipe_materials: {},
  recipe_operations: {},
  sales_packing_items: {},
  sales_return_items: {},
  sales_shipment_items: {},
  stock_adjustment_items: {},
  stock_count_items: {},
  stock_levels: {},
  stock_transfer_items: {},
  landed_cost_allocations: {},
  manufacturing_order_items: {},
  manufacturing_order_tasks: {},
  stock_movements: {},
  past_stock_balances: {},
  past_stock_balances_progress: {},
  // Says that the tenant lives here: nobody sees anything of the tenant before. It counts events of the new cell.
  tenant_streams: { event_sequence: '0', generation: '1', event_gap: '0' },
} satisfies Record<string, Readonly<Record<string, string>>>

/** The other tables with rows of tenants, each with the reason why an import makes none. */
export const left = {
  api_keys: 'a token of the other installation opens nothing here',
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
} satisfies Record<string, string>

export type CarriedTable = keyof typeof carried
export type RowColumn = { readonly name: string /** As casts name it. */; readonly type: string }

/** The columns that the import writes by itself, each with its SQL. */
export const writtenAnew = (table: CarriedTable): Readonly<Record<string, string>> => carried[table]

/** Of columns of rows: an id of the tenant's records. No number is a bigint but those that are written anew. */
export const isId = ({ type }: RowColumn): boolean => type === 'bigint'

export type TableColumns = { readonly table: CarriedTable; readonly columns: readonly RowColumn[] }

/** The carried tables with the columns that rows have, in order; `tenant_id` is none of them. */
export async function carriedTables(connection: WritingConnection): Promise<readonly TableColumns[]> {
  const Row = v.object({ table: v.string(), name: v.string(), type: v.string() })
  const found = await connection.any(rows(Row)`
    select c.relname::text as table, a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relname = any(${sql.array(Object.keys(carried), 'text')})
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname <> 'tenant_id'
    order by a.attnum`)
  return Object.keys(carried).map(name => {
    const table = name as CarriedTable
    const columns = found.filter(each => each.table === table && !(each.name in writtenAnew(table)))
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
