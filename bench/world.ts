/**
 * What the bench runs on: a durable Postgres and Redis of its own, real web and worker processes, and tenants with a product, a
 * place and stock. It measures nothing.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { issueKey } from '../lib/access/keys.ts'
import { scopes } from '../lib/nouns.ts'
import { migrate } from '../lib/platform/postgres/migrate.ts'
import { createPool, statement, withPlansByKey } from '../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../lib/platform/postgres/round-trip-pool.ts'
import { startProcess } from '../test/support/processes.ts'
import { privatePostgres, privateRedis } from '../test/support/servers.ts'
import { run } from './commands.ts'
import { newTenant } from './events.ts'
import type { Answer, BenchTenant, World } from './types.ts'

/** Starts everything; ids begin high, so that a recorded id is found again as text without doubt. */
export async function openWorld(): Promise<World> {
  const [postgres, redis, folder] = await Promise.all([
    privatePostgres(),
    privateRedis(),
    mkdtemp(join(tmpdir(), 'millrace-bench-')),
  ])
  await migrate(postgres.url)
  const timeouts = { statementTimeoutMs: 60_000, idleInTransactionTimeoutMs: 60_000 }
  const pool = await createPool(postgres.url, { ...timeouts, size: 10 })
  const connections = new RoundTripPool(withPlansByKey(postgres.url), { ...timeouts, size: 4 })
  await pool.query(statement`alter sequence ids restart with 7000000000001`)
  const env = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, LOG_LEVEL: 'info' }
  const [web, worker] = await Promise.all([startProcess('web', env), startProcess('worker', env)])
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    pool,
    connections,
    url: web.url,
    pids: { web: web.child.pid ?? 0, worker: worker.child.pid ?? 0, postgres: postgres.pid, redis: redis.pid },
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

const variantOf = (product: Answer): string => (product['variants'] as { id: string }[])[0]?.id ?? ''

/** A tenant with a key, a place, a product and stock of it; with `materials`, twenty more and partners. */
export async function makeTenant({ pool, connections }: World, { materials = false } = {}): Promise<BenchTenant> {
  const id = await newTenant(pool)
  const limits = { ratePerMinute: 1_000_000_000, burst: 1_000_000, dailyDocuments: 100_000_000 }
  const key = await issueKey(pool, { tenantId: id, name: 'bench', scopes: [...scopes], ...limits })
  if (!key) throw new Error('no key')
  const made = (endpoint: string, body: unknown) => connections.use(connection => run(connection, id, endpoint, body))
  const place = await made('createStoragePlace', { title: 'Warehouse' })
  const product = await made('createProduct', { title: 'Product', price: 12.5 })
  const materialIds: string[] = []
  for (let n = 0; materials && n < 20; n++)
    materialIds.push(variantOf(await made('createProduct', { title: `Material ${n}`, sku: `MAT-${n}` })))
  const variantId = variantOf(product)
  const items = [variantId, ...materialIds].map(variant => ({
    item_variant_id: variant,
    quantity: 900_000,
    unit_cost: 2.5,
  }))
  await made('createStockAdjustment', { storage_place_id: place.id, items })
  return {
    id,
    token: key.token,
    keyId: key.keyId,
    placeId: place.id,
    productId: product.id,
    variantId,
    materialIds,
    customerId: materials ? (await made('createCustomer', { title: 'Customer' })).id : '',
    supplierId: materials ? (await made('createSupplier', { title: 'Supplier' })).id : '',
  }
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
  // Behind its last output; who ends it later hears nothing.
  child.once('close', code => reject(new Error(`${script} ended with ${code}`)))
  if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve)
  return { line: await promise, child }
}
