/**
 * The rows of what is found and answered out of a huge tenant: the worst filtered pages beside the unfiltered first page of their list,
 * and the answers for planners and quality people. Asked in this process: what HTTP adds, other rows tell.
 */
import type { ListEndpoint, ReadContext } from '../lib/kit/api/endpoint.ts'
import { isRefusal, type Refusal } from '../lib/kit/api/errors.ts'
import { shape } from '../lib/kit/api/fields.ts'
import { validate } from '../lib/kit/api/validate.ts'
import { endpoints } from '../lib/nouns.ts'
import { filterChoices } from '../test/scaling/filter-choices.ts'
import { HUGE_BASE, HUGE_TENANT } from '../test/scaling/skewed-tenants.ts'
import { readerOn } from '../test/support/reader-on.ts'
import {
  ASSEMBLY_ID,
  FIRST_BATCH_ID,
  type HugeTenant,
  LAST_BATCH_ID,
  MOVEMENTS,
  openHugeTenant,
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

export async function findRows({ isQuick }: Bench, say: Say): Promise<Result[]> {
  const tenant = await openHugeTenant(isQuick ? MOVEMENTS / 10 : MOVEMENTS, what => say(0, what))
  try {
    const results = await answerRows(tenant, say)
    for (const [what, tenantId] of [
      ['huge', HUGE_TENANT],
      ['small', SMALL_TENANT],
    ] as const)
      results.push(...(await pageRows(contextOf(tenant, tenantId), { what, isQuick, say })))
    return results
  } finally {
    await tenant.close()
  }
}

const contextOf = ({ pool }: HugeTenant, tenantId: string): ReadContext => ({
  tenantId,
  actor: { keyId: '1', userName: 'bench' },
  pool: readerOn(pool, tenantId),
  get now() {
    return new Date().toISOString()
  },
})

async function answerRows(tenant: HugeTenant, say: Say): Promise<Result[]> {
  const context = contextOf(tenant, HUGE_TENANT)
  const aYearAgo = new Date(Date.now() - 365 * 86_400_000).toISOString()
  const ways = { forward: FIRST_BATCH_ID, backward: LAST_BATCH_ID }
  const rows: readonly Row[] = [
    ['50 shortages', 20, await page(context, 'listShortages', {})],
    ['50 shortages below=minimum, of 20,000', 20, await page(context, 'listShortages', { below: 'minimum' })],
    [
      'Requirements, 5 levels, 2,000 variants',
      100,
      read(context, 'getRequirements', { item_variant_id: ASSEMBLY_ID, quantity: '100000' }),
    ],
    ...Object.entries(ways).map(
      ([direction, id]) =>
        [
          `Trace ${direction}, 6 levels, 1,000 movements`,
          100,
          read(context, 'traceBatch', { direction }, { id }),
        ] satisfies Row,
    ),
    ['50 of the valuation a year back', 50, await page(context, 'listStockValuation', { as_of: aYearAgo })],
  ]
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

function accepted<T>(answer: T | Refusal): T {
  if (isRefusal(answer)) throw new Error(JSON.stringify(answer))
  return answer
}

function read(context: ReadContext, id: string, query: Query, params: Query = {}): Question {
  const endpoint = endpoints.find(endpoint => endpoint.id === id)
  if (endpoint?.kind !== 'read') throw new Error(`no read ${id}`)
  const given = accepted(validate(endpoint.query ?? shape({}), { ...query }, 'query'))
  return async () => accepted(await endpoint.handle(context, { params, query: given as never }))
}

const lists = endpoints.filter(endpoint => endpoint.kind === 'list')

async function page(context: ReadContext, id: string, filters: Query): Promise<Question> {
  const endpoint = lists.find(endpoint => endpoint.id === id)
  const [first] = endpoint ? await pagesOf(context, endpoint, filters) : []
  if (!first) throw new Error(`no list ${id}`)
  return first.ask
}

/** The first and the last page of 50 in each order: the last one begins where the first one of the other order ends. */
async function pagesOf(context: ReadContext, endpoint: ListEndpoint, query: Query): Promise<readonly Page[]> {
  const filters = accepted(validate(endpoint.filters ?? shape({}), { ...query }, 'query')) as never
  const params = { id: String(Number(context.tenantId) * HUGE_BASE + 1) }
  const asked = async (order: 'asc' | 'desc', after: string | null) =>
    accepted(await endpoint.page(context, { params, filters, order, after, limit: 51 }))
  const name = `${endpoint.path} ${new URLSearchParams(query)}`
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
async function pageRows(
  context: ReadContext,
  { what, isQuick, say }: { readonly what: string; readonly isQuick: boolean; readonly say: Say },
): Promise<Result[]> {
  const found: Result[] = []
  const pairs: Result[] = []
  let pages = 0
  for (const endpoint of lists.filter(({ id }) => id !== 'listWebhookEventKinds')) {
    say(0, `pages of a ${what} tenant, ${endpoint.path}`)
    const [beginning] = await pagesOf(context, endpoint, endpoint.exampleQuery ?? {})
    if (!beginning) continue
    const required = Object.keys(endpoint.exampleQuery ?? {}).length
    for (const filters of filterChoices(endpoint)) {
      if (isQuick && Object.keys(filters).length > required + 1) continue
      for (const { name, ask } of await pagesOf(context, endpoint, filters)) {
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
