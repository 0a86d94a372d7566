/**
 * The rows of what is found and answered out of a huge tenant: the worst filtered pages beside the unfiltered first page of their list,
 * and the answers for planners and quality people. Asked in this process: what HTTP adds, other rows tell.
 */
import type { ListEndpoint, Order } from '../lib/kit/api/endpoint.ts'
import { endpoints } from '../lib/nouns.ts'
import { withPlansByKey } from '../lib/platform/postgres/postgres.ts'
import { filterChoices } from '../test/scaling/filter-choices.ts'
import { type HugeTenant, openHugeTenant } from '../test/scaling/huge-tenant.ts'
import { HUGE_BASE, HUGE_TENANT } from '../test/scaling/skewed-tenants.ts'
import {
  ASSEMBLY_ID,
  BUSY_ID,
  FIRST_BATCH_ID,
  fillHugeTenant,
  LAST_BATCH_ID,
  MOVEMENTS,
  makeScarce,
  SHORT_VARIANTS,
} from './huge-tenant.ts'
import type { Bench, Say } from './in-turn.ts'
import { median, percentile } from './measure.ts'
import { type Result, ratio, service } from './table.ts'

type Question = () => Promise<unknown>
type Query = Readonly<Record<string, string>>
type Row = readonly [name: string, msMax: number, ask: Question]
type Page = { readonly name: string; readonly ask: Question }

const SMALL_TENANT = String(Number(HUGE_TENANT) + 1)
/** So many of the worst pages are told. */
const WORST = 5
const ROUNDS = 25
/** The least of some looks counts, so that what else the machine does is left out; a page that seems slow is looked at again, and again. */
const [LOOKS, MORE_LOOKS] = [3, [15, 60]] as const
/** What is faster is not compared with less. */
const LEAST_MS = 0.5

type Side = { readonly what: 'huge' | 'small'; readonly tenant: HugeTenant; readonly firstId: string }

export async function findRows({ isQuick }: Bench, say: Say): Promise<Result[]> {
  const database = await fillHugeTenant(isQuick ? MOVEMENTS / 10 : MOVEMENTS, what => say(0, what))
  const open = async (what: Side['what'], tenantId: string): Promise<Side> => {
    const tenant = await openHugeTenant(withPlansByKey(database.url), tenantId)
    return { what, tenant, firstId: String(Number(tenantId) * HUGE_BASE + 1) }
  }
  const sides = [await open('huge', HUGE_TENANT), await open('small', SMALL_TENANT)]
  try {
    const results = await answerRows((sides[0] as Side).tenant, say)
    for (const side of sides) results.push(...(await pageRows(side, isQuick, say)))
    await makeScarce(database)
    results.push(...(await timesOf(planningRows((sides[0] as Side).tenant), say)))
    return results
  } finally {
    for (const { tenant } of sides) await tenant.close()
    await database.close()
  }
}

function answerRows(tenant: HugeTenant, say: Say): Promise<Result[]> {
  const aYearAgo = new Date(Date.now() - 365 * 86_400_000).toISOString()
  const ways = { forward: FIRST_BATCH_ID, backward: LAST_BATCH_ID }
  const rows: readonly Row[] = [
    ['50 shortages', 20, page(tenant, 'listShortages', {})],
    ['50 shortages below=minimum, of 20,000', 20, page(tenant, 'listShortages', { below: 'minimum' })],
    [
      'Requirements, 5 levels, 2,000 variants',
      100,
      read(tenant, 'getRequirements', { item_variant_id: ASSEMBLY_ID, quantity: '100000' }),
    ],
    ...Object.entries(ways).map(
      ([direction, id]) =>
        [
          `Trace ${direction}, 6 levels, 1,000 movements`,
          100,
          read(tenant, 'traceBatch', { direction }, { id }),
        ] satisfies Row,
    ),
    ['50 of the valuation a year back', 50, page(tenant, 'listStockValuation', { as_of: aYearAgo })],
  ]
  return timesOf(rows, say)
}

const planningRows = (tenant: HugeTenant): readonly Row[] => [
  ['Projection, 1,000 open lines', 10, read(tenant, 'getProjection', { item_variant_id: BUSY_ID })],
  ['Promise, 1,000 open lines', 10, read(tenant, 'getPromise', { item_variant_id: BUSY_ID, quantity: '3' })],
  [
    'Promise, 5 levels, 2,000 variants',
    100,
    read(tenant, 'getPromise', { item_variant_id: ASSEMBLY_ID, quantity: '100000' }),
  ],
  [`Replenishment, ${SHORT_VARIANTS} variants short, 5 levels`, 300, read(tenant, 'getReplenishment', {})],
]

