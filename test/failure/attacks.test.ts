/**
 * Each attack in short, under load from clients that repeat with the same key: nothing lost, nothing twice, soon back; and who
 * follows the events is told of each once.
 */
import test from 'ava'
import { type Attack, attacks } from './attacks.ts'
import { startFollower } from './follower.ts'
import { startLoad } from './load.ts'
import { BEFORE_MS_MAX, moreAcknowledged, openRig, proofOf, type Rig } from './rig.ts'

/** `npm run torture` strikes as often as it is told. */
const STRIKES = 1
const WRITES_BETWEEN = 40
/** The load leaves processors to the tests beside it. */
const PAUSE_MS = 150

/** Attacks that want the same rig take turns on one: starting it takes longer than an attack. */
const rigs = new Map<string, Promise<Rig>>()
const rigFor = (attack: Attack): Promise<Rig> => {
  const key = JSON.stringify(attack.rig ?? {})
  const rig = rigs.get(key) ?? openRig(attack.rig)
  rigs.set(key, rig)
  return rig
}
/** What earlier attacks on a rig left acknowledged must still be there. */
const acknowledgedOn = new Map<Rig, ReadonlyMap<string, string>>()
test.after.always(async () => {
  await Promise.all([...rigs.values()].map(async rig => (await rig).close()))
})

/** One of each kind of process; all of them, and more often, by `npm run torture`. */
const names = new Set([
  'a worker killed',
  'a web process killed',
  'Redis killed, everything forgotten',
  'Postgres killed',
])

for (const attack of attacks.filter(({ name }) => names.has(name))) {
  test.serial(`${attack.name}: every acknowledged command exactly once`, async t => {
    t.timeout(120_000)
    const rig = await rigFor(attack)
    const load = startLoad(rig, { pauseMs: PAUSE_MS })
    const follower = await startFollower(rig)
    const recoveries: number[] = []
    for (let strike = 0; strike < STRIKES; strike++) {
      await moreAcknowledged(load, WRITES_BETWEEN, 'work before the strike', BEFORE_MS_MAX)
      await attack.strike(rig)
      recoveries.push(await moreAcknowledged(load, WRITES_BETWEEN, 'work after the strike'))
    }
    await load.stop()
    await follower.stop()
    const everything = new Map([...(acknowledgedOn.get(rig) ?? []), ...load.acknowledged])
    acknowledgedOn.set(rig, everything)
    t.deepEqual(await proofOf(rig, { ...load, acknowledged: everything }), [])
    t.deepEqual(follower.faults, [])
    t.true(follower.figures.events >= load.acknowledged.size)
    const { duplicates, hangUps, retries } = load.figures
    t.log(
      `${STRIKES} strike(s), ${load.acknowledged.size} commands, ${duplicates} duplicates, ${hangUps} hang-ups, ${retries} retries, ${follower.figures.events} events over ${follower.figures.streams} streams, back within ${Math.round(Math.max(...recoveries))} ms`,
    )
  })
}
