/**
 * What the bench runs on: a durable Postgres and Redis of its own, real web and worker processes, tenants with a product, a
 * place and stock, and recordings of what the service asks Postgres. It measures nothing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { issueKey } from '../lib/access/keys.ts'
import { scopes } from '../lib/access/scopes.ts'
import type { CommandEndpoint, ListEndpoint, ReadContext, ReadEndpoint } from '../lib/api/endpoint.ts'
import { isRefusal } from '../lib/api/errors.ts'
import { shape } from '../lib/api/fields.ts'
import { parseJson } from '../lib/api/json.ts'
import { validate } from '../lib/api/validate.ts'
import { runUnit } from '../lib/documents/unit-of-work.ts'
import { endpoints } from '../lib/endpoints.ts'
import type { Command } from '../lib/pipeline/command.ts'
import { migrate } from '../lib/postgres/migrate.ts'
import { createPool, type Pool, rows, statement, withGenericPlans } from '../lib/postgres/postgres.ts'
import { type RoundTripOptions, RoundTripPool } from '../lib/postgres/round-trip-pool.ts'
import { secretBox } from '../lib/secret-box.ts'
import { startProcess, type TestProcess } from '../test/support/processes.ts'
import { privatePostgres, privateRedis } from '../test/support/servers.ts'
import type { Chain } from './chains.ts'
import type { Recording, Statement, Transaction } from './recording.ts'

export type BenchTenant = {
  readonly id: string
  readonly token: string
  readonly keyId: string
  readonly placeId: string
  readonly productId: string
  readonly variantId: string
  /** Twenty more variants, with stock; empty for tenants of the crowd. */
  readonly materialIds: readonly string[]
  readonly customerId: string
}

export type World = {
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly pool: Pool
  /** For commands without a worker. */
  readonly connections: RoundTripPool
  readonly url: string
  readonly processes: Readonly<Record<'web' | 'worker', TestProcess>>
  readonly folder: string
  close(): Promise<void>
}

/** Starts everything; ids begin high, so that a recorded id is found again as text without doubt. */
export async function openWorld(): Promise<World> {
  const [postgres, redis, folder] = await Promise.all([
    privatePostgres(),
    privateRedis(),
    mkdtemp(join(tmpdir(), 'millrace-bench-')),
  ])
  await migrate(postgres.url)
  const pool = await createPool(postgres.url, {
    size: 10,
    statementTimeoutMs: 60_000,
    idleInTransactionTimeoutMs: 60_000,
  })
  const connections = connectionsTo({ databaseUrl: postgres.url })
  await pool.query(statement`alter sequence ids restart with 7000000000001`)
  const env = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, LOG_LEVEL: 'info' }
  const [web, worker] = await Promise.all([startProcess('web', env), startProcess('worker', env)])
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    pool,
    connections,
    url: web.url,
    processes: { web, worker },
    folder,
    close: async () => {
      await web.end('SIGTERM')
      await worker.end('SIGTERM')
      await connections.end()
      await pool.end()
      await redis.close()
      await postgres.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const command = (id: string) =>
  endpoints.find(endpoint => endpoint.id === id && endpoint.kind === 'command') as CommandEndpoint

type Given = {
  readonly idempotencyKey?: string
  readonly requestId?: string
  readonly params?: Readonly<Record<string, string>>
}
type Answer = Record<string, unknown> & { id: string }

/** Runs a command as a worker would, in a unit of its own, without queue and HTTP; `body` is a caller's. */
async function run(
  connections: RoundTripPool,
  tenantId: string,
  endpointId: string,
  body: unknown,
  given: Given = {},
): Promise<Answer> {
  const endpoint = command(endpointId)
  const valid = validate(endpoint.body ?? shape({}), parseJson(JSON.stringify(body)), 'body')
  if (isRefusal(valid)) throw new Error(`${endpointId}: ${valid.message}`)
  const idempotencyKey = given.idempotencyKey ?? randomUUID()
  const sent: Command = {
    requestId: given.requestId ?? `req_${idempotencyKey}`,
    tenantId,
    endpoint: endpointId,
    actor: { keyId: '1', userName: 'bench' },
    idempotencyKey,
    fingerprint: 'ab'.repeat(32),
    params: given.params ?? {},
    // As it comes out of the queue.
    body: JSON.parse(JSON.stringify(valid)),
    replyTo: '',
    quota: null,
    acceptedAt: Date.now(),
  }
  const [result] = await connections.use(connection =>
    runUnit(connection, [{ tenantId, commands: [sent] }], {
      endpointById: new Map([[endpointId, endpoint]]),
      settings: { freePlanVariantsMax: 50, webhookSubscriptionsMax: 100, secrets: secretBox([Buffer.alloc(32)]) },
      waits: true,
    }),
  )
  const outcome = result === 'held' ? undefined : result?.outcomes[0]
  if (outcome?.kind !== 'done') throw new Error(`${endpointId}: ${JSON.stringify(outcome)}`)
  return JSON.parse(outcome.body ?? 'null') as Answer
}

const variantOf = (product: Answer): string => (product['variants'] as { id: string }[])[0]?.id ?? ''

/** A tenant with a key, a place, a product and stock of it; with `materials`, twenty more and a customer. */
export async function makeTenant(world: World, { materials = false } = {}): Promise<BenchTenant> {
  const { pool, connections } = world
  const { tenant_id: id } = await pool.one(rows(v.object({ tenant_id: v.string() }))`
    with made as (insert into tenants (name, owner_email, plan) values ('Bench', 'owner@bench.example', 'pro') returning tenant_id)
    insert into tenant_streams (tenant_id) select tenant_id from made returning tenant_id`)
  const limits = { ratePerMinute: 1_000_000_000, burst: 1_000_000, dailyDocuments: 100_000_000 }
  const key = await issueKey(pool, { tenantId: id, name: 'bench', scopes: [...scopes], ...limits })
  if (!key) throw new Error('no key')
  const place = await run(connections, id, 'createStoragePlace', { title: 'Warehouse' })
  const product = await run(connections, id, 'createProduct', { title: 'Product', price: 12.5 })
  const materialIds: string[] = []
  for (let n = 0; materials && n < 20; n++)
    materialIds.push(
      variantOf(await run(connections, id, 'createProduct', { title: `Material ${n}`, sku: `MAT-${n}` })),
    )
  const variantIds = [variantOf(product), ...materialIds]
  const items = variantIds.map(variant => ({ item_variant_id: variant, quantity: 900_000, unit_cost: 2.5 }))
  await run(connections, id, 'createStockAdjustment', { storage_place_id: place.id, items })
  const customerId = materials ? (await run(connections, id, 'createCustomer', { title: 'Customer' })).id : ''
  const [variantId = ''] = variantIds
  return {
    id,
    token: key.token,
    keyId: key.keyId,
    placeId: place.id,
    productId: product.id,
    variantId,
    materialIds,
    customerId,
  }
}

/** Runs a chain once without HTTP, e.g. for a document to read. */
export async function runChain(
  { connections }: World,
  tenant: BenchTenant,
  chain: Chain,
  given: (step: number) => Given = () => ({}),
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const [at, step] of chain.steps.entries()) {
    const params = step.params?.(answers) ?? {}
    answers.push(await run(connections, tenant.id, step.endpoint, step.body(tenant), { ...given(at), params }))
  }
  return answers
}

