/**
 * Fills a database to a size with copies of a template tenant (template.ts), beside whatever runs on it: chunk by chunk, each in a
 * transaction of its own, so that it goes on where it was ended. What is made is consistent as `reconcile` proves it, and the
 * service goes on writing to every tenant.
 */
import { Client } from 'pg'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { copyStatements, TEMPLATE_SCHEMA } from './copy.ts'
import { blocksOf, planShares, planTenants, type Size } from './plan.ts'
import { GROWN_OWNER, IDS_PER_BLOCK, makeTemplate, type Part, type PartName, parts } from './template.ts'

export type GrowOptions = Size & {
  readonly databaseUrl: string
  /** How many chunks are copied at the same time. */
  readonly connections: number
  /** Also where there are tenants of somebody. */
  readonly isBesideTenants: boolean
  readonly blocksPerChunk?: number
  readonly onProgress?: (progress: Progress) => void
  /** Ends before the next chunk; what was begun is gone on with the next time. */
  readonly isToStop?: () => boolean
}

export type Progress = { readonly what: string; readonly done: number; readonly all: number; readonly rows: number }

export type Grown = Size & {
  readonly isDone: boolean
  /** Whether an earlier run had begun it. */
  readonly isResumed: boolean
  /** Ids. */
  readonly largestTenant: string
  readonly typicalTenant: string
}

/** What must not be filled, and why. */
export class GrowRefused extends Error {
  override readonly name = 'GrowRefused'
}

const BLOCKS_PER_CHUNK = 1_000
const ADVISORY_LOCK = 7_236_119
/** Ids that a running service may take while a range of them is reserved. */
const IDS_MARGIN = 1_000_000
const DEMO_NAME = 'Millrace Coffee Roasters (demo)'

type Settings = {
  readonly size: Size
  readonly parts: Readonly<Record<PartName, Part>>
  readonly first_block: number
  readonly blocks: number
  readonly chunk: number
  readonly until: string
}

export async function grow(options: GrowOptions): Promise<Grown> {
  const client = await connect(options.databaseUrl)
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK])
    if (!options.isBesideTenants) await refuseTenants(client)
    await migrate(options.databaseUrl)
    await refuseSteps(client)
    const begun = await settingsOf(client)
    const settings = begun ?? (await begin(client, options))
    const isDone = await copyAll(client, settings, options)
    const { rows } = await client.query<{ largest: string; typical: string }>(`
      select (select base * ${IDS_PER_BLOCK} from ${TEMPLATE_SCHEMA}.grow_plan order by counts + trades desc limit 1)::text as largest,
        (select base * ${IDS_PER_BLOCK} from ${TEMPLATE_SCHEMA}.grow_plan order by abs(counts + trades - 4), base limit 1)::text as typical`)
    if (isDone) await client.query(`drop schema ${TEMPLATE_SCHEMA} cascade`)
    const { largest = '', typical = '' } = rows[0] ?? {}
    return { ...settings.size, isDone, isResumed: begun !== undefined, largestTenant: largest, typicalTenant: typical }
  } finally {
    await client.end()
  }
}

async function connect(databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  return client
}

const isThere = async (client: Client, table: string): Promise<boolean> =>
  (await client.query<{ is: boolean }>('select to_regclass($1) is not null as is', [table])).rows[0]?.is === true

async function refuseTenants(client: Client): Promise<void> {
  if (!(await isThere(client, 'tenants'))) return
  const { rows } = await client.query<{ name: string }>(
    'select name from tenants where owner_email <> $1 and name <> $2 order by tenant_id limit 1',
    [GROWN_OWNER, DEMO_NAME],
  )
  if (rows[0])
    throw new GrowRefused(
      `the database has a tenant of somebody (${rows[0].name}): to fill it nevertheless, say --beside-tenants`,
    )
}

/** Of several cells each gives out every so many ids. */
async function refuseSteps(client: Client): Promise<void> {
  const { rows } = await client.query<{ is: boolean }>(
    "select seqincrement = 1 as is from pg_sequence where seqrelid = 'ids'::regclass",
  )
  if (rows[0]?.is !== true) throw new GrowRefused('the database is one of several cells: fill one that stands alone')
}

async function settingsOf(client: Client): Promise<Settings | undefined> {
  if (!(await isThere(client, `${TEMPLATE_SCHEMA}.grow_settings`))) return undefined
  return (await client.query<{ settings: Settings }>(`select settings from ${TEMPLATE_SCHEMA}.grow_settings`)).rows[0]
    ?.settings
}

