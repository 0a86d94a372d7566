/**
 * What every statement of every endpoint reads for a tenant that is ten thousand times as large as the others. Statements are planned once
 * for all tenants, so a plan that reads all rows of a tenant is cheap for the average one and ruinous for a huge one (docs/decisions/0005).
 */
import type { ExecutionContext } from 'ava'
import { Client } from 'pg'
import { findKeysById } from '../../lib/access/stored-keys.ts'
import { endpoints } from '../../lib/nouns.ts'
import { requestIdAt } from '../../lib/pipeline/requests/request-number.ts'
import { dueDeliveries } from '../../lib/webhooks/due-deliveries.ts'
import { storeOutcomes } from '../../lib/webhooks/outcomes.ts'
import { relayTenant } from '../../lib/webhooks/relay.ts'
import { bytesBehind, eventsBehind, newEvents, storedEvents } from '../../lib/webhooks/stream-queries.ts'
import { isByRef, makeWorld, type World } from '../contract/world.ts'
import { ofTests } from '../support/of-file.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'
import { filterChoices, singleChoices } from './filter-choices.ts'
import { openHugeTenant } from './huge-tenant.ts'
import { type Scan, tellPlans } from './plans.ts'
import { fillSkewed, HUGE_BASE, HUGE_ROWS, HUGE_TENANT } from './skewed-tenants.ts'

const test = testsOf(import.meta, { isOneStory: true })

const services = ofTests(test, testServices)
let huge: Awaited<ReturnType<typeof openHugeTenant>>
let world: World<typeof huge>
test.before(async () => {
  const client = new Client({ connectionString: services.databaseUrl })
  await client.connect()
  try {
    await fillSkewed(client)
    await tellPlans(client)
  } finally {
    await client.end()
  }
  huge = await openHugeTenant(services.databaseUrl)
  world = await makeWorld(huge, endpoints)
})
test.after.always(() => huge?.close())

const ROWS_MAX = 1_000
/**
 * Blocks of 8 KiB: a look-up takes three or four, and a row one more. Scans that take more read too much. A round of the webhooks also
 * reads the index entries of the deliveries that it has just made, and their number grows with each kind of event that this test causes.
 */
const BLOCKS_MAX = 80
const BLOCKS_PER_ROW_MAX = 6

/** Follows from the dates of skewed-tenants.ts. */
const ROWS_OF_WEEK = 700

/** Scans that may read more, and why. Columns are those of `Scan`. */
const allowed: readonly { readonly why: string; readonly is: (scan: Scan) => boolean }[] = [
  {
    why: 'counts up to 10,000 entries of an index, to choose the way (lib/kit/api/page-ways.ts)',
    is: ({ within, rows }) => within === 'recent' && rows <= 10_001,
  },
  {
    why: 'reads as many of each week as a page holds, and through the weeks of the bounds (lib/kit/api/dated-page.ts)',
    is: ({ index, rows, loops }) => index.endsWith('_week') && rows <= loops * 51 + 2 * ROWS_OF_WEEK,
  },
  {
    why: 'reads all entries of a pair of characters, a thousand in a block (lib/kit/api/search-filter.ts)',
    is: ({ index, blocks }) => index.endsWith('_by_text') && blocks <= BLOCKS_MAX,
  },
  {
    why: 'the first place of a tenant, once: all variants that have a minimum are without an entry there',
    is: ({ statement }) => /set has_main_entry = false/.test(statement),
  },
  {
    why: 'what changed since the main place did: all variants without an entry there, once',
    is: ({ table, statement }) =>
      /^(item_variants|items|stock_balances)$/.test(table) && /id >= case when m\.since = \$/.test(statement),
  },
  {
    why: 'waits for the id of a time: some 60 look-ups (lib/kit/api/created-range.ts), whose blocks Postgres tells as its own',
    is: ({ table, rows, blocks, statement }) =>
      table === 'stock_balances' && rows <= 51 && blocks <= 300 && /\bwith until as materialized\b/.test(statement),
  },
  {
    why: 'the valuation through a day: dates of documents are in no order, so all variants and their movements are added up',
    is: ({ table, statement }) =>
      (table === 'stock_balances' || table === 'stock_movements') && /<= \$\d+::date\s+\) part/.test(statement),
  },
  {
    why: 'a recovery goes through the events since its time: the command through the first of them',
    is: ({ index, rows, statement }) =>
      /^events_\d+_pkey$/.test(index) && rows <= 5_000 && /\bstep\.range_last\b/.test(statement),
  },
  {
    why: 'a recovery counts the events since its time by entries of one index',
    is: ({ index, statement }) => /^events_\d+_pkey$/.test(index) && /select count\(\*\) from events/.test(statement),
  },
  {
    why: 'measures what waits for a reader that takes nothing, by a few thousand events at most',
    is: ({ index, rows, statement }) =>
      /^events_/.test(index) && rows <= 8_192 && /sum\(octet_length\(body\)\), 0/.test(statement),
  },
  {
    why: 'places: changes read the few of all tenants as long as there are few',
    is: ({ table, statement }) => table === 'storage_places' && /^\s*update "storage_places"/.test(statement),
  },
  {
    why: 'subscriptions and their secrets: changes read the few of all tenants as long as there are few',
    is: ({ table, statement }) =>
      (table === 'webhook_subscriptions' || table === 'webhook_secrets') &&
      /^\s*(with ended as|update "webhook_|delete from "webhook_)/.test(statement),
  },
  {
    why: 'the end of a unit of work: finds the rows of its tenants among those of all, as long as there are few',
    is: ({ table, statement }) => table === 'tenant_streams' && /update tenant_streams s\s/.test(statement),
  },
]

