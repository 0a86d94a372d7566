/**
 * `npm run bench:grown`: every endpoint on a small tenant of a grown database (`npm run grow`) beside one of a small database on the same
 * server, in turn, without HTTP: what a call costs must not grow with what others have. The largest tenant stands beside them.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import type { Endpoint } from '../lib/kit/api/endpoint.ts'
import { endpoints } from '../lib/nouns.ts'
import { withPlansByKey } from '../lib/platform/postgres/postgres.ts'
import { bar, progressLine } from '../lib/tools/cli/progress.ts'
import { openWorld } from '../lib/tools/cli/world.ts'
import { makeWorld } from '../test/contract/world.ts'
import { type HugeTenant, openHugeTenant } from '../test/scaling/huge-tenant.ts'
import { grow } from './grow/grow.ts'
import { GROWN_OWNER } from './grow/template.ts'
import { printLines } from './table.ts'

const RATIO_MAX = 1.5
/** Differences below it are the clock's. */
const MS_MIN = 0.1
const SMALL = { tenants: 20, movements: 2_500, orders: 250, days: 30 }
const WARM_UP = 3
/** So often an endpoint above the ratio is measured again. */
const AGAIN_MAX = 3
const SMALL_DATABASE = 'millrace_small'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '31' },
    only: { type: 'string' },
    largest: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const say = (text: string) => void process.stderr.write(`${text}\n`)

type World = Awaited<ReturnType<typeof makeWorld<HugeTenant>>>
type Side = { readonly name: string; readonly tenant: HugeTenant }

type Tenant = { readonly tenantId: string; readonly keyId: string }

/** The tenants with the fewest and the most events. */
async function tenantsOf(databaseUrl: string): Promise<{ readonly small: Tenant; readonly largest: Tenant }> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<Tenant>(
    `with grown as materialized (
      select s.tenant_id, s.event_sequence, row_number() over (order by event_sequence desc, tenant_id) as rank
      from tenants t join tenant_streams s using (tenant_id) where t.owner_email = $1
    )
    select tenant_id::text as "tenantId", (select min(id) from api_keys k where k.tenant_id = grown.tenant_id)::text as "keyId"
    from grown where rank in (1, (select max(rank) from grown)) order by rank`,
    [GROWN_OWNER],
  )
  await client.end()
  const [largest, small] = rows
  if (!largest || !small) throw new Error('the database is not grown: npm run grow fills it')
  return { small, largest }
}

async function openSide(name: string, databaseUrl: string, of: Tenant): Promise<Side> {
  const opened = await openHugeTenant(withPlansByKey(databaseUrl), of)
  const tenant = { ...opened, post: (path: string, body: unknown) => opened.post(path, withFreshTexts(body)) }
  return { name, tenant }
}

/** Skus and addresses are unique; examples have but one. */
let made = 0
const withFreshTexts = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (key, value) =>
      key === 'sku' || key === 'url' ? `${value}-${process.pid}-${made++}` : value,
    ),
  )

/** How long one call takes, in ms; what it needs is made before. */
async function timed({ tenant }: Side, world: World, endpoint: Endpoint): Promise<number | undefined> {
  const record = await world.recordFor(endpoint.path)
  const params = Object.fromEntries(
    [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name ?? '', record?.id]),
  )
  const query = endpoint.kind === 'read' || endpoint.kind === 'list' ? world.queryOf(endpoint as never) : {}
  const body = endpoint.kind === 'command' ? withFreshTexts(world.bodyOf(endpoint, record)) : undefined
  const from = performance.now()
  if (endpoint.kind === 'read') await tenant.read(endpoint, params, query)
  else if (endpoint.kind === 'list')
    await tenant.page(endpoint, { params, filters: { ...query }, after: null, order: 'desc' })
  else if (endpoint.kind === 'command') await tenant.run(endpoint, params, body)
  else return undefined
  return performance.now() - from
}

type Row = { readonly name: string; readonly ms: readonly number[] }
const ratioOf = ({ ms: [small = 0, grown = 0] }: Row) => grown / small
const isSlow = (row: Row) => ratioOf(row) > RATIO_MAX && (row.ms[1] ?? 0) - (row.ms[0] ?? 0) > MS_MIN

/** The medians of an endpoint, the sides in turn; nothing of what is no read and no command. */
async function measure(sides: readonly Side[], endpoint: Endpoint): Promise<Row | undefined> {
  // Each with stock of its own: some endpoints use it up.
  const worlds = await Promise.all(sides.map(({ tenant }) => makeWorld(tenant, endpoints)))
  const ms = sides.map((): number[] => [])
  for (let round = -WARM_UP; round < rounds; round++)
    for (const [of, side] of sides.entries()) {
      const took = await timed(side, worlds[of] as World, endpoint)
      if (took === undefined) return undefined
      if (round >= 0) ms[of]?.push(took)
    }
  return { name: `${endpoint.method} ${endpoint.path}`, ms: ms.map(median) }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const { world, close } = openWorld({
  env: process.env,
  root: fileURLToPath(new URL('..', import.meta.url)),
  warn: say,
  progress: progressLine(process.stderr),
})
const grownUrl = await world.databaseUrl()
const smallUrl = new URL(grownUrl)
smallUrl.pathname = `/${SMALL_DATABASE}`
const admin = new Client({ connectionString: grownUrl })
await admin.connect()
await admin.query(`drop database if exists ${SMALL_DATABASE} with (force)`)
await admin.query(`create database ${SMALL_DATABASE}`)
const sides: Side[] = []
try {
  say('filling a small database')
  await grow({ ...SMALL, databaseUrl: smallUrl.href, connections: 1, isBesideTenants: false })
  const { small, largest } = await tenantsOf(grownUrl)
  sides.push(await openSide('small', smallUrl.href, (await tenantsOf(smallUrl.href)).small))
  sides.push(await openSide('grown', grownUrl, small))
  if (values.largest) sides.push(await openSide('largest', grownUrl, largest))
  const wanted = endpoints.filter(
    ({ id }) => values.only === undefined || values.only.split(',').some(part => id.includes(part)),
  )
  const rows: Row[] = []
  const line = progressLine(process.stderr)
  for (const [at, endpoint] of wanted.entries()) {
    line.show(bar(at, wanted.length, `${endpoint.method} ${endpoint.path}`))
    let row = await measure(sides, endpoint)
    // What else the machine does may fall on one side, hardly so each time.
    for (let more = 0; row && isSlow(row) && more < AGAIN_MAX; more++) {
      const again = await measure(sides, endpoint)
      if (again && ratioOf(again) < ratioOf(row)) row = again
    }
    if (row) rows.push(row)
  }
  printLines(
    ['Endpoint, p50 in ms', ...sides.map(({ name }) => name), 'ratio', 'met'],
    rows
      .toSorted((a, b) => ratioOf(b) - ratioOf(a))
      .map(row => [row.name, ...row.ms.map(ms => ms.toFixed(2)), ratioOf(row).toFixed(2), isSlow(row) ? '✗' : '✓']),
  )
  say(`${rows.length} endpoints, ${rows.filter(isSlow).length} of them above ${RATIO_MAX}`)
  process.exitCode = rows.some(isSlow) ? 1 : 0
} finally {
  for (const { tenant } of sides) await tenant.close()
  await admin.query(`drop database if exists ${SMALL_DATABASE} with (force)`)
  await admin.end()
  await close()
}
