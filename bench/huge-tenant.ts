/**
 * A database of one huge tenant (20,000 variants, 200,000 orders, 1,000,000 movements in two years) beside a thousand small ones: rows as
 * test/scaling has them, and among them a tree of recipes, a batch that goes through six levels, and what is short.
 */
import { Client } from 'pg'
import { notePastBalances } from '../lib/domain/stock/valuation/past-balances.ts'
import { migrate } from '../lib/platform/postgres/migrate.ts'
import { createPool, withPlansByKey } from '../lib/platform/postgres/postgres.ts'
import { fillSkewed, HUGE_BASE, HUGE_ROWS, HUGE_TENANT } from '../test/scaling/skewed-tenants.ts'
import { type PrivateServer, privatePostgres } from '../test/support/servers.ts'

/** The variant that a tree of 2,000 goes into, five to each, on five levels. */
export const ASSEMBLY_ID = String(HUGE_BASE + 1)
const TREE_VARIANTS = 2_000

/** The ends of 40 ways of six levels, with some 1,000 movements in all. */
export const FIRST_BATCH_ID = String(HUGE_BASE + 500_000)
export const LAST_BATCH_ID = String(HUGE_BASE + 500_999)
const [WAYS, LEVELS] = [40, 6]

export const MOVEMENTS = 1_000_000
const DAYS = 730

const sized = (movements: number): Readonly<Record<string, number>> => ({
  commands: movements,
  sales_orders: movements / 10,
  sales_order_items: movements / 5,
  purchase_orders: movements / 20,
  purchase_order_items: movements / 10,
  manufacturing_orders: movements / 20,
  manufacturing_order_items: movements / 10,
  stock_movements: movements,
  // Made as a worker makes them.
  past_stock_balances: 0,
})

const before = (rows: number, days = DAYS) => `now() - interval '${days} days' * (1.0001 - n / ${rows}.0)`
/** The command log is kept for 30 days. */
const LOGGED_DAYS = 29

const valuesOf = (movements: number): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(sized(movements))
      .filter(([, rows]) => rows > 0)
      .flatMap(([table, rows]) => ['created_at', 'updated_at'].map(column => [`${table}.${column}`, before(rows)])),
  ),
  'commands.created_at': before(movements, LOGGED_DAYS),
  'commands.id': `(extract(epoch from ${before(movements, LOGGED_DAYS)}) * 1000)::bigint * 4096 + n % 4096`,
  'storage_places.is_main': 'n = 1',
  // Half of the movements are of a hundredth of the variants.
  'stock_movements.item_variant_id': `base + 1 + case n % 2 when 0 then n / 2 % ${HUGE_ROWS / 100} else n / 2 % ${HUGE_ROWS} end`,
  'stock_movements.document_date': before(movements),
  'purchase_orders.date': before(movements / 20),
  'purchase_receipts.received_date': before(HUGE_ROWS),
  // All have a minimum, and only the last hundred are short.
  minimum_stock: '2',
  'item_variants.has_main_entry': 'true',
  'stock_levels.batch_id': 'null',
  'stock_levels.quantity': '10',
  'stock_balances.quantity': '10',
  reserved_quantity: `case when n > ${HUGE_ROWS - 100} then 30 else 0 end`,
  // Circles are what recipes must not lead in.
  'recipes.item_id': `base + ${HUGE_ROWS / 2} + n % ${HUGE_ROWS / 2}`,
  'recipes.item_variant_id': `case when n % 2 = 0 then base + ${HUGE_ROWS / 2} + n % ${HUGE_ROWS / 2} end`,
  'recipe_materials.item_variant_id': `base + ${HUGE_ROWS / 4} + n % ${HUGE_ROWS / 4}`,
})

const tree = `
  with made as (
    insert into recipes (tenant_id, id, item_id, item_variant_id, created_at, updated_at)
    select ${HUGE_TENANT}, ${HUGE_BASE} + 600000 + n, ${HUGE_BASE} + n, ${HUGE_BASE} + n, now(), now()
    from generate_series(1, ${TREE_VARIANTS / 5}) n
  )
  insert into recipe_materials (tenant_id, recipe_id, id, item_variant_id, quantity)
  select ${HUGE_TENANT}, ${HUGE_BASE} + 600000 + (n + 3) / 5, ${HUGE_BASE} + 600000 + n, ${HUGE_BASE} + n, 1.5
  from generate_series(2, ${TREE_VARIANTS}) n`

