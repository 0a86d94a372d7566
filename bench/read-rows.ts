/**
 * The rows of reads beside `node:http` with `pg`, and of scans and a replay beside a read.
 */

import { API_PREFIX } from '../lib/kit/api/endpoint.ts'
import { statement } from '../lib/platform/postgres/postgres.ts'
import { adjust, type Step, sell } from './chains.ts'
import { runChain } from './commands.ts'
import { requestBytes } from './http-client.ts'
import { type Bench, inTurn, type Say } from './in-turn.ts'
import { closedLoops, type Figures } from './measure.ts'
import { recordRead, type Statement } from './recording.ts'
import { type Goal, type Result, ratio } from './table.ts'
import type { BenchTenant, World } from './types.ts'
import { usageOf } from './usage.ts'
import { startTask } from './world.ts'
import { type Span, withLanes, write } from './writes.ts'

const CLIENTS = 16
/** More than stand on a page. */
const PAGE_ROWS = 60
/** Of Postgres 0.6 and of web 0.4. */
const PAGE_MS_MAX = 1

type Request = { readonly path: string; readonly token?: string }

const readsOf = (url: string, ms: number, request: Request): Promise<Figures> => {
  const bytes = requestBytes({ method: 'GET', ...request })
  return withLanes(url, CLIENTS, lanes =>
    closedLoops(CLIENTS, { ms }, async lane => (await lanes[lane]?.send(bytes))?.status === 200),
  )
}

async function spanOf(world: World, work: () => Promise<Figures>): Promise<Figures & Span> {
  const from = await usageOf(world)
  return { ...(await work()), from, to: await usageOf(world) }
}

export async function readRows(bench: Bench, say: Say): Promise<Result[]> {
  const { world } = bench
  const [tenant] = bench.tenants
  const [order] = await runChain(world, tenant, sell(3))
  const orderId = order?.id ?? ''
  const routes = {
    [`/products/${tenant.productId}`]: {
      statement: await recordRead(world, tenant, 'getProduct', { id: tenant.productId }),
      list: false,
    },
    [`/sales-orders/${orderId}`]: {
      statement: await recordRead(world, tenant, 'getSalesOrder', { id: orderId }),
      list: false,
    },
  }
  return beside(bench, say, { routes, goals: [ratio('>=', 0.5)] })
}

/**
 * Products with stock, more than stand on a page; `batches` says what is said of each batch where they have some.
 * @returns when the last product was made: all stock is booked later
 */
async function fillPages(world: World, tenant: BenchTenant, batches?: (n: number) => object): Promise<string> {
  const product = (n: number): Step => ({
    endpoint: 'createProduct',
    body: () => ({ title: `Product ${n}`, sku: `SKU-${n}`, price: 12.5, batch_tracked: batches !== undefined }),
  })
  const steps = Array.from({ length: PAGE_ROWS }, (_, n) => product(n))
  const made = await runChain(world, tenant, { name: 'Products', steps })
  const items = made.map(({ variants }, n) => ({
    item_variant_id: (variants as { id: string }[])[0]?.id,
    quantity: 5,
    unit_cost: 2.5,
    ...batches?.(n),
  }))
  const stock = { endpoint: 'createStockAdjustment', body: () => ({ storage_place_id: tenant.placeId, items }) }
  await runChain(world, tenant, { name: 'Stock', steps: [stock] })
  return String(made.at(-1)?.['created_at'])
}

/** A page of what is available takes at most 1.1 times as long where some of it has expired. */
const EXPIRED_MIN = 0.9

/** Pages of what is available of a tenant with expired stock, by variant and by change, beside those by variant of one without batches. */
export async function availabilityRows(bench: Bench, say: Say): Promise<Result[]> {
  const { world, roundMs: ms } = bench
  const [expiring, plain = expiring] = bench.bareTenants
  await fillPages(world, plain)
  const past = (n: number) => ({ batch_number: `B-${n}`, expiry_date: n % 2 === 0 ? '2020-01-31' : '2099-01-31' })
  const since = await fillPages(world, expiring, past)
  await world.pool.query(statement`analyze`)
  const reads = ({ token }: BenchTenant, query: string) =>
    readsOf(world.url, ms, { path: `${API_PREFIX}/availability?limit=50${query}`, token })
  const measured = (query: string, shown = query) => ({
    name: `GET /availability?limit=50${shown} with expired stock, ${CLIENTS} clients (beside GET /availability without)`,
    goals: [ratio('>=', EXPIRED_MIN)],
    measure: () => spanOf(world, () => reads(expiring, query)),
  })
  const rows = [measured(''), measured(`&updated_after=${since}`, '&updated_after={time}')]
  return inTurn(bench, rows, () => reads(plain, ''), say)
}