async function timesOf(rows: readonly Row[], say: Say): Promise<Result[]> {
  const results: Result[] = []
  for (const [name, msMax, ask] of rows) {
    say(results.length, name)
    const ms = await times(ask, ROUNDS)
    results.push({
      name,
      goals: [service('<=', msMax)],
      service: median(ms),
      unit: ' ms',
      p50: median(ms),
      p99: percentile(ms, 0.99),
    })
  }
  return results
}

/** Milliseconds of each time; what is prepared at the first does not count. */
async function times(ask: Question, count: number): Promise<readonly number[]> {
  const ms: number[] = []
  await ask()
  for (let n = 0; n < count; n++) {
    const began = performance.now()
    await ask()
    ms.push(performance.now() - began)
  }
  return ms
}

function read(tenant: HugeTenant, id: string, query: Query, params: Query = {}): Question {
  const endpoint = endpoints.find(endpoint => endpoint.id === id)
  if (endpoint?.kind !== 'read') throw new Error(`no read ${id}`)
  return () => tenant.read(endpoint, params, query)
}

const lists = endpoints.filter(endpoint => endpoint.kind === 'list')

function page(tenant: HugeTenant, id: string, filters: Query): Question {
  const endpoint = lists.find(endpoint => endpoint.id === id)
  if (!endpoint) throw new Error(`no list ${id}`)
  return () => tenant.page(endpoint, { params: {}, filters, order: 'asc', after: null })
}

/** The first and the last page of 50 in each order: the last one begins where the first one of the other order ends. */
async function pagesOf({ tenant, firstId }: Side, endpoint: ListEndpoint, filters: Query): Promise<readonly Page[]> {
  const asked = (order: Order, after: string | null) =>
    tenant.page(endpoint, { params: { id: firstId }, filters, order, after })
  const name = `${endpoint.path} ${new URLSearchParams(filters)}`
  const pages: Page[] = []
  for (const [order, other] of [
    ['asc', 'desc'],
    ['desc', 'asc'],
  ] as const) {
    pages.push({ name: `${name} ${order}`, ask: () => asked(order, null) })
    const last = (await asked(other, null)).at(50)
    if (last) pages.push({ name: `${name} ${order}, last page`, ask: () => asked(order, last.id) })
  }
  return pages
}

/** The pages that take the most of the unfiltered first page's time, of all lists. */
async function pageRows(side: Side, isQuick: boolean, say: Say): Promise<Result[]> {
  const { what } = side
  const found: Result[] = []
  const pairs: Result[] = []
  let pages = 0
  for (const endpoint of lists.filter(({ id }) => id !== 'listWebhookEventKinds')) {
    say(0, `pages of a ${what} tenant, ${endpoint.path}`)
    const [beginning] = await pagesOf(side, endpoint, endpoint.exampleQuery ?? {})
    if (!beginning) continue
    const required = Object.keys(endpoint.exampleQuery ?? {}).length
    for (const filters of filterChoices(endpoint)) {
      if (isQuick && Object.keys(filters).length > required + 1) continue
      for (const { name, ask } of await pagesOf(side, endpoint, filters)) {
        const least = async (ask: Question, looks: number) => Math.min(...(await times(ask, looks)))
        const compared = async (looks: number) => ({
          filtered: await least(ask, looks),
          first: await least(beginning.ask, looks),
        })
        let ms = await compared(LOOKS)
        for (const looks of MORE_LOOKS) if (ms.filtered > Math.max(ms.first, LEAST_MS) * 1.5) ms = await compared(looks)
        pages++
        const isPair = Object.keys(filters).length > required + 1
        const rows = isPair ? pairs : found
        rows.push({
          name: `A page of a ${what} tenant${isPair ? ', two filters' : ''}: ${name}`,
          goals: isPair ? [] : [ratio('<=', 2)],
          service: ms.filtered,
          limit: Math.max(ms.first, LEAST_MS),
          unit: ' ms',
        })
      }
    }
  }
  say(0, `${pages} pages of a ${what} tenant`)
  const slowness = ({ service, limit = 1 }: Result) => service / limit
  const worst = (rows: readonly Result[]) => rows.toSorted((a, b) => slowness(b) - slowness(a)).slice(0, WORST)
  return [...worst(found), ...worst(pairs)]
}