const isTooMuch = ({ rows, blocks, loops }: Scan): boolean =>
  rows > ROWS_MAX || blocks > BLOCKS_MAX + BLOCKS_PER_ROW_MAX * (rows + loops)

/** Checks the scans since the last check. */
function readsLittle(t: ExecutionContext, what: string): void {
  const scans = huge.scans()
  t.true(scans.length > 0, `${what}: Postgres told no plan`)
  for (const scan of scans.filter(isTooMuch).filter(scan => !allowed.some(({ is }) => is(scan)))) {
    const { table, index, rows, blocks, loops, statement } = scan
    t.fail(`${what} reads ${rows} rows and ${blocks} blocks of ${table} ${index} in ${loops} loops:\n${statement}`)
  }
}

/** Rows of the filled table, which have these ids in every table. */
const someIds = [HUGE_BASE + 1, HUGE_BASE + (HUGE_ROWS * 3) / 4].map(String)
const MIDDLE = HUGE_ROWS / 2
const filledAt = Date.now() * 1_000
/** The middle of the list. For a list ordered by changes it is the row's time in microseconds, then its id. */
const positionIn = (endpoint: { readonly id: string }, filters: Readonly<Record<string, string>>) => {
  const id = String(HUGE_BASE + MIDDLE)
  if (endpoint.id === 'listAvailability') return `${id}_${HUGE_BASE + 1}`
  if (endpoint.id === 'listAllProductionTasks') return `${HUGE_BASE + MIDDLE / 2}_${id}`
  if (endpoint.id === 'listRequests')
    return requestIdAt(new Date(filledAt / 1_000 - 1_000 * (2 * HUGE_ROWS - MIDDLE)).toISOString(), 0)
  const followsChanges = 'updated_after' in filters && endpoint.id !== 'listStock'
  return followsChanges ? `${filledAt - (2 * HUGE_ROWS - MIDDLE) * 1_000_000}_${id}` : id
}
const paramsOf = (path: string, id: string) =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, id]))
/** The name by which the path names the row with the id. */
const nameIn = (path: string, id: string) => (isByRef({ path }) && id !== '' ? `R-${Number(id) - HUGE_BASE}` : id)

/** A sku is unique, and the example has only one. */
let skus = 0
const withFreshSkus = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value) => (key === 'sku' ? `${value}-${skus++}` : value)))

/** Pairs of filters are two thirds of the work, so only torture tests them. */
const choices = process.env['SKEW_PAIRS'] === 'all' ? filterChoices : singleChoices

/** Lists that do not query PostgreSQL. */
const constant = new Set(['listWebhookEventKinds'])

test('what all else builds on is made with few rows read', t => readsLittle(t, 'the world'))

