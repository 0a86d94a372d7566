/**
 * The rows of kits: an order of one kit beside the same components as lines, which tells of the kit too, and beside as many lines that no
 * kit knows; and a write that changes a component of many kits at several places.
 */
import * as v from 'valibot'
import { rows } from '../lib/platform/postgres/postgres.ts'
import { type Chain, sell } from './chains.ts'
import { run } from './commands.ts'
import { costsOf, nothing, row } from './compared.ts'
import { type Bench, gatherStatistics, type Say } from './in-turn.ts'
import type { Result } from './table.ts'
import type { Answer, BenchTenant } from './types.ts'
import { usagePer } from './usage.ts'
import { writes } from './writes.ts'

const PARTS = 5
const KITS = 200
const PLACES = 3
const CHANGE_MS_MAX = 50

const variantOf = (product: Answer) => (product['variants'] as { id: string }[])[0]?.id ?? ''

const madeIn =
  ({ world }: Bench, { id }: BenchTenant) =>
  (endpoint: string, body: unknown) =>
    world.connections.use(connection => run(connection, id, endpoint, body))

const kit = (parts: readonly string[], title = 'Kit') => ({
  ...{ title, type: 'KIT', price: 49.95 },
  components: parts.map(item_variant_id => ({ item_variant_id, quantity: 1 })),
})

export async function kitRows(bench: Bench, say: Say): Promise<Result[]> {
  return [...(await orderRows(bench, say)), await changeRow(bench, say)]
}

/** Of tenants that have no other kits. */
async function orderRows(bench: Bench, say: Say): Promise<Result[]> {
  const kits = new Map<string, string>()
  for (const tenant of bench.tenants)
    kits.set(tenant.id, variantOf(await madeIn(bench, tenant)('createProduct', kit(tenant.materialIds.slice(-PARTS)))))
  const sellKit: Chain = {
    name: `POST /sales-orders, 1 line of a kit of ${PARTS} components`,
    steps: [
      {
        endpoint: 'createSalesOrder',
        body: ({ id, customerId }) => ({
          customer_id: customerId,
          items: [{ item_variant_id: kits.get(id), quantity: 1, price: 49.95, tax_rate: 19 }],
        }),
      },
    ],
  }
  const sellParts: Chain = {
    name: `POST /sales-orders, ${PARTS} lines of components of a kit`,
    steps: [
      {
        endpoint: 'createSalesOrder',
        body: ({ customerId, materialIds }) => ({
          customer_id: customerId,
          items: materialIds
            .slice(-PARTS)
            .map(item_variant_id => ({ item_variant_id, quantity: 1, price: 9.99, tax_rate: 19 })),
        }),
      },
    ],
  }
  const [one = nothing, parts = nothing, lines = nothing] = await costsOf(bench, [sellKit, sellParts, sell(PARTS)], say)
  const beside = (name: string, other: typeof one): Result => ({
    ...row(`${sellKit.name} beside ${name}`, 1, [one.ms, other.ms], one.errors + other.errors),
    ...(one.each && { cost: { each: one.each } }),
  })
  return [beside('the components as lines', parts), { ...beside(`${PARTS} lines without kits`, lines), goals: [] }]
}

/** The events of kits so far. */
async function toldOf({ world }: Bench, { id }: BenchTenant): Promise<number> {
  const { count } = await world.pool.one(rows(v.object({ count: v.string() }))`
    select count(*) from events where tenant_id = ${id}::bigint and body::jsonb ->> 'type' = 'kit.changed'`)
  return Number(count)
}

/** An order that reserves a component at each place: how many could be sold of each kit changes at each. */
async function changeRow(bench: Bench, say: Say): Promise<Result> {
  const [tenant] = bench.bareTenants
  const made = madeIn(bench, tenant)
  const [part = ''] = tenant.materialIds
  const places = [tenant.placeId]
  while (places.length < PLACES) places.push((await made('createStoragePlace', { title: `Place ${places.length}` })).id)
  for (const storage_place_id of places.slice(1))
    await made('createStockAdjustment', { storage_place_id, items: [{ item_variant_id: part, quantity: 900_000 }] })
  for (let n = 0; n < KITS; n++) await made('createProduct', kit([part], `Kit ${n}`))
  const change: Chain = {
    name: `POST /sales-orders that changes a component of ${KITS} kits at ${PLACES} places`,
    steps: [
      {
        endpoint: 'createSalesOrder',
        body: ({ customerId }) => ({
          customer_id: customerId,
          items: places.map(storage_place_id => ({ item_variant_id: part, quantity: 1, price: 1, storage_place_id })),
        }),
      },
    ],
  }
  await writes(bench.world, [change], [tenant], 1, { count: 20 }) // warm up
  await gatherStatistics(bench.world)
  say(2, change.name)
  const told = await toldOf(bench, tenant)
  const figures = await writes(bench.world, [change], [tenant], 1, { count: bench.isQuick ? 50 : 200 })
  const missing = figures.writes * KITS * PLACES - ((await toldOf(bench, tenant)) - told)
  return {
    name: change.name,
    service: figures.perSecond,
    unit: '/s',
    errors: figures.errors + Math.abs(missing),
    p50: figures.p50,
    p99: figures.p99,
    cost: { each: usagePer([figures], figures.writes), goal: CHANGE_MS_MAX },
  }
}
