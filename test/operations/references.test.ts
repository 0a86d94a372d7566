/** `reconcile` checks all references for which the database has no foreign keys. */

import { Client } from 'pg'
import { references } from '../../lib/tools/reconcile/references.ts'
import { salesroom } from '../sales/salesroom.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const client = new Client({ connectionString: bench.databaseUrl })
test.before(() => client.connect())
test.after.always(() => client.end())

test('a record that refers to what is not there is told by table, column and id', async t => {
  const { tenant } = await salesroom(bench)
  const of = [tenant.id]
  await client.query('begin')
  await client.query('set local session_replication_role = replica') // no foreign keys, as in a service
  await client.query(
    `insert into sales_orders (tenant_id, id, number, status, delivery_status, customer_id, currency, priority, allow_backorder, total_amount, tax_amount, created_at, updated_at)
     values ($1, 1, 'SO-X', 'OPEN', 'NOT_SHIPPED', 2, 'EUR', 0, true, 0, 0, now(), now())`,
    of,
  )
  await client.query('commit')
  const faults = await bench.faults(tenant.id)
  t.deepEqual(
    faults.filter(({ check }) => check === 'what records refer to is there').map(({ subject }) => subject),
    ['sales_orders: customer_id 2'],
  )
})

/** Ids that name no record of a single table, or one whose rows need no check of their own. */
const others = new Set([
  'stock_movements.source_id', // of several tables, according to source_type
  // The checks of the books cover them.
  'stock_movements.entry_id',
  ...['entry_id', 'source_id'].map(column => `book_lines.${column}`),
  ...['book_notes.after_entry_id', 'book_notes.entry_id', 'book_turnovers.entry_id'],
  'reconciliations.last_tenant_id', // how far a run has come
  'commands.key_id', // keys that ended are removed
  'security_recent.key_id',
  'stock_adjustments.stock_count_id', // counts name adjustments: a check of counts covers both directions
  'sales_packing_items.sales_order_item_id', // a line may be removed after it was packed
  // A check of barcodes covers both directions.
  'variant_barcodes.item_variant_id',
  'variant_barcodes.item_id',
  // Checks of kits cover both directions.
  ...['item_variant_id', 'kit_variant_id'].map(column => `kit_components.${column}`),
  ...['item_variant_id', 'document_id', 'line_id'].map(column => `kit_lines.${column}`),
  ...['batch_id', 'document_id', 'line_id'].map(column => `kit_batches.${column}`),
  // An order may lose lines that only cancelled returns name. The checks of refunds cover the others.
  'sales_return_items.sales_order_item_id',
  'sales_return_charges.sales_order_charge_id',
])

test('every column of a table that grows with the business which names another record is proved, or a foreign key', async t => {
  const { rows } = await client.query<{ name: string }>(`
    select c.table_name || '.' || c.column_name as name
    from information_schema.columns c join pg_class k on k.relname = c.table_name and k.relkind = 'r' and not k.relispartition
    where c.table_schema = 'public' and c.column_name like '%\\_id' and c.data_type = 'bigint' and c.column_name <> 'tenant_id'
      and c.is_generated = 'NEVER'`)
  const { rows: keys } = await client.query<{ table: string; columns: string[] }>(`
    select conrelid::regclass::text as table,
      array(select attname::text from unnest(conkey) k join pg_attribute a on a.attrelid = conrelid and a.attnum = k) as columns
    from pg_constraint where contype = 'f'`)
  const known = new Set([
    ...references.flatMap(({ table, columns }) => columns.split(', ').map(column => `${table}.${column}`)),
    ...keys.flatMap(({ table, columns }) => columns.map(column => `${table}.${column}`)),
  ])
  t.deepEqual(
    rows.map(({ name }) => name).filter(name => !known.has(name) && !others.has(name)),
    [],
  )
})
