/**
 * One tenant in a schema of its own, made by commands as any tenant is, in parts that may be repeated: what a grown database is
 * copied from. Each part has ids of its own range, so that a copy of it moves them all alike, also where they stand in texts.
 */
import { Client } from 'pg'
import { issueKey } from '../../lib/access/keys.ts'
import { createTenant } from '../../lib/access/tenants.ts'
import { scopes } from '../../lib/nouns.ts'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { createPool, withPlansByKey } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { run } from '../commands.ts'
import type { Answer } from '../types.ts'

/**
 * `base`: the tenant, its key, places and units. `catalogue`: partners, products, stock and open orders. `trade` and `counts` are of one
 * catalogue and leave its stock as it was, however often they are repeated: orders that are bought, made, sold and given back,
 * and stock that is moved and counted.
 */
export const parts = ['base', 'catalogue', 'trade', 'counts'] as const
export type PartName = (typeof parts)[number]

/** Ids of a part, and of each copy of it: `<number of the block><three digits>`. */
export const IDS_PER_BLOCK = 1_000
/** The number of the template's block: nine digits that stand in no other text, above all ids of a grown database. */
export const blockOf = (part: PartName): number => 900_000_001 + parts.indexOf(part)
/** The owner of every grown tenant. */
export const GROWN_OWNER = 'owner@grown.example'
/** Where an event's body has its sequence. */
export const SEQUENCE_MARK = '~sequence~'

export type Part = {
  readonly name: PartName
  readonly startedAt: string
  readonly tookMs: number
  readonly events: number
  readonly movements: number
  readonly orders: number
  /** Counted numbers by kind of document. */
  readonly counts: Readonly<Record<string, number>>
}

type Write = (endpoint: string, body: unknown, of?: Answer) => Promise<Answer>
type Base = { readonly warehouse: string; readonly shop: string; readonly operation: string }
type Catalogue = {
  readonly supplier: string
  readonly customer: string
  readonly materials: readonly string[]
  readonly lamp: string
  readonly chairs: readonly string[]
  readonly table: string
}

const variantsOf = (product: Answer): string[] => (product['variants'] as { id: string }[]).map(({ id }) => id)
const lines = (ids: readonly string[], quantity: number, rest: object = {}) =>
  ids.map(item_variant_id => ({ item_variant_id, quantity, ...rest }))

const MATERIAL_COST = 2.5
const GOODS_COST = 5

async function fillBase(write: Write): Promise<Base> {
  const warehouse = await write('createStoragePlace', { title: 'Warehouse' })
  const shop = await write('createStoragePlace', { title: 'Shop', manufacturing_allowed: false })
  await write('createProduct', { title: 'Steel', type: 'MATERIAL', unit_name: 'kg', sku: 'STEEL' })
  const bolt = await write('createProduct', { title: 'Bolt', type: 'MATERIAL', sku: 'BOLT' })
  const operation = await write('createOperation', { title: 'Assembly', cost_per_hour: 12 })
  const items = lines(variantsOf(bolt), 1)
  const order = await write('createSalesOrder', { customer: { title: 'Walk-in customer' }, items })
  await write('updateSalesOrder', { status: 'CANCELLED' }, order)
  // Switched off: whatever is written to a grown tenant later goes nowhere.
  await write('createWebhookSubscription', {
    url: 'https://example.com/hooks',
    events: ['sales_order.created', 'sales_order.shipped'],
    enabled: false,
  })
  return { warehouse: warehouse.id, shop: shop.id, operation: operation.id }
}

async function fillCatalogue(write: Write, base: Base): Promise<Catalogue> {
  const block = blockOf('catalogue')
  const supplier = await write('createSupplier', { title: `Supplier ${block}`, country_code: 'DE' })
  const customer = await write('createCustomer', { title: `Customer ${block}`, email: `c${block}@example.com` })
  const product = async (title: string, body: object) =>
    variantsOf(await write('createProduct', { title: `${title} ${block}`, ...body }))
  const materials: string[] = []
  for (const n of [1, 2, 3, 4]) {
    const body = { type: 'MATERIAL', sku: `M${n}-${block}`, purchase_price: MATERIAL_COST, minimum_stock: 2 }
    materials.push(...(await product('Material', body)))
  }
  const [lamp = ''] = await product('Lamp', { sku: `LAMP-${block}`, price: 12 })
  const chairs = await product('Chair', {
    variants: ['red', 'green', 'blue'].map(title => ({ title, sku: `CHAIR-${title}-${block}`, price: 14 })),
  })
  const [table = ''] = await product('Table', { sku: `TABLE-${block}`, price: 49, batch_tracked: true })
  await write('createRecipe', {
    item_variant_id: table,
    materials: materials.slice(0, 2).map((id, n) => ({ item_variant_id: id, quantity: 2 - n })),
    operations: [{ operation_id: base.operation, duration: 0.1 }],
  })
  await write('createStockAdjustment', {
    reason: 'INITIAL',
    storage_place_id: base.warehouse,
    items: [
      ...lines(materials, 100, { unit_cost: MATERIAL_COST }),
      ...lines([lamp, ...chairs], 100, { unit_cost: GOODS_COST }),
    ],
  })
  const catalogue = { supplier: supplier.id, customer: customer.id, materials, lamp, chairs, table }
  await write('createSalesOrder', { customer_id: customer.id, items: lines(chairs, 2, { tax_rate: 19 }) })
  await write('createPurchaseOrder', { supplier_id: supplier.id, items: lines(materials.slice(3), 50) })
  await write('createManufacturingOrder', { item_variant_id: table, quantity: 1 })
  // Once here, so that repeating them finds every entry of the stock.
  await trade(write, base, catalogue, block)
  await count(write, base, catalogue)
  return catalogue
}