/** Pages of 50, and what of them Postgres and web spend. */
export async function pageRows(bench: Bench, say: Say): Promise<Result[]> {
  const { world } = bench
  const [tenant] = bench.tenants
  await fillPages(world, tenant)
  for (let n = 0; n < PAGE_ROWS; n++) await runChain(world, tenant, sell(3))
  // As autovacuum does within a minute: without statistics any index of a tenant is as good as the right one.
  await world.pool.query(statement`analyze`)
  const lists = { '/stock': 'listStock', '/products': 'listProducts', '/sales-orders': 'listSalesOrders' }
  const routes: Routes = {}
  for (const [path, id] of Object.entries(lists))
    routes[`${path}?limit=50`] = { statement: await recordRead(world, tenant, id, {}), list: true }
  return beside(bench, say, { routes, goals: [ratio('>=', 0.5)], msMax: PAGE_MS_MAX })
}

type Routes = Record<string, { readonly statement: Statement; readonly list: boolean }>

/** The reads beside `node:http` with `pg`, in turn. */
async function beside(
  bench: Bench,
  say: Say,
  { routes, goals, msMax }: { readonly routes: Routes; readonly goals: readonly Goal[]; readonly msMax?: number },
): Promise<Result[]> {
  const { world, roundMs: ms } = bench
  const [tenant] = bench.tenants
  const bare = await startTask(world, 'bare-reads', { databaseUrl: world.databaseUrl, routes })
  const results: Result[] = []
  for (const [at, path] of Object.keys(routes).entries()) {
    const row = {
      name: `GET ${path.replace(/\d{9,}/, '{id}')}, ${CLIENTS} clients`,
      goals,
      msMax,
      measure: () => spanOf(world, () => readsOf(world.url, ms, { path: API_PREFIX + path, token: tenant.token })),
    }
    const limit = () => readsOf(bare.line, ms, { path })
    results.push(...(await inTurn(bench, [row], limit, (_, what) => say(at, what))))
  }
  bare.child.kill()
  return results
}

const SCANNED = '4006381333931'
/** A scan takes at most 1.5 times as long. */
const SCANS_MIN = 0.67

/** What a scanner reads, and the number of a document, which is looked for last. */
export async function scanRows(bench: Bench, say: Say): Promise<Result[]> {
  const { world, roundMs: ms } = bench
  const [tenant] = bench.tenants
  const body = { title: 'Scanned', sku: 'SCANNED', barcode: SCANNED, batch_tracked: true }
  await runChain(world, tenant, { name: 'Scanned', steps: [{ endpoint: 'createProduct', body: () => body }] })
  const [order] = await runChain(world, tenant, sell(3))
  await world.pool.query(statement`analyze`)
  const reads = (path: string) => readsOf(world.url, ms, { path: API_PREFIX + path, token: tenant.token })
  const codes = {
    'an element string': `(01)0${SCANNED}(17)271130(10)LOT-7`,
    'a sku': 'SCANNED',
    'a number': String(order?.['number']),
  }
  const rows = Object.entries(codes).map(([name, code]) => ({
    name: `GET /scan, ${name}, ${CLIENTS} clients (beside GET /products/{id})`,
    goals: [ratio('>=', SCANS_MIN)],
    measure: () => spanOf(world, () => reads(`/scan?code=${encodeURIComponent(code)}`)),
  }))
  return inTurn(bench, rows, () => reads(`/products/${tenant.productId}`), say)
}

export async function replayRows(bench: Bench, say: Say): Promise<Result[]> {
  const { world, roundMs: ms } = bench
  const [tenant] = bench.tenants
  const replayed = write(tenant, adjust.steps[0] as Step)
  await withLanes(world.url, 1, async ([lane]) => lane?.send(replayed))
  const replays = () =>
    withLanes(world.url, CLIENTS, lanes =>
      closedLoops(CLIENTS, { ms }, async lane => (await lanes[lane]?.send(replayed))?.replayed === true),
    )
  const row = {
    name: `Replay of one key, ${CLIENTS} clients (beside GET /products/{id})`,
    goals: [ratio('>=', 1)],
    measure: () => spanOf(world, replays),
  }
  const limit = () =>
    readsOf(world.url, ms, { path: `${API_PREFIX}/products/${tenant.productId}`, token: tenant.token })
  return inTurn(bench, [row], limit, say)
}
