/**
 * `npm run bench:grown`: every endpoint on a small tenant of a grown database (`npm run grow`) beside one of a small database on the same
 * server, in turn, without HTTP: what a call costs must not grow with what others have. The largest tenant stands beside them.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import type { Endpoint } from '../lib/api/endpoint.ts'
import { bar, progressLine } from '../lib/cli/progress.ts'
import { openWorld } from '../lib/cli/world.ts'
import { endpoints } from '../lib/endpoints.ts'
import { withPlansByKey } from '../lib/postgres/postgres.ts'
import { makeWorld } from '../test/contract/world.ts'
import { type HugeTenant, openHugeTenant } from '../test/scaling/huge-tenant.ts'
import { grow } from './grow/grow.ts'
import { GROWN_OWNER } from './grow/template.ts'
import { printLines } from './table.ts'

const RATIO_MAX = 1.5
/** Differences below it are the clock's. */
const MS_MIN = 0.1
const SMALL = { tenants: 20, movements: 2_500, orders: 250, days: 30 }
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

type Side = {
  readonly name: string
  readonly tenant: HugeTenant
  readonly world: Awaited<ReturnType<typeof makeWorld<HugeTenant>>>
}

/** A tenant with few movements and the one with the most. */
async function tenantsOf(databaseUrl: string): Promise<{ readonly small: string; readonly largest: string }> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ small: string; largest: string }>(
    `with grown as (
      select s.tenant_id, s.event_sequence from tenants t join tenant_streams s using (tenant_id) where t.owner_email = $1
    )
    select (select tenant_id from grown order by event_sequence, tenant_id limit 1)::text as small,
      (select tenant_id from grown order by event_sequence desc limit 1)::text as largest`,
    [GROWN_OWNER],
  )
  await client.end()
  const [found] = rows
  if (!found?.small) throw new Error('the database is not grown: npm run grow fills it')
  return found
}

async function openSide(name: string, databaseUrl: string, tenantId: string): Promise<Side> {
  const tenant = await openHugeTenant(withPlansByKey(databaseUrl), tenantId)
  return { name, tenant, world: await makeWorld(tenant, endpoints) }
}

let skus = 0
const withFreshSkus = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value) => (key === 'sku' ? `${value}-${process.pid}-${skus++}` : value)))

/** How long one call takes, in ms; what it needs is made before. */
async function timed({ tenant, world }: Side, endpoint: Endpoint): Promise<number | undefined> {
  const record = await world.recordFor(endpoint.path)
  const params = Object.fromEntries(
    [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name ?? '', record?.id]),
  )
  const query = endpoint.kind === 'read' || endpoint.kind === 'list' ? world.queryOf(endpoint as never) : {}
  const body = endpoint.kind === 'command' ? withFreshSkus(world.bodyOf(endpoint, record)) : undefined
  const from = performance.now()
  if (endpoint.kind === 'read') await tenant.read(endpoint, params, query)
  else if (endpoint.kind === 'list')
    await tenant.page(endpoint, { params, filters: { ...query }, after: null, order: 'desc' })
  else if (endpoint.kind === 'command') await tenant.run(endpoint, params, body)
  else return undefined
  return performance.now() - from
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
  const rows: { readonly name: string; readonly ms: readonly number[] }[] = []
  const line = progressLine(process.stderr)
  for (const [at, endpoint] of wanted.entries()) {
    const name = `${endpoint.method} ${endpoint.path}`
    line.show(bar(at, wanted.length, name))
    const ms = sides.map((): number[] => [])
    for (let round = -3; round < rounds; round++)
      for (const [of, side] of sides.entries()) {
        const took = await timed(side, endpoint)
        if (took !== undefined && round >= 0) ms[of]?.push(took)
      }
    if (ms[0]?.length) rows.push({ name, ms: ms.map(median) })
  }
  const ratioOf = ({ ms: [small = 0, grown = 0] }: (typeof rows)[number]) => grown / small
  const isSlow = (row: (typeof rows)[number]) =>
    ratioOf(row) > RATIO_MAX && (row.ms[1] ?? 0) - (row.ms[0] ?? 0) > MS_MIN
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