/** Makes the template and the plan; what a run that was ended here left is made anew. */
async function begin(client: Client, options: GrowOptions): Promise<Settings> {
  options.onProgress?.({ what: 'making the template', done: 0, all: 1, rows: 0 })
  await client.query(`drop schema if exists ${TEMPLATE_SCHEMA} cascade; create schema ${TEMPLATE_SCHEMA}`)
  const made = await makeTemplate(withSearchPath(options.databaseUrl))
  const byName = Object.fromEntries(made.map(part => [part.name, part])) as Record<PartName, Part>
  const { tenants, movements, orders, days } = options
  const size = { tenants, movements, orders, days }
  const tookMs = Math.max(...made.map(part => part.tookMs))
  const shares = refusing(() => planShares(size, byName))
  const blocks = shares.reduce((sum, share) => sum + blocksOf(share), 0)
  const firstBlock = await reserve(client, blocks)
  const until = new Date(Date.now() - tookMs - 60_000)
  const plan = refusing(() => planTenants(shares, { firstBlock, days, until, tookMs }))
  const chunk = options.blocksPerChunk ?? BLOCKS_PER_CHUNK
  const settings = { size, parts: byName, first_block: firstBlock, blocks, chunk, until: until.toISOString() }
  await client.query('begin')
  await client.query(`set local search_path = ${TEMPLATE_SCHEMA}`)
  await client.query(`
    create table grow_plan (
      base bigint primary key, catalogues bigint, trades bigint, counts bigint, starts_at timestamptz, ends_at timestamptz,
      last_block bigint, last_movement bigint
    )`)
  await client.query(
    'insert into grow_plan select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::timestamptz[])',
    [
      plan.map(({ base }) => base),
      plan.map(({ catalogues }) => catalogues),
      plan.map(({ trades }) => trades),
      plan.map(({ counts }) => counts),
      plan.map(({ startsAt }) => startsAt.toISOString()),
      plan.map(({ endsAt }) => endsAt.toISOString()),
    ],
  )
  await client.query(blocksOfPlan)
  await client.query(lastMovements)
  await client.query(`
    create table grow_done (pass integer, first_block bigint, rows bigint not null, primary key (pass, first_block));
    create table grow_settings (settings jsonb not null)`)
  await client.query('insert into grow_settings values ($1)', [JSON.stringify(settings)])
  await client.query('commit')
  await client.query('analyze')
  return settings
}

function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof RangeError ? new GrowRefused(error.message) : error
  }
}

function withSearchPath(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', `-c search_path=${TEMPLATE_SCHEMA} ${url.searchParams.get('options') ?? ''}`.trim())
  return url.href
}

/** Takes the ids of so many blocks from the sequence; whoever takes some at the same time gets those before them. */
async function reserve(client: Client, blocks: number): Promise<number> {
  const { rows } = await client.query<{ id: string }>("select nextval('ids') as id")
  const first = Math.ceil((Number(rows[0]?.id) + IDS_MARGIN) / IDS_PER_BLOCK)
  await client.query("select setval('ids', $1)", [(first + blocks) * IDS_PER_BLOCK])
  return first
}

const numberOf = (part: PartName): number => parts.indexOf(part) + 1

/**
 * One row per block, and how many of each part its tenant has before it. Catalogues are spread over the blocks, the first at once, and
 * so are trades over what remains. A trade or a count is of a catalogue before it, more often of an early one.
 */
const blocksOfPlan = `
  create table grow_blocks as
  select p.base + i as block, p.base, kind.part,
    -- The first block at which so many catalogues are begun.
    p.base + 1 + ((kind.nth - 1) * every.all_blocks) / p.catalogues as catalogue,
    so_far.catalogues - (kind.part = ${numberOf('catalogue')})::int as catalogues,
    others.trades - (kind.part = ${numberOf('trade')})::int as trades,
    so_far.others - others.trades - (kind.part = ${numberOf('counts')})::int as counts,
    date_trunc('milliseconds', p.starts_at + (p.ends_at - p.starts_at) * (i::float8 / (every.all_blocks + 1))) as at
  from grow_plan p
  cross join lateral (select p.catalogues + p.trades + p.counts as all_blocks, p.trades + p.counts as all_others) every
  cross join lateral generate_series(0, every.all_blocks) i
  cross join lateral (select (i * p.catalogues + every.all_blocks - 1) / every.all_blocks as catalogues) n
  cross join lateral (
    select n.catalogues, greatest(i - n.catalogues, 0) as others,
      i > 0 and n.catalogues > ((i - 1) * p.catalogues + every.all_blocks - 1) / every.all_blocks as is_catalogue
  ) so_far
  cross join lateral (
    select case when every.all_others = 0 then 0 else (so_far.others * p.trades + every.all_others - 1) / every.all_others end as trades,
      case when so_far.others = 0 then 0 else ((so_far.others - 1) * p.trades + every.all_others - 1) / every.all_others end as trades_before
  ) others
  cross join lateral (
    select
      case when i = 0 then ${numberOf('base')} when so_far.is_catalogue then ${numberOf('catalogue')}
        when others.trades > others.trades_before then ${numberOf('trade')} else ${numberOf('counts')} end as part,
      case when i = 0 then 1 when so_far.is_catalogue then so_far.catalogues
        else 1 + floor(so_far.catalogues * power(random(), 2))::bigint end as nth
  ) kind;
  alter table grow_blocks add primary key (block)`