async function trade(write: Write, { warehouse }: Base, catalogue: Catalogue, block: number): Promise<void> {
  const { supplier, customer, materials, lamp, chairs, table } = catalogue
  const [first = '', second = ''] = materials
  const purchase = await write('createPurchaseOrder', {
    supplier_id: supplier,
    items: [
      ...lines([first], 4, { price: MATERIAL_COST }),
      ...lines([second], 2, { price: MATERIAL_COST }),
      ...lines([lamp], 5, { price: GOODS_COST }),
    ],
  })
  await write('createPurchaseReceipt', { storage_place_id: warehouse }, purchase)
  const output = { item_variant_id: table, quantity: 2, output_batch_number: `LOT-${block}` }
  const making = await write('createManufacturingOrder', output)
  await write('startManufacturingOrder', {}, making)
  await write('completeManufacturingOrder', {}, making)
  const sell = (items: readonly object[]) => write('createSalesOrder', { customer_id: customer, items })
  const sold = await sell([...lines([table], 2, { tax_rate: 19 }), ...lines([lamp], 5, { tax_rate: 19 })])
  await write('createPacking', {}, sold)
  await write('createShipment', {}, sold)
  const [, lampLine] = sold['items'] as { id: string }[]
  const back = await write('createSalesReturn', {
    sales_order_id: sold.id,
    items: [{ sales_order_item_id: lampLine?.id, quantity: 1, reason: 'damaged' }],
  })
  await write('receiveSalesReturn', {}, back)
  await write('createShipment', {}, await sell(lines([lamp], 1)))
  await write('updateSalesOrder', { status: 'CANCELLED' }, await sell(lines(chairs.slice(0, 1), 1)))
}

async function count(write: Write, { warehouse, shop }: Base, catalogue: Catalogue): Promise<void> {
  const { materials, lamp, chairs } = catalogue
  const move = (from: string, to: string) =>
    write('createStockTransfer', {
      from_storage_place_id: from,
      to_storage_place_id: to,
      items: lines([...materials, lamp, ...chairs], 3),
    })
  await move(warehouse, shop)
  await move(shop, warehouse)
  const adjust = (reason: string, quantity: number, rest: object) =>
    write('createStockAdjustment', { reason, storage_place_id: warehouse, items: lines(materials, quantity, rest) })
  await adjust('DAMAGE', -1, {})
  await adjust('COUNT', 1, { unit_cost: MATERIAL_COST })
}

/** What all has, but for what is empty: the same before and after `trade` and `counts`. */
const stockOf = `
  select coalesce(string_agg(held, ' ' order by held), '') as held from (
    select concat_ws('/', id, quantity, quarantine_quantity, reserved_quantity, expected_quantity) as held
    from stock_levels where quantity <> 0 or reserved_quantity <> 0 or expected_quantity <> 0
    union all
    select concat_ws('/', item_variant_id, place_key, quantity, value) from stock_balances where quantity <> 0
  ) s`

const state = `
  select date_trunc('milliseconds', clock_timestamp())::text as at, extract(epoch from clock_timestamp())::float8 * 1000 as ms, s.event_sequence::int as events, s.document_counts as counts,
    (select count(*)::int from stock_movements) as movements,
    (select count(*)::int from purchase_orders) + (select count(*)::int from sales_orders)
      + (select count(*)::int from manufacturing_orders) as orders
  from tenant_streams s`
type State = {
  readonly at: string
  readonly ms: number
  readonly events: number
  readonly counts: Readonly<Record<string, number>>
  readonly movements: number
  readonly orders: number
}

