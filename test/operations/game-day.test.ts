/**
 * A game day: 20 tenants of three cells write all day, while operators replace all processes, lose the disk of a cell and restore it, move
 * a tenant, drain a cell, erase a tenant and import it again. No write is lost, doubled or mixed up.
 *
 * The lost disk: the write-ahead log is on another disk, which is not lost. The base backup and the log then have every acknowledged write,
 * and events without a gap. docs/recovery.md and its test have the case in which only a dump is left.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendOver } from '../../lib/tools/demo/client.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { differences } from '../cli/compared-exports.ts'
import { startFollower } from '../failure/follower.ts'
import { type LoadOptions, startLoad } from '../failure/load.ts'
import { prove } from '../failure/proof.ts'
import { moreAcknowledged } from '../failure/rig.ts'
import type { Loose } from '../support/command-context.ts'
import { apart } from '../support/suite.ts'
import { openDay } from './day.ts'

const test = apart(import.meta)

/** A load that leaves the processors to the processes. */
const STEADY: LoadOptions = { clients: 1, pauseMs: 1_500 }
const WRITES = 40

test('a day of a deploy, a lost disk, moves, an erasure and an import loses, doubles and mixes up nothing', async t => {
  const day = await openDay()
  const { journal, typed, tenants } = day
  const folder = await mkdtemp(join(tmpdir(), 'millrace-day-'))
  t.teardown(async () => {
    await day.close()
    await rm(folder, { recursive: true })
  })
  const goesOn = async (what: string, of: typeof tenants = tenants) => {
    await moreAcknowledged({ journal, tenants: of }, WRITES, what)
    t.deepEqual(journal.faults, [], what)
  }

  const load = startLoad(day, STEADY)
  const follower = await startFollower(day)
  t.teardown(() => {
    load.giveUp()
    follower.giveUp()
  })
  await goesOn('the morning')
  for (const kind of ['worker', 'webhook', 'web'] as const) await day.replace(kind)
  await goesOn('the deploy')

  await day.east.backUp()
  await goesOn('the backup')
  await day.east.loseData()
  await goesOn(
    'the cells that are left',
    tenants.filter(({ cell }) => cell !== 'east'),
  )
  await day.east.restore()
  await goesOn('the restored cell')

  const guest = await day.newTenant('Guest', 'west')
  await fillDemo(sendOver(guest.url, guest.token), line => {
    throw new Error(line)
  })
  const exported = join(folder, 'exported')
  await typed('tenant', 'export', '--tenant', guest.tenantId, exported)
  const [moved] = tenants
  await typed('tenant', 'move', '--tenant', moved?.client.tenantId ?? '', '--cell', 'west')
  await goesOn('the move')
  await typed('tenant', 'erase', '--tenant', guest.tenantId, '--name', 'Guest')
  t.is((await guest.get('/customers')).status, 401)
  const imported = await typed('tenant', 'import', '--cell', 'east', exported)
  await typed('cell', 'drain', 'west')
  await goesOn('the drained cell')
  t.is((await typed('cell', 'list')).cells.find(({ name }: Loose) => name === 'west').tenants, 0)
  const again = join(folder, 'again')
  await typed('tenant', 'export', '--tenant', imported.tenant_id, again)
  t.deepEqual(await differences(exported, again), {})
  const back = await day.keyOf(imported.tenant_id)
  t.is((await back.post('/customers', { title: 'Back' })).status, 201)

  await load.stop()
  await follower.stop()
  await prove(day, day.databaseUrls)
  t.deepEqual(journal.faults, [], day.errors().join('\n'))
  const { acknowledged, refused, replayed } = journal.figures
  t.log(
    `${acknowledged} writes acknowledged, ${refused} refused, ${replayed} replayed, ${follower.figures.events} events`,
  )
  t.true(tenants.every(tenant => (journal.acknowledgedOf.get(tenant) ?? 0) > 10))
})