const lastMovements = `
  update grow_plan p set last_block = b.block, last_movement = b.block * ${IDS_PER_BLOCK} + last.id % ${IDS_PER_BLOCK}
  from grow_blocks b join (
    select id / ${IDS_PER_BLOCK} as block, max(id) as id from stock_movements group by 1
  ) last on last.block = 900000000 + b.part
  where b.block = p.base + p.catalogues + p.trades + p.counts`

/** How long a chunk of each pass takes, about: one in ten blocks or fewer are a tenant's base. */
const weights = [1, 10]

/** A range of blocks, and which statements are run for it. */
type Chunk = { readonly pass: number; readonly from: number; readonly to: number }

async function copyAll(client: Client, settings: Settings, options: GrowOptions): Promise<boolean> {
  const { first_block: first, blocks, chunk: size, until } = settings
  const passes = await copyStatements(client, settings.parts)
  const { rows } = await client.query<{ pass: number; first_block: string; rows: string }>(
    `select * from ${TEMPLATE_SCHEMA}.grow_done`,
  )
  const isDone = new Set(rows.map(row => `${row.pass} ${row.first_block}`))
  let copied = rows.reduce((sum, row) => sum + Number(row.rows), 0)
  const chunks = passes.flatMap((_, pass) =>
    Array.from({ length: Math.ceil(blocks / size) }, (_, at): Chunk => {
      const from = first + at * size
      return { pass, from, to: Math.min(from + size, first + blocks) }
    }),
  )
  const waiting = chunks.filter(({ pass, from }) => !isDone.has(`${pass} ${from}`))
  const weightOf = (some: readonly Chunk[]) => some.reduce((sum, { pass }) => sum + (weights[pass] ?? 0), 0)
  const all = weightOf(chunks)
  let done = all - weightOf(waiting)
  const copy = async (on: Client, { pass, from, to }: Chunk) => {
    let count = 0
    await on.query('begin')
    for (const text of passes[pass] ?? []) count += (await on.query(text, [from, to, until])).rowCount ?? 0
    await on.query(`insert into ${TEMPLATE_SCHEMA}.grow_done values ($1, $2, $3)`, [pass, from, count])
    await on.query('commit')
    copied += count
    done += weights[pass] ?? 0
    options.onProgress?.({ what: 'copying', done, all, rows: copied })
  }
  const work = async (pass: number) => {
    const on = await connect(options.databaseUrl)
    try {
      // What a crash loses of it is copied again.
      await on.query('set synchronous_commit = off; set jit = off')
      while (waiting[0]?.pass === pass && !options.isToStop?.()) await copy(on, waiting.shift() as Chunk)
    } finally {
      await on.end()
    }
  }
  for (const pass of passes.keys()) await Promise.all(Array.from({ length: options.connections }, () => work(pass)))
  if (waiting.length > 0) return false
  await tidy(client, options)
  return true
}

/** Autovacuum would come to it later, in the middle of what is measured then. */
async function tidy(client: Client, options: GrowOptions): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select t.relname as name from pg_class t join pg_class of on of.relname = t.relname and of.relnamespace = '${TEMPLATE_SCHEMA}'::regnamespace
    where t.oid = to_regclass(t.relname) and t.relkind in ('r', 'p') and not t.relispartition order by t.relname`)
  for (const [at, { name }] of rows.entries()) {
    options.onProgress?.({ what: `vacuum of ${name}`, done: at, all: rows.length, rows: 0 })
    await client.query(`vacuum (analyze) ${name}`)
  }
}