/** Gives the part's events ids of its range and a place for their sequence, and makes a delivery of each that was asked for. */
const finish = (block: number, eventsBefore: number) => `
  with renamed as (
    update events e set
      body = regexp_replace(replace(e.body, substr(e.body, 8, 36), n.id), '"sequence":\\d+', '"sequence":${SEQUENCE_MARK}')
    from (select sequence, 'evt_${block}' || lpad((sequence - ${eventsBefore})::text, 23, '0') as id from events) n
    where n.sequence = e.sequence and e.sequence > ${eventsBefore}
    returning e.*, n.id as event_id
  )
  insert into webhook_deliveries (
    tenant_id, subscription_id, generation, event_id, event_type, sequence, status, attempts, round_attempts, response_status,
    duration_ms, created_at, completed_at
  )
  select e.tenant_id, s.id, s.generation, e.event_id, e.type, e.sequence, 'succeeded', 1, 1, 200, 20, e.created_at, e.created_at
  from renamed e join webhook_subscriptions s on e.type = any (s.events)
  order by e.sequence`

/** What is noted of past balances after the last movement: what there is. */
const note = `
  insert into past_stock_balances (tenant_id, item_variant_id, movement_id, place_key, quantity, value)
  select b.tenant_id, b.item_variant_id, (select max(id) from stock_movements), b.place_key, b.quantity, b.value
  from stock_balances b where exists (select from stock_movements m where m.item_variant_id = b.item_variant_id)`

/** Makes the template in the schema that the URL's search path names, which is empty. */
export async function makeTemplate(databaseUrl: string): Promise<readonly Part[]> {
  await migrate(databaseUrl)
  const timeouts = { statementTimeoutMs: 60_000, idleInTransactionTimeoutMs: 60_000 }
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const pool = await createPool(databaseUrl, { ...timeouts, size: 1 })
  const connections = new RoundTripPool(withPlansByKey(databaseUrl), { ...timeouts, size: 1 })
  const one = async <T>(text: string): Promise<T> => (await client.query(text)).rows[0] as T
  const idsOf = (part: PartName) => client.query(`select setval('ids', ${blockOf(part) * IDS_PER_BLOCK}, false)`)
  try {
    await idsOf('base')
    const owner = { name: `Grown ${blockOf('base')}`, ownerEmail: GROWN_OWNER }
    const tenantId = await createTenant(pool, { ...owner, plan: 'pro', currency: 'EUR' })
    const limits = { ratePerMinute: 600, burst: 100, dailyDocuments: 100_000 }
    const key = await issueKey(pool, { tenantId, name: 'grown', scopes: [...scopes], ...limits })
    const actor = { keyId: key?.keyId ?? '', userName: 'grown' }
    const made: Part[] = []
    const within = async <T>(name: PartName, fill: (write: Write) => Promise<T>): Promise<T> => {
      const block = blockOf(name)
      await idsOf(name)
      // The tenant and its key are of the first part.
      if (name === 'base') await client.query(`select setval('ids', ${key?.keyId})`)
      const [before, stockBefore] = [await one<State>(state), await one<{ held: string }>(stockOf)]
      let writes = 0
      const result = await fill((endpoint, body, of) => {
        const name = `${block}-${writes++}`
        const given = { actor, idempotencyKey: `key-${name}`, requestId: `req_${name}` }
        return connections.use(connection =>
          run(connection, tenantId, endpoint, body, { ...given, ...(of ? { params: { id: of.id } } : {}) }),
        )
      })
      const isRepeated = name === 'trade' || name === 'counts'
      if (isRepeated && stockBefore.held !== (await one<{ held: string }>(stockOf)).held)
        throw new Error(`${name} changes the stock`)
      if (isRepeated) await client.query(note)
      await client.query(finish(block, before.events))
      const after = await one<State>(state)
      const { last } = await one<{ last: string }>('select last_value as last from ids')
      if (Math.floor(Number(last) / IDS_PER_BLOCK) !== block)
        throw new Error(`${name} takes more than ${IDS_PER_BLOCK} ids`)
      const kinds = Object.entries(after.counts)
      made.push({
        name,
        startedAt: before.at,
        tookMs: after.ms - before.ms,
        events: after.events - before.events,
        movements: after.movements - before.movements,
        orders: after.orders - before.orders,
        counts: Object.fromEntries(kinds.map(([kind, count]) => [kind, count - (before.counts[kind] ?? 0)])),
      })
      return result
    }
    const base = await within('base', fillBase)
    const catalogue = await within('catalogue', write => fillCatalogue(write, base))
    await within('trade', write => trade(write, base, catalogue, blockOf('trade')))
    await within('counts', write => count(write, base, catalogue))
    await client.query(`
      insert into webhook_relays (tenant_id, relayed_sequence) select tenant_id, event_sequence from tenant_streams
      on conflict do nothing`)
    return made
  } finally {
    await connections.end()
    await pool.end()
    await client.end()
  }
}
