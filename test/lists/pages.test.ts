/** A list gives the rows of plain queries, page by page, whichever query plan its statement takes in a large tenant. */
import type { ExecutionContext } from 'ava'
import * as v from 'valibot'
import { listProducts } from '../../lib/domain/catalogue/endpoints.ts'
import { listOrders as listPurchaseOrders } from '../../lib/domain/purchasing/orders/endpoints.ts'
import { listOrders as listSalesOrders } from '../../lib/domain/sales/orders/endpoints.ts'
import type { Endpoint, ListEndpoint, Order } from '../../lib/kit/api/endpoint.ts'
import { isRefusal } from '../../lib/kit/api/errors.ts'
import { validate } from '../../lib/kit/api/validate.ts'
import {
  createPool,
  fixedFragment,
  rows,
  sql,
  statement,
  withPlansByKey,
} from '../../lib/platform/postgres/postgres.ts'
import type { TestTenant } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { readerOn } from '../support/reader-on.ts'
import { testsOf } from '../support/suite.ts'
import { within } from '../support/within.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

/** More orders than a list sorts at a time (lib/kit/api/page-ways.ts). */
const ROWS = 12_000
const FIRST_DAY = '2026-01-01'
const day = (at: number) => new Date(Date.parse(FIRST_DAY) + at * 86_400_000).toISOString()

/**
 * Orders of four months, dated about when they were made. Every 1,000th is dated on the last day, three are due in 40 years, every 7th has
 * no date. The last tenth is open. Every 50th was changed later, in an order other than that of the ids.
 */
async function fill(tenant: TestTenant, table: 'sales_orders' | 'purchase_orders'): Promise<void> {
  const isSale = table === 'sales_orders'
  const partners = isSale ? 'customers' : 'suppliers'
  const { pool } = bench
  await pool.query(statement`
    insert into ${sql.identifier([partners])} (tenant_id, id, title, created_at, updated_at)
    select ${tenant.id}::bigint, nextval('ids'), 'P' || n, now(), now() from generate_series(1, 3) n`)
  const dateOf = `case when n % 7 = 0 then null when n % 1000 = 0 then date '${FIRST_DAY}' + 120
    when n % 5000 = 1 then date '${FIRST_DAY}' + 14600
    else timestamptz '${FIRST_DAY}' + interval '1 day' * (n / 100 + n % 10) end`
  const columns: Record<string, string> = {
    tenant_id: `${tenant.id}::bigint`,
    id: `nextval('ids')`,
    number: `'N-' || n`,
    currency: `'EUR'`,
    total_amount: '0',
    tax_amount: '0',
    created_at: `timestamptz '${FIRST_DAY}' + interval '1 minute' * n`,
    updated_at: `timestamptz '${FIRST_DAY}' + interval '1 minute' * case when n % 50 = 0 then 20000 + n * 7919 % 12007 else n end`,
    [isSale ? 'customer_id' : 'supplier_id']:
      `(select id from ${partners} where tenant_id = ${tenant.id} and title = 'P' || 1 + n % 3)`,
    ...(isSale
      ? {
          status: `case when n > ${ROWS * 0.9} then 'OPEN' when n % 20 = 0 then 'CANCELLED' else 'DONE' end`,
          delivery_status: `case when n > ${ROWS * 0.9} then 'NOT_SHIPPED' when n % 3 = 0 then 'SHIPPED' else 'PARTIALLY_SHIPPED' end`,
          cancelled_at: `case when n <= ${ROWS * 0.9} and n % 20 = 0 then now() end`,
          priority: '0',
          allow_backorder: 'true',
          delivery_date: dateOf,
        }
      : {
          status: `case when n > ${ROWS * 0.9} then 'OPEN' else 'DONE' end`,
          delivery_status: `case when n > ${ROWS * 0.9} then 'NOT_RECEIVED' else 'RECEIVED' end`,
          completed_at: `case when n <= ${ROWS * 0.9} then now() end`,
          exchange_rate: '1',
          date: `timestamptz '${FIRST_DAY}' + interval '1 hour' * (n % 3000)`,
          expected_date: dateOf,
        }),
  }
  await pool.query(statement`
    insert into ${sql.identifier([table])} (${fixedFragment(Object.keys(columns).join())})
    select ${fixedFragment(Object.values(columns).join())} from generate_series(1, ${ROWS}::integer) n order by n`)
}

type Case = { readonly filters: Record<string, string>; readonly where: string }

