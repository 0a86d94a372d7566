/**
 * Every kind of process on broken connections to each of the stores: answers come in time, no write is lost or done twice, and the service
 * recovers without help. It takes ten minutes and is a part of torture. silence.test.ts has the worst cases in short.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { apart } from '../support/suite.ts'
import type { Way } from '../support/way.ts'
import { kinds, openBrokenWays, startLoad, stores } from './broken-ways.ts'

const test = apart(import.meta, { isSerial: true })

/** The time for which a connection is broken: longer than every time limit of an answer except a write's. */
const BROKEN_MS = 8_000

const forAWhile = async (way: Way, breakIt: () => unknown): Promise<void> => {
  await breakIt()
  await delay(BROKEN_MS)
  await way.mend()
}

const breakages: Readonly<Record<string, (way: Way) => unknown>> = {
  'open connections silent': way => way.silence(),
  'all connections silent for a while': way => forAWhile(way, () => way.silenceAll()),
  'answers swallowed': way => way.swallowAnswers(),
  'connections closed at the other end alone': way => way.closeBehind(),
  'everything late for a while': way => forAWhile(way, () => way.slow(300)),
  'connections reset': way => way.reset(),
  'cut off for a while': way => forAWhile(way, () => way.cut()),
}

const broken = await openBrokenWays()
test.after.always(() => broken.close())

for (const kind of kinds)
  for (const store of stores)
    for (const [name, breakIt] of Object.entries(breakages))
      test(`${kind} to ${store}: ${name}`, async t => {
        const load = startLoad(broken)
        t.teardown(load.giveUp)
        await load.back()
        await breakIt(broken.ways[kind][store])
        await load.back()
        t.deepEqual(await load.prove(), [])
        t.deepEqual(load.late, [])
        t.log(load.slowest)
      })
