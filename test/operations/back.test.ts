/** One version forward, back, and forward again: what each version wrote, the other serves and replays (docs/operations.md). */

import { Redis } from 'ioredis'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { OlderProcesses } from '../../lib/platform/postgres/migrations/older.ts'
import { VERSION } from '../../lib/platform/version.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import { ask, type Fleet, type FleetTenant, startFleet } from '../scaling/fleet.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { databaseOf, filesOf, releaseBefore } from './versions.ts'

const test = apart(import.meta)

const TENANTS = 3
const ORDERS = 8

/** The release before this one; undefined in a clone without the history. */
const commit = releaseBefore(VERSION)
const declareTest = commit ? test : test.skip

/** A write and its answer, by which every replay is held. */
type Written = { readonly path: string; readonly key: string; readonly body: object; readonly text: string }

declareTest('the version before serves what this one wrote until the rollout is finished, and back again', async t => {
  const services = await testServices()
  const root = await filesOf(commit ?? '')
  const { databaseUrl, drop } = await databaseOf(root, services.databaseUrl)
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: services.redisUrl, WEBHOOK_SECRET_KEY: 'b'.repeat(64) }
  const redis = new Redis(services.redisUrl)
  const written = new Map<FleetTenant, Written[]>()

  /** Writes orders of each tenant's product, one after another, and replays all that was written before. */
  const work = async (fleet: Fleet, phase: string) => {
    const inTenant = async (tenant: FleetTenant, all: Written[]) => {
      const write = async (path: string, key: string, body: object) => {
        const answer = await ask(fleet.webs[0], tenant.token, path, { key: `${phase}-${key}`, body })
        t.is(answer.status, 201, `${phase} ${path}: ${answer.text}`)
        all.push({ path, key: `${phase}-${key}`, body, text: answer.text })
        return answer.body
      }
      const before = [...all]
      const { variants } = await write('/products', 'product', { title: `Of ${phase}`, sku: phase })
      const goods = { item_variant_id: variants[0].id }
      await write('/stock-adjustments', 'stock', { items: [{ ...goods, quantity: ORDERS }] })
      const items = [{ ...goods, quantity: 1, price: 3 }]
      for (let n = 0; n < ORDERS; n++) await write('/sales-orders', `order-${n}`, { customer: { title: phase }, items })
      for (const { path, key, body, text } of before) {
        const again = await ask(fleet.webs[0], tenant.token, path, { key, body })
        t.deepEqual([again.replayed, again.text], [true, text], `${key} in ${phase}`)
      }
    }
    if (written.size === 0) for (let n = 0; n < TENANTS; n++) written.set(await fleet.tenant(), [])
    await Promise.all([...written].map(([tenant, all]) => inTenant(tenant, all)))
    if (phase !== 'first') t.deepEqual((await reconcile(databaseUrl)).faults, [], phase)
  }
  const serving = async (phase: string, of?: string) => {
    const fleet = await startFleet(env, { webs: 1, workers: 1, ...(of !== undefined && { root: of }) })
    try {
      // Else Redis answers replays.
      await redis.flushdb()
      await work(fleet, phase)
      if (of !== undefined && phase !== 'first')
        await t.throwsAsync(migrate(databaseUrl, { finishes: true, lookMs: 0 }), { instanceOf: OlderProcesses })
    } finally {
      await fleet.close()
    }
  }

  await serving('first', root)
  const { applied, waiting } = await migrate(databaseUrl)
  t.true(applied.length > 0)
  t.true(waiting.length > 0)
  await serving('new')
  await serving('back', root)
  await serving('again')
  t.deepEqual((await migrate(databaseUrl, { finishes: true, lookMs: 0 })).applied, waiting)
  await serving('finished')
  redis.disconnect()
  await drop()
  await services.close()
})