for (const endpoint of endpoints) {
  const name = `${endpoint.method} ${endpoint.path}`
  // Even a huge tenant has few subscriptions, places and keys.
  const ids = !endpoint.path.includes('{')
    ? ['']
    : /^\/(?:webhook-subscriptions|storage-places|api-keys)/.test(endpoint.path)
      ? someIds.slice(0, 1)
      : someIds
  if (endpoint.kind === 'read')
    test(`${name} reads few rows of a huge tenant`, async t => {
      // All of this tenant is short, and its recipes lead in circles.
      const fewer = endpoint.id === 'getReplenishment' ? { item_variant_id: someIds[0] ?? '' } : {}
      const query = { ...world.queryOf(endpoint), ...fewer }
      for (const id of ids) await huge.read(endpoint, paramsOf(endpoint.path, nameIn(endpoint.path, id)), query)
      readsLittle(t, name)
    })
  if (endpoint.kind === 'list' && !constant.has(endpoint.id))
    test(`${name} reads few rows of a huge tenant, with every filter`, async t => {
      for (const id of ids)
        for (const filters of choices(endpoint))
          for (const order of ['asc', 'desc'] as const)
            for (const after of [null, positionIn(endpoint, filters)]) {
              await huge.page(endpoint, { params: paramsOf(endpoint.path, id), filters, after, order })
              readsLittle(t, `${name} ${JSON.stringify(filters)} ${order} after ${after}`)
            }
    })
  if (endpoint.kind === 'command')
    test(`${name} reads few rows of a huge tenant`, async t => {
      const record = await world.recordFor(endpoint.path)
      const body = withFreshSkus(world.bodyOf(endpoint, record))
      await huge.run(endpoint, paramsOf(endpoint.path, record?.id), body)
      readsLittle(t, name)
    })
}

test('pages whose filters leave few of the next rows, or none, are not looked for among all', async t => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  /** All but the last 800 rows are older. */
  const late = new Date(Date.now() - (HUGE_ROWS + 800) * 1_000).toISOString()
  const at = (row: number) => String(HUGE_BASE + row)
  const pages = [
    // The last rows of those that most rows match.
    { id: 'listSuppliers', filters: { q: 't-' }, after: at(30), order: 'desc' },
    {
      id: 'listSalesOrders',
      filters: { created_after: late, delivery_after: '2020-01-01' },
      after: at(HUGE_ROWS - 770),
      order: 'desc',
    },
    // The orders after that of the last task have no task.
    {
      id: 'listAllProductionTasks',
      filters: { status: 'NOT_STARTED,IN_PROGRESS' },
      after: `${at(MIDDLE - 20)}_${at(HUGE_ROWS - 40)}`,
      order: 'asc',
    },
    // The latest orders by creation are due much later than this filter allows.
    {
      id: 'listSalesOrders',
      filters: { created_after: late, delivery_before: inDays(10) },
      after: null,
      order: 'desc',
    },
  ] as const
  huge.scans()
  for (const { id, ...page } of pages) {
    const list = endpoints.find(endpoint => endpoint.id === id)
    if (list?.kind !== 'list') throw new Error(`no list ${id}`)
    await huge.page(list, { params: {}, ...page })
    for (const { rows, index } of huge.scans())
      t.true(rows <= ROWS_MAX, `${id} ${JSON.stringify(page.filters)} reads ${rows} rows by ${index}`)
  }
})

test('a round of the webhooks reads few rows of a huge tenant', async t => {
  const subscription = { tenantId: HUGE_TENANT, subscriptionId: String(HUGE_BASE + 1) }
  const now = new Date().toISOString()
  await relayTenant(huge.pool, HUGE_TENANT, now)
  readsLittle(t, 'relay')
  const due = await dueDeliveries(huge.pool, subscription, { now, except: ['1'], limit: 3 })
  t.is(due.length, 3)
  readsLittle(t, 'due')
  const attempt = { isSuccess: true, responseStatus: 200, durationMs: 1, reason: null, retryAfterMs: 0 }
  const outcomes = due.map(delivery => ({
    ...delivery,
    ...subscription,
    deliveryId: delivery.id,
    attempt,
    at: Date.now(),
    chance: 0.5,
  }))
  await storeOutcomes(huge.pool, outcomes)
  readsLittle(t, 'outcomes')
})

test('what event streams ask reads few rows of a huge tenant', async t => {
  const tenantId = HUGE_TENANT
  const { last = 0 } = (await eventsBehind(huge.pool, { tenantId, after: 0 })) ?? {}
  t.true(last > HUGE_ROWS / 2)
  readsLittle(t, 'position')
  for (const after of [last - 5, HUGE_BASE + HUGE_ROWS / 2, 0]) {
    await newEvents(huge.pool, [{ tenantId, after, isWanted: true }])
    await newEvents(huge.pool, [{ tenantId, after, isWanted: false }])
    readsLittle(t, `news behind ${after}`)
    for (const types of [undefined, ['stock.changed'], ['storage_place.updated', 'stock.changed']]) {
      t.true(((await storedEvents(huge.pool, { tenantId, after, types }))?.upTo ?? 0) > 0)
      readsLittle(t, `stored behind ${after} of ${types}`)
      await bytesBehind(huge.pool, { tenantId, after, types })
      readsLittle(t, `measured behind ${after} of ${types}`)
    }
  }
  await findKeysById(
    huge.pool,
    someIds.map(keyId => ({ tenantId, keyId })),
  )
  readsLittle(t, 'keys')
})
