/**
 * Connections to PostgreSQL and Redis that become silent, under web process, worker and webhook process at the same time: requests are
 * answered, no write is lost or done twice, and the service recovers without help. `npm run torture` has each kind of process alone, more
 * kinds of faults, and how soon answers come.
 */
import type { ExecutionContext } from 'ava'
import { eventually } from '../support/eventually.ts'
import { apart } from '../support/suite.ts'
import { kinds, type Load, openBrokenWays, startLoad, stores, thrownAway } from './broken-ways.ts'

const test = apart(import.meta, { isSerial: true })

const broken = await openBrokenWays()
test.after.always(() => broken.close())

/** Breaks something under load, and proves that no write was lost or done twice. */
async function attack(t: ExecutionContext, strike: (load: Load) => Promise<void>): Promise<void> {
  const load = startLoad(broken)
  t.teardown(load.giveUp)
  await load.back()
  await strike(load)
  await load.back()
  t.deepEqual(await load.prove(), [])
  t.log(load.slowest)
}

for (const store of stores)
  test(`all connections to ${store} silent: everything once, and service again`, async t => {
    await attack(t, async () => {
      for (const kind of kinds) broken.ways[kind][store].silence()
    })
    for (const kind of kinds) t.true((await thrownAway(broken, kind, store)) > 0, `${kind} counts what it threw away`)
  })

test('PostgreSQL does what it is sent, and its answers are lost: everything once, and service again', t =>
  attack(t, async () => {
    for (const kind of kinds) broken.ways[kind].postgres.swallowAnswers()
  }))

test('a PostgreSQL that takes connections and answers nobody: 503 meanwhile, and service again', t =>
  attack(t, async load => {
    for (const kind of kinds) broken.ways[kind].postgres.silenceAll()
    const { read, write } = load.refused
    await eventually(() => load.refused.read > read && load.refused.write > write)
    for (const kind of kinds) await broken.ways[kind].postgres.mend()
  }))
