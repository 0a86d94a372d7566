/**
 * The attacks in short, under load from clients of many tenants: no write is lost or done twice, no answer belongs to another write, every
 * tenant is served again soon, and a follower of each tenant gets every event once. `npm run torture` has all of them, at length.
 */
import type { ExecutionContext } from 'ava'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { column } from '../support/records.ts'
import { apart } from '../support/suite.ts'
import { attackNamed } from './attacks.ts'
import { startFollower } from './follower.ts'
import { type LoadOptions, startLoad } from './load.ts'
import { prove } from './proof.ts'
import { moreAcknowledged, openRig } from './rig.ts'

const test = apart(import.meta, { isOneStory: true })

const WRITES_BETWEEN = 20
/** A load that leaves processors to the tests that run at the same time. */
const GENTLE: LoadOptions = { clients: 2, pauseMs: 4_000 }

// One rig for all, since its start takes longer than an attack. Writes that were acknowledged before one attack must survive the later
// ones.
const rig = await openRig({ durableRedis: false, workers: 1 })
test.after.always(() => rig.close())

const guarantee = 'every acknowledged write of 20 tenants is there once, with its own answer'

test(`two drains of one tenant in one worker, since Redis is emptied: ${guarantee}`, async t => {
  await strikeWith(t, [['Redis emptied while a unit of work stands still']], { clients: 3, pauseMs: 600 })
})

// One load and one proof for all of them: each proof repeats every write with its key. Some strike at once, since the load goes on
// while one waits for what each has broken; torture has each alone.
test(`stores and processes are killed, emptied, and a worker freezes: ${guarantee}`, async t => {
  await rig.start('worker')
  await strikeWith(t, [
    ['Redis killed, everything forgotten', 'Postgres killed'],
    // The frozen worker is the one that is not killed.
    ['a process of each kind killed at once', 'a worker frozen past its lease of 4 s'],
  ])
})

test('the proof finds what is lost, what was changed, and what nobody was told of', async t => {
  const { pool, journal, tenants } = rig
  const customers = journal.acknowledged.map(({ write }) => write.key).filter(key => key.endsWith('-each-3'))
  const [lost = '', changed = ''] = customers
  const [tenant] = tenants
  await pool.query(statement`delete from customers where external_ref = ${lost}`)
  await pool.query(statement`update customers set title = 'Another' where external_ref = ${changed}`)
  await tenant?.client.post('/customers', { title: 'Unknown', external_ref: 'unknown' })
  const items = [{ item_variant_id: tenant?.variantId, quantity: 0.000001 }]
  await tenant?.client.post('/stock-adjustments', { items })
  // Half of an entry: its other side is missing.
  await pool.query(statement`
    insert into book_lines (tenant_id, id, entry_id, account, amount, source_type, source_id, day, document_date, created_at)
    select tenant_id, id + 1, id, 'WORK_IN_PROGRESS', 0.0001, source_type, source_id, day, document_date, created_at
    from stock_movements where tenant_id = ${tenant?.client.tenantId ?? ''}::bigint order by id limit 1`)
  await prove(rig, [rig.postgres.url])
  t.deepEqual(
    journal.faults
      .splice(0)
      .map(({ text }) => text.split(': ').slice(0, 2).join(': '))
      .sort(),
    [
      'doubled: customer.created unknown',
      `doubled: stock of tenant ${tenant?.client.tenantId}`,
      'doubled: stock_adjustment.created null',
      'doubled: unknown',
      ...[lost, changed].map(key => `lost: ${key}`).sort(),
      `other: WORK_IN_PROGRESS of tenant ${tenant?.client.tenantId}`,
      `other: all accounts of tenant ${tenant?.client.tenantId}`,
      'other: reconcile',
    ],
  )
})

/** `attacks` run one after another. Those of one inner list run at the same time. */
async function strikeWith(
  t: ExecutionContext,
  attacks: readonly (readonly string[])[],
  options = GENTLE,
): Promise<void> {
  const { journal } = rig
  const before = { ...journal.figures }
  const load = startLoad(rig, { ...options, seed: journal.sent.length })
  const follower = await startFollower(rig)
  t.teardown(() => {
    load.giveUp()
    follower.giveUp()
  })
  await moreAcknowledged(rig, WRITES_BETWEEN, 'work before')
  for (const names of attacks) {
    await Promise.all(names.map(name => attackNamed(name).strike(rig)))
    const name = names.join(', ')
    const ms = await moreAcknowledged(rig, WRITES_BETWEEN, `work after: ${name}`)
    t.log(`${name}: back for every tenant within ${Math.round(ms)} ms`)
  }
  await load.stop()
  await follower.stop()
  await prove(rig, [rig.postgres.url])
  if (journal.faults.length > 0) t.log(rig.errors().join('\n'))
  const { acknowledged, refused, open, dry } = journal.figures
  t.log(
    `${acknowledged - before.acknowledged} acknowledged, ${refused - before.refused} refused, ${open - before.open} open, ${dry - before.dry} run dry; ${follower.figures.events} events over ${follower.figures.streams} streams`,
  )
  t.deepEqual(column(journal.faults.splice(0), 'text'), [])
  t.true(acknowledged > before.acknowledged && refused > before.refused && dry > before.dry)
  t.true(follower.figures.events > 0 && rig.hook.arrivals.length > 0)
}