/** Reads the list from its start and from its middle, in both orders, and compares the ids with those of a plain query. */
async function agrees(
  t: ExecutionContext,
  tenant: TestTenant,
  { list, table, cases }: { readonly list: Endpoint; readonly table: string; readonly cases: readonly Case[] },
): Promise<void> {
  const { page, filters: schema } = list as ListEndpoint
  for (const { filters, where } of cases) {
    const by = 'updated_after' in filters ? ['updated_at', 'id'] : ['id']
    const given = schema ? validate(schema, Object.assign(Object.create(null), filters), 'query') : {}
    if (isRefusal(given)) throw new Error(given.message)
    for (const order of ['asc', 'desc'] as const) {
      const name = `${table} ${JSON.stringify(filters)} ${order}`
      const expected = await bench.pool.anyFirst(rows(v.object({ id: v.string() }))`
        select id::text from ${sql.identifier([table])} r where tenant_id = ${tenant.id} and ${fixedFragment(where)}
        order by ${fixedFragment(by.map(column => `r.${column} ${order}`).join())}`)
      const read = async (from: { readonly after: string | null }, limit: number) => {
        const context = {
          tenantId: tenant.id,
          actor: { keyId: '1', userName: 'T' },
          scopes: new Set<string>(),
          pool: readerOn(bench.pool, tenant.id),
          now: tenant.now,
        }
        const found = await page(context, {
          params: {},
          filters: given as never,
          limit,
          order: order as Order,
          ...from,
        })
        if (isRefusal(found)) throw new Error(found.message)
        return found.map(({ id }) => id)
      }
      const idsOf = (positions: readonly string[]) => positions.map(position => position.split('_').at(-1))
      const first = await read({ after: null }, 40)
      t.deepEqual(idsOf(first), expected.slice(0, 40), name)
      // Reads from the middle of the first page, and from the middle of all rows.
      const [middle] = first.slice(19)
      if (middle !== undefined)
        t.deepEqual(idsOf(await read({ after: middle }, 40)), expected.slice(20, 60), `${name} page 2`)
      const half = Math.floor(expected.length / 2)
      if (by.length > 1 || half === 0) continue
      const rest = await read({ after: expected[half - 1] ?? null }, 200)
      t.deepEqual(rest, expected.slice(half, half + 200), `${name} half`)
    }
  }
}