/** Each way has a batch of each level between the first and the last, an order that makes it of the one before, a shipment and a count. */
const trace = (movements: number) => `
  with ways as (
    select way, level, ${HUGE_BASE} + 500000 + case level when 0 then 0 when ${LEVELS} then 999 else way * 10 + level end as batch
    from generate_series(1, ${WAYS}) way, generate_series(0, ${LEVELS}) level
  ), batches as (
    insert into batches (tenant_id, id, item_variant_id, number, created_at, updated_at)
    select distinct ${HUGE_TENANT}, batch, ${HUGE_BASE} + 3000 + level, 'LOT-' || batch, now(), now() from ways
  ), orders as (
    -- The last level is one order that takes all ways.
    select w.*, ${HUGE_BASE} + 20000 + case level when ${LEVELS} then 999 else way * 10 + level end as source from ways w
  ), moves as (
    select 'MANUFACTURING_WRITE_OFF' as kind, 'MANUFACTURING_ORDER' as type, b.batch, o.source, -1 as quantity, o.level, 1 as part
    from orders o join ways b on b.way = o.way and b.level = o.level - 1
    union all
    select 'MANUFACTURING_OUTPUT', 'MANUFACTURING_ORDER', batch, source, 5, level, 2 from orders where level > 0
    union all
    select 'SALES_SHIPMENT', 'SALES_SHIPMENT', batch, source - 10000, -1, level, 3 from orders where level between 1 and ${LEVELS - 1}
    union all
    select 'ADJUSTMENT', 'STOCK_ADJUSTMENT', batch, source - 10000, p.quantity, level, p.quantity + 5
    from orders, (values (-1), (2)) p (quantity) where level between 1 and ${LEVELS - 1}
  )
  insert into stock_movements (
    tenant_id, id, stock_level_id, item_variant_id, storage_place_id, batch_id, kind, quantity, value, quantity_after, quarantine_quantity,
    source_type, source_id, document_date, day, entry_id, created_at
  )
  select ${HUGE_TENANT}, ${HUGE_BASE} + ${movements} + row_number() over (order by level, batch, source, part), ${HUGE_BASE} + 1,
    ${HUGE_BASE} + 3000 + level, ${HUGE_BASE} + 1, batch, kind, quantity, 0, 0, 0, type, source, now(), now(), source, now()
  from moves`

/** The variant that 1,000 open lines sell. */
export const BUSY_ID = String(HUGE_BASE + 5_000)

/** So many variants are short then, among them the tree of recipes. */
export const SHORT_VARIANTS = 4_500
const scarcities = [
  `update stock_levels set reserved_quantity = 30 where tenant_id = ${HUGE_TENANT} and item_variant_id <= ${HUGE_BASE + SHORT_VARIANTS}`,
  `update sales_order_items set item_variant_id = ${BUSY_ID}, storage_place_id = ${HUGE_BASE + 1} where tenant_id = ${HUGE_TENANT} and id in (
    select id from sales_order_items
    where tenant_id = ${HUGE_TENANT} and is_open and holds_stock and quantity > shipped_quantity order by id limit 1000
  )`,
]

/** Makes much short in a filled database. */
export async function makeScarce({ url }: PrivateServer): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const scarcity of scarcities) await client.query(scarcity)
  await client.query('vacuum analyze')
  await client.end()
}

/** Fills a Postgres of its own. */
export async function fillHugeTenant(movements: number, say: (what: string) => void): Promise<PrivateServer> {
  const postgres = await privatePostgres()
  await migrate(postgres.url)
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  say('filling')
  await fillSkewed(client, { rows: sized(movements), values: valuesOf(movements) })
  await client.query(tree)
  await client.query(trace(movements))
  await client.query('vacuum analyze')
  const timeouts = { statementTimeoutMs: 60_000, idleInTransactionTimeoutMs: 60_000 }
  const pool = await createPool(withPlansByKey(postgres.url), { ...timeouts, size: 1 })
  say('noting past balances')
  while ((await notePastBalances(pool, 20_000)).seen > 0);
  await pool.end()
  await client.query('vacuum analyze')
  await client.end()
  return postgres
}
