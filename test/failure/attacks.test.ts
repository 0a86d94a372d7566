/** Each attack in short, under load from clients that repeat with the same key: nothing lost, nothing twice, soon back. */
import test from 'ava'
import { attacks } from './attacks.ts'
import { startLoad } from './load.ts'
import { moreAcknowledged, openRig, proofOf } from './rig.ts'

/** `npm run torture` strikes as often as it is told. */
const STRIKES = 1
const WRITES_BETWEEN = 40

for (const attack of attacks) {
  test.serial(`${attack.name}: every acknowledged command exactly once`, async t => {
    t.timeout(120_000)
    const rig = await openRig(attack.rig)
    try {
      const load = startLoad(rig)
      const recoveries: number[] = []
      for (let strike = 0; strike < STRIKES; strike++) {
        await moreAcknowledged(load, WRITES_BETWEEN, 'work before the strike')
        await attack.strike(rig)
        recoveries.push(await moreAcknowledged(load, WRITES_BETWEEN, 'work after the strike'))
      }
      await load.stop()
      t.deepEqual(await proofOf(rig, load), [])
      const { duplicates, hangUps, retries } = load.figures
      t.log(
        `${STRIKES} strike(s), ${load.acknowledged.size} commands, ${duplicates} duplicates, ${hangUps} hang-ups, ${retries} retries, back within ${Math.round(Math.max(...recoveries))} ms`,
      )
    } finally {
      await rig.close()
    }
  })
}