test('lists of orders show what filters say, in either order, from any position', async t => {
  const tenant = await bench.tenant()
  await fill(tenant, 'sales_orders')
  const dated = (from: number, until: number) => `delivery_date >= '${day(from)}' and delivery_date < '${day(until)}'`
  const [first, customer, third] = await bench.pool.anyFirst(rows(v.object({ id: v.string() }))`
    select id::text from customers where tenant_id = ${tenant.id} order by title`)
  if (first === undefined || customer === undefined || third === undefined) throw new Error('no customers')
  const several = { customer_id: `${third},${first},${third}` }
  const ofSeveral = `customer_id in (${first}, ${third})`
  const ids = await bench.pool.anyFirst(rows(v.object({ id: v.string() }))`
    select id::text from sales_orders where tenant_id = ${tenant.id} and right(number, 2) = '17' order by number limit 100`)
  const named = { id: ids.join() }
  const areNamed = `id in (${ids.join()})`
  const cases: Case[] = [
    { filters: {}, where: 'true' },
    { filters: { status: 'OPEN' }, where: "status = 'OPEN'" },
    { filters: { status: 'CANCELLED,OPEN' }, where: "status in ('OPEN', 'CANCELLED')" },
    { filters: { status: 'OPEN', delivery_status: 'SHIPPED,PARTIALLY_SHIPPED' }, where: 'false' },
    { filters: { status: 'OPEN', delivery_status: 'SHIPPED,NOT_SHIPPED' }, where: "status = 'OPEN'" },
    {
      filters: { customer_id: customer, status: 'CANCELLED' },
      where: `customer_id = ${customer} and status = 'CANCELLED'`,
    },
    { filters: { delivery_after: day(0) }, where: 'delivery_date is not null' },
    { filters: { delivery_after: day(60), delivery_before: day(61) }, where: dated(60, 61) },
    { filters: { delivery_after: day(60.5), delivery_before: day(90.3) }, where: dated(60.5, 90.3) },
    { filters: { delivery_after: day(110) }, where: dated(110, 99_999) },
    { filters: { delivery_before: day(9) }, where: dated(-10, 9) },
    { filters: { delivery_after: day(500) }, where: dated(500, 99_999) },
    { filters: { delivery_after: day(20_000) }, where: 'false' },
    { filters: { delivery_before: day(40) }, where: dated(-10, 40) },
    {
      filters: { customer_id: customer, delivery_before: day(70) },
      where: `customer_id = ${customer} and ${dated(-1, 70)}`,
    },
    {
      filters: { customer_id: customer, updated_after: day(3) },
      where: `customer_id = ${customer} and updated_at >= '${day(3)}'`,
    },
    { filters: several, where: ofSeveral },
    { filters: { ...several, status: 'CANCELLED,OPEN' }, where: `${ofSeveral} and status <> 'DONE'` },
    { filters: { ...several, delivery_before: day(70) }, where: `${ofSeveral} and ${dated(-1, 70)}` },
    { filters: { ...several, delivery_after: day(110) }, where: `${ofSeveral} and ${dated(110, 99_999)}` },
    { filters: { ...several, updated_after: day(3) }, where: `${ofSeveral} and updated_at >= '${day(3)}'` },
    {
      filters: { ...several, created_after: day(2), delivery_after: day(30) },
      where: `${ofSeveral} and created_at >= '${day(2)}' and ${dated(30, 99_999)}`,
    },
    { filters: { q: 'n-1199' }, where: "number like 'N-1199%'" },
    { filters: { q: 'P2' }, where: `customer_id = ${customer}` },
    { filters: { q: '119 p2' }, where: `number like '%119%' and customer_id = ${customer}` },
    { filters: { q: 'n-119 P' }, where: "number like 'N-119%'" },
    { filters: { q: 'p1 p3' }, where: 'false' },
    { filters: { q: 'n- 7', ...several }, where: `number like '%7%' and ${ofSeveral}` },
    { filters: { q: 'n-', delivery_after: day(110) }, where: dated(110, 99_999) },
    { filters: { q: 'p3', delivery_before: day(20) }, where: `customer_id = ${third} and ${dated(-1, 20)}` },
    { filters: { q: 'n-', updated_after: day(13.5) }, where: `updated_at >= '${day(13.5)}'` },
    {
      filters: { q: 'n-11 p1', updated_after: day(3), created_before: day(8) },
      where: `number like 'N-11%' and customer_id = ${first} and updated_at >= '${day(3)}' and created_at < '${day(8)}'`,
    },
    { filters: { ...named, q: '017' }, where: `${areNamed} and number like '%017%'` },
    { filters: named, where: areNamed },
    { filters: { ...named, ...several }, where: `${areNamed} and ${ofSeveral}` },
    { filters: { ...named, delivery_after: day(30) }, where: `${areNamed} and ${dated(30, 99_999)}` },
    { filters: { ...named, updated_after: day(5) }, where: `${areNamed} and updated_at >= '${day(5)}'` },
    { filters: { ...named, created_before: day(3) }, where: `${areNamed} and created_at < '${day(3)}'` },
    { filters: { status: 'OPEN', delivery_before: day(112) }, where: `status = 'OPEN' and ${dated(-10, 112)}` },
    { filters: { status: 'DONE', delivery_after: day(100) }, where: `status = 'DONE' and ${dated(100, 99_999)}` },
    // One of the two statuses has enough rows for the page among the next rows. The other has them further on.
    {
      filters: { status: 'CANCELLED,DONE', delivery_after: day(30) },
      where: `status <> 'OPEN' and ${dated(30, 99_999)}`,
    },
    {
      filters: { delivery_after: day(30), created_after: `${FIRST_DAY}T10:00` },
      where: `${dated(30, 99_999)} and created_at >= '${FIRST_DAY}T10:00Z'`,
    },
    {
      filters: { created_before: day(2), status: 'CANCELLED' },
      where: `created_at < '${day(2)}' and status = 'CANCELLED'`,
    },
    { filters: { updated_after: day(0) }, where: 'true' },
    { filters: { updated_after: day(13.5) }, where: `updated_at >= '${day(13.5)}'` },
    {
      filters: { updated_after: day(3), status: 'OPEN,CANCELLED' },
      where: `updated_at >= '${day(3)}' and status <> 'DONE'`,
    },
    {
      filters: { updated_after: day(5), delivery_before: day(20) },
      where: `updated_at >= '${day(5)}' and ${dated(-1, 20)}`,
    },
    { filters: { number: 'N-50', q: '5 p' }, where: "number = 'N-50'" },
    { filters: { updated_after: day(5), number: 'N-50' }, where: `updated_at >= '${day(5)}' and number = 'N-50'` },
  ]
  await agrees(t, tenant, { list: listSalesOrders, table: 'sales_orders', cases })

  const other = await bench.tenant()
  await fill(other, 'purchase_orders')
  const bought: Case[] = [
    { filters: { created_after: day(100), status: 'DONE' }, where: `date >= '${day(100)}' and status = 'DONE'` },
    { filters: { created_after: day(1) }, where: `date >= '${day(1)}'` },
    { filters: { created_before: day(60.3) }, where: `date < '${day(60.3)}'` },
    {
      filters: { created_after: day(50), created_before: day(50.5) },
      where: `date >= '${day(50)}' and date < '${day(50.5)}'`,
    },
    {
      filters: { created_before: day(100), expected_before: day(90) },
      where: `date < '${day(100)}' and expected_date < '${day(90)}'`,
    },
    {
      filters: { created_after: day(20), expected_after: day(90) },
      where: `date >= '${day(20)}' and expected_date >= '${day(90)}'`,
    },
    { filters: { status: 'OPEN,DONE', delivery_status: 'NOT_RECEIVED' }, where: "status = 'OPEN'" },
    {
      filters: { expected_after: day(60), expected_before: day(61), created_before: day(40) },
      where: `expected_date >= '${day(60)}' and expected_date < '${day(61)}' and date < '${day(40)}'`,
    },
    {
      filters: { updated_after: day(14), created_before: day(40) },
      where: `updated_at >= '${day(14)}' and date < '${day(40)}'`,
    },
  ]
  await agrees(t, other, { list: listPurchaseOrders, table: 'purchase_orders', cases: bought })
})

