/** Backup and restore as docs/recovery-to-a-moment.md describes: a base backup of a running PostgreSQL, and an empty Redis. */
import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { startPostgres } from '../../lib/tools/embedded/postgres.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import { type Answer, ask, type Fleet, startFleet } from '../scaling/fleet.ts'
import { copyOfCluster, privateRedis, temporaryFolder } from '../support/servers.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

const run = promisify(execFile)

type Write = { readonly path: string; readonly body: unknown; readonly key: string }
type Answered = Write & { readonly answer: Answer }

const LISTS = ['/products', '/stock', '/stock-movements', '/stock-adjustments', '/purchase-orders', '/events']

async function send(fleet: Fleet, token: string, write: Write): Promise<Answered> {
  const answer = await ask(fleet.webs[0], token, write.path, write)
  return { ...write, answer }
}

/** A product, stock of it, and an order for more, each written once. */
async function trade(fleet: Fleet, token: string, name: string): Promise<Answered[]> {
  const product = await send(fleet, token, {
    path: '/products',
    key: `${name}-1`,
    body: { title: name, purchase_price: 2 },
  })
  const item_variant_id = product.answer.body.variants[0].id
  const counted = { item_variant_id, counted_quantity: 12 }
  const place = await send(fleet, token, { path: '/storage-places', key: `${name}-2`, body: { title: 'Hall' } })
  const placed = { storage_place_id: place.answer.body.id }
  return [
    product,
    place,
    await send(fleet, token, { path: '/stock-adjustments', key: `${name}-3`, body: { ...placed, items: [counted] } }),
    await send(fleet, token, {
      path: '/purchase-orders',
      key: `${name}-4`,
      body: { supplier: { title: 'Smith' }, items: [{ item_variant_id, quantity: 5, price: 2 }] },
    }),
  ]
}

const lists = (fleet: Fleet, token: string) =>
  Promise.all(LISTS.map(async path => (await ask(fleet.webs[0], token, path)).text))

/**
 * Does what pg_basebackup does, which the embedded programs lack: copies the files of a running server between the start and the end of a
 * backup, and the log that completes them. `onEnd` runs before the backup ends: everything committed by then is in it.
 */
async function baseBackup(from: { dataDir: string; url: string }, toDir: string, onEnd: () => void): Promise<void> {
  const [source, target] = [join(from.dataDir, 'cluster'), join(toDir, 'cluster')]
  const client = new Client({ connectionString: from.url })
  await client.connect()
  await client.query(`select pg_backup_start('test', fast => true)`)
  await run('cp', ['-a', from.dataDir, toDir]).catch(async error => {
    // A file may be deleted while the copy runs. If the log cannot restore it, the start of the restored server fails.
    if ((await readdir(target)).length < (await readdir(source)).length) throw error
  })
  onEnd()
  const { labelfile } = (await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)')).rows[0]
  await client.end()
  await run('sh', [
    '-c',
    'rm -rf "$2"/postmaster.pid "$2"/postmaster.opts "$2"/pg_wal && cp -a "$1"/pg_wal "$2"/',
    'sh',
    source,
    target,
  ])
  await run('cp', ['-a', join(source, 'PG_VERSION'), join(target, 'backup_label')]) // with the owner of the files
  await writeFile(join(target, 'backup_label'), labelfile)
}

test('a backup of the running database with an empty Redis answers as before, replays included', async t => {
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'postgres')
  const restoredDir = join(folder, 'restored')
  await copyOfCluster(dataDir)
  const [postgres, redis] = await Promise.all([startPostgres({ dataDir, durable: true }), privateRedis()])
  await migrate(postgres.url)
  const fleet = await startFleet({ DATABASE_URL: postgres.url, REDIS_URL: redis.url }, { webs: 1 })
  t.teardown(() => fleet.close())
  const [quiet, busy] = [await fleet.tenant(), await fleet.tenant()]
  const done = await trade(fleet, quiet.token, 'Screw')
  t.deepEqual(
    done.map(({ answer }) => answer.status),
    [201, 201, 201, 201],
    done.map(({ answer }) => answer.text).join('\n'),
  )
  const spent = await fleet.key(quiet.id, { dailyDocuments: 1 })
  t.is((await ask(fleet.webs[0], spent.token, '/products', { body: { title: 'Last' } })).status, 201)
  const before = await lists(fleet, quiet.token)

  let stop = false
  const acknowledged: Answered[] = []
  const writing = (async () => {
    for (let n = 0; !stop; n++)
      acknowledged.push(
        await send(fleet, busy.token, { path: '/products', key: `busy-${n}`, body: { title: `Product ${n}` } }),
      )
  })()
  let saved: readonly Answered[] = []
  await baseBackup({ dataDir, url: postgres.url }, restoredDir, () => {
    saved = acknowledged.slice()
  })
  stop = true
  await writing
  await fleet.close()
  await Promise.all([postgres.stop(), redis.close()])
  t.log(`${saved.length} writes during the backup`)
  t.true(saved.length > 0 && saved.every(({ answer }) => answer.status === 201))

  const [restored, emptyRedis] = await Promise.all([
    startPostgres({ dataDir: restoredDir, durable: true }),
    privateRedis({ durable: false }),
  ])
  const again = await startFleet({ DATABASE_URL: restored.url, REDIS_URL: emptyRedis.url }, { webs: 1 })
  t.teardown(() => again.close())
  t.deepEqual(await lists(again, quiet.token), before)
  for (const [token, answered] of [
    ...done.map(write => [quiet.token, write]),
    ...saved.map(write => [busy.token, write]),
  ] as [string, Answered][]) {
    const { answer } = await send(again, token, answered)
    t.true(answer.replayed)
    t.is(answer.text, answered.answer.text)
  }
  t.deepEqual(await lists(again, quiet.token), before, 'the replays changed something')
  t.is(
    (await ask(again.webs[0], spent.token, '/products', { body: { title: 'One more' } })).status,
    429,
    'the quota is forgotten',
  )
  const next = await trade(again, quiet.token, 'Nut')
  t.deepEqual(
    next.map(({ answer }) => answer.status),
    [201, 201, 201, 201],
  )
  await again.close()
  t.deepEqual((await reconcile(restored.url)).faults, [])
  await Promise.all([restored.stop(), emptyRedis.close()])
  t.true(
    (await readFile(join(restoredDir, 'cluster', 'backup_label.old'), 'utf8')).includes('LABEL: test'),
    'no backup was restored',
  )
})
