/**
 * Connections to PostgreSQL and Redis that fall silent, under web process, worker and webhook process at once: answers, nothing lost
 * or done twice, and service again by itself. Each kind of process by itself, more kinds of breakage, and how soon answers come: `npm run torture`.
 */
import type { ExecutionContext } from 'ava'
import { eventually } from '../support/eventually.ts'
import { apart } from '../support/suite.ts'
import { kinds, type Load, openBrokenWays, startLoad, stores, thrownAway } from './broken-ways.ts'

const test = apart(import.meta, { isSerial: true })

const broken = await openBrokenWays()
test.after.always(() => broken.close())

/** Breaks something under load, and proves that nothing came of it. */
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