/** The transactions of one chain of this tenant. */
export async function recordChain(world: World, tenant: BenchTenant, chain: Chain): Promise<Recording> {
  const transactions: Transaction[] = []
  const answers: Answer[] = []
  for (const [at, step] of chain.steps.entries()) {
    const statements: Statement[] = []
    const connections = recordingConnections(world, statements)
    const given = { idempotencyKey: `recorded-${at}-${randomUUID()}`, requestId: `req_recorded-${randomUUID()}` }
    answers.push(
      await run(connections, tenant.id, step.endpoint, step.body(tenant), {
        ...given,
        params: step.params?.(answers) ?? {},
      }),
    )
    await connections.end()
    const { event_sequence } = await world.pool.one(rows(v.object({ event_sequence: v.string() }))`
      select event_sequence from tenant_streams where tenant_id = ${tenant.id}`)
    transactions.push({ statements, ...given, eventSequence: Number(event_sequence) })
  }
  return {
    transactions,
    documentIds: [...new Set(answers.map(answer => answer.id))],
    documentNumbers: [...new Set(answers.map(answer => String(answer['number'])))],
  }
}

const recordingPool = (world: World, statements: Statement[]) =>
  createPool(world.databaseUrl, {
    size: 1,
    statementTimeoutMs: 5_000,
    idleInTransactionTimeoutMs: 5_000,
    onStatement: ({ sql, values }) => statements.push({ sql, values }),
  })

/** What a unit of work asks, but for the transaction around it, which whoever runs it again begins and ends. */
const recordingConnections = (world: World, statements: Statement[]) =>
  connectionsTo(world, ({ text, values }) => {
    if (text !== 'begin' && text !== 'commit') statements.push({ sql: text, values })
  })

const connectionsTo = ({ databaseUrl }: Pick<World, 'databaseUrl'>, onStatement?: RoundTripOptions['onStatement']) =>
  new RoundTripPool(withGenericPlans(databaseUrl), {
    size: 1,
    statementTimeoutMs: 60_000,
    idleInTransactionTimeoutMs: 60_000,
    ...(onStatement ? { onStatement } : {}),
  })

/** The statement that renders a read's answer. */
export async function recordRead(
  world: World,
  tenant: BenchTenant,
  id: string,
  params: Record<string, string>,
): Promise<Statement> {
  const taken: Statement[] = []
  const pool = await recordingPool(world, taken)
  const context: ReadContext = {
    tenantId: tenant.id,
    actor: { keyId: '1', userName: 'bench' },
    pool,
    now: new Date().toISOString(),
  }
  const endpoint = endpoints.find(candidate => candidate.id === id)
  if (endpoint?.kind === 'read') await (endpoint as ReadEndpoint).handle(context, { params, query: {} as never })
  if (endpoint?.kind === 'list')
    await (endpoint as ListEndpoint).page(context, { params, filters: {} as never, after: null, limit: 51 })
  await pool.end()
  const [only, ...more] = taken
  if (!only || more.length > 0) throw new Error(`${id} sends ${taken.length} statements`)
  return only
}

/** Starts a process of the bench with a task in a file; resolves with its first line of output. */
export async function startTask(
  world: World,
  script: string,
  task: unknown,
): Promise<{ readonly line: string; readonly child: ChildProcess }> {
  const file = join(world.folder, `${script}-${Math.random().toString(36).slice(2)}.json`)
  await writeFile(file, JSON.stringify(task))
  const child = spawn(process.execPath, [fileURLToPath(new URL(`./${script}.ts`, import.meta.url)), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.once('exit', code => reject(new Error(`${script} ended with ${code}`)))
  if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve)
  return { line: await promise, child }
}

/** Processor time of a process so far in ms, and its memory in MiB (Linux; zero elsewhere). */
export async function usageOf(pid: number): Promise<{ readonly cpuMs: number; readonly memoryMib: number }> {
  try {
    const [stat, status] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
    ])
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * 10,
      memoryMib: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024),
    }
  } catch {
    return { cpuMs: 0, memoryMib: 0 }
  }
}