test('a search shows what has all its words, whether one product or most have them', async t => {
  const tenant = await bench.tenant()
  // As the connections that write: the words of each product are looked up by key. A session that planned this on small tables reads all of
  // them for each product.
  const writer = await createPool(withPlansByKey(bench.databaseUrl), { size: 1, ...within(30_000) })
  await writer.query(statement`
    with unit as (insert into units (tenant_id, name) values (${tenant.id}::bigint, 'pcs') returning id), made as (
      insert into items (
        tenant_id, title, type, unit_id, is_sellable, is_producible, is_purchasable, batch_tracked, created_at, updated_at
      )
      select ${tenant.id}::bigint,
        concat(case when n % 10 > 0 then 'Chair ' else 'Table ' end, case when n > 11000 then 'oak' else 'pine' end),
        case when n % 3 = 0 then 'MATERIAL' else 'PRODUCT' end, unit.id, true, true, true, false, '2026-01-01',
        timestamptz '2026-01-01' + interval '1 second' * (n * 7919 % 12007)
      from unit, generate_series(1, ${ROWS}::integer) n
      order by n
      returning id, title
    )
    insert into item_variants (tenant_id, item_id, title, sku, active, created_at, updated_at)
    select ${tenant.id}::bigint, id, title, 'SKU-' || row_number() over (order by id), true, now(), now() from made`)
  await writer.end()
  const sku = (text: string) =>
    `exists (select from item_variants v where v.item_id = r.id and v.tenant_id = r.tenant_id and sku like '${text}')`
  const cases: Case[] = [
    { filters: { q: 'chair' }, where: "title like 'Chair%'" },
    { filters: { q: 'OAK tab' }, where: "title = 'Table oak'" },
    { filters: { q: 'oak' }, where: "title like '%oak'" },
    { filters: { q: 'oak', type: 'MATERIAL' }, where: "title like '%oak' and type = 'MATERIAL'" },
    { filters: { q: 'sku-1199 pine' }, where: `title like '%pine' and ${sku('SKU-1199%')}` },
    { filters: { q: 'sku-1199' }, where: sku('SKU-1199%') },
    { filters: { q: '-11 oak t' }, where: `title = 'Table oak' and ${sku('SKU-11%')}` },
    { filters: { q: 'b' }, where: "title like 'Table%'" },
    { filters: { q: '%' }, where: 'false' },
    {
      filters: { q: 'oak', updated_after: '2026-01-01T01:00' },
      where: "title like '%oak' and updated_at >= '2026-01-01T01:00Z'",
    },
  ]
  await agrees(t, tenant, { list: listProducts, table: 'items', cases })
})
