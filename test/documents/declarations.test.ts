/** Every declared document agrees with its table, and both renderers show it as the same text. */

import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import * as v from 'valibot'
import { createOperation } from '../../lib/domain/manufacturing/operations/commands.ts'
import { customerEndpoints } from '../../lib/domain/partners/endpoints.ts'
import type { Document } from '../../lib/kit/documents/document.ts'
import type { AnyNoun } from '../../lib/kit/documents/noun.ts'
import { documentJson } from '../../lib/kit/documents/render.ts'
import { loadFreeNumbers } from '../../lib/kit/documents/statements.ts'
import { fixedFragment, rows, sql, withPlansByKey } from '../../lib/platform/postgres/postgres.ts'
import { salesroom } from '../sales/salesroom.ts'
import { benchOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const root = fileURLToPath(new URL('../../', import.meta.url))
const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && 'columns' in value && 'rank' in value

async function declared(): Promise<Document[]> {
  const documents = new Set<Document>()
  for await (const file of glob('lib/**/{document,noun,users}.ts', { cwd: root })) {
    if (file.startsWith('lib/kit/')) continue
    for (const value of Object.values(await import(`${root}${file}`))) if (isDocument(value)) documents.add(value)
  }
  return [...documents]
}

const Column = v.object({ name: v.string(), type: v.string(), nullable: v.boolean(), filled: v.boolean() })

async function columnsOf(table: string) {
  const found = await bench.pool.any(rows(Column)`
    select column_name as name, udt_name as type, is_nullable = 'YES' as nullable,
      column_default is not null or is_generated = 'ALWAYS' as filled
    from information_schema.columns where table_schema = 'public' and table_name = ${table}`)
  return new Map(found.map(column => [column.name, column]))
}

/** The names that PostgreSQL has for the types of declarations. */
const typeNames: Readonly<Record<string, string>> = {
  bigint: 'int8',
  integer: 'int4',
  boolean: 'bool',
  'text[]': '_text',
}

test('the declared columns are those of the table: name, type, and whether they may be null', async t => {
  const documents = await declared()
  t.true(documents.length >= 15, `${documents.length} documents were found`)
  for (const document of documents) {
    const columns = await columnsOf(document.table)
    t.true(columns.size > 0, `there is no table ${document.table}`)
    for (const { column, field } of document.columns.filter(({ field }) => field.source === undefined)) {
      const stored = columns.get(column)
      const where = `${document.table}.${column}`
      t.truthy(stored, `${where} is declared and not there`)
      t.is(stored?.type, typeNames[field.type] ?? field.type, where)
      t.is(stored?.nullable, field.nullable, `${where} may be null`)
    }
    // The ledger writes the rows of these documents with statements of its own.
    if ('scopes' in document && !('create' in (document as AnyNoun).scopes)) continue
    const known = new Set(['tenant_id', ...document.columns.map(({ column }) => column)])
    for (const { name, nullable, filled } of columns.values())
      t.true(known.has(name) || nullable || filled, `${document.table}.${name} must be given and is not declared`)
  }
})

const odd = 'Öl "x" \\ / \u0001\t\n é 💧 </script> \u2028'

test('a command answers and tells the very text that reads show, whatever it holds', async t => {
  const room = await salesroom(bench)
  const { tenant } = room
  const main = await room.place(odd)
  const milk = await room.variant('MILK', { batch_tracked: true, price: 0.123456, title: odd })
  const wood = await room.variant('WOOD', { price: 33333.333333 })
  await room.adjust([
    itemLine(milk, 3.000001, { unit_cost: 0.333333, batch_number: odd, expiry_date: '2027-01-31' }),
    itemLine(wood, 99999999.999999, { unit_cost: 0 }),
  ])
  await tenant.done(createOperation, { title: odd, cost_per_hour: 0.1, unit_name: odd.slice(0, 8) })
  const customer = await tenant.done(customerEndpoints.create, { title: odd, country_code: 'DE' })
  const order = await room.order(
    [itemLine(milk, 2.5, { tax_rate: 19.1234 }), itemLine(wood, 0.000001, { storage_place_id: main })],
    { customer_id: customer.id, notes: odd, priority: -2147483648, delivery_date: '2027-02-28T23:59:59.999Z' },
  )
  await room.change(order, { notes: null, priority: 7 })
  await room.ship(order, { items: [{ sales_order_item_id: order.items[0].id, quantity: 1.25 }] })
  await room.giveBack(order, [{ sales_order_item_id: order.items[0].id, quantity: 0.5, reason_note: odd }])
  const told = await bench.pool.any(rows(v.object({ type: v.string(), data: v.string() }))`
    select distinct on (split_part(type, '.', 1), (body::json -> 'data') ->> 'id') type,
      substring(body from '"data":(.*),"previous":') as data
    from events where tenant_id = ${tenant.id}::bigint and type <> 'stock.changed'
    order by split_part(type, '.', 1), (body::json -> 'data') ->> 'id', sequence desc`)
  const kinds = new Map((await declared()).map(document => [document.kind, document]))
  let compared = 0
  for (const { type, data } of told) {
    const document = kinds.get(type.split('.')[0] ?? '')
    if (!document) continue
    const { id, sales_return } = JSON.parse(data)
    const read = await bench.pool.one(rows(v.object({ text: v.string() }))`
      select ${fixedFragment(documentJson(document, 'd'))} as text from ${sql.identifier([document.table])} d
      where d.tenant_id = ${tenant.id}::bigint and d.id = ${id ?? sales_return.id}::bigint`)
    t.is(data, read.text, type)
    compared++
  }
  t.true(compared >= 6, `${compared} documents were compared`)
})

test('the next number is looked up by its index, also when the table was nearly empty as the statement was planned', async t => {
  const client = new Client({ connectionString: withPlansByKey(bench.databaseUrl) })
  await client.connect()
  t.teardown(() => client.end())
  await client.query('analyze')
  const numbered = (await declared()).filter(({ prefix }) => prefix !== null)
  t.true(numbered.length >= 8)
  for (const document of numbered) {
    const { text } = loadFreeNumbers(document, new Map([['1', 1]]))
    const { rows: lines } = await client.query(`explain (generic_plan) ${text}`)
    const plan = lines.map(line => line['QUERY PLAN']).join('\n')
    t.regex(plan, new RegExp(`using ${document.table}_tenant_id_number_key on `), plan)
  }
})
