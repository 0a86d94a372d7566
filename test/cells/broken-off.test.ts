/** Moves whose mover is killed or frozen after each step: a worker continues them, and a mover that runs again does no harm. */

import { eventually } from '../support/eventually.ts'
import { apart } from '../support/suite.ts'
import { type Place, startBrokenMoves } from './broken-moves.ts'

const test = apart(import.meta, { isSerial: true })

/** Each mover is a process of its own, and most of its time is its start. */
const AT_ONCE = 2
/**
 * While the tenant writes, while its writes are paused, and after the tenant has changed cells. `npm run torture` takes all other places
 * (broken-off-anywhere).
 */
const KILLED_AT: readonly Place[] = ['watched', 'in the copy', 'complete', 'switched', 'arrived']
/** At these places a frozen mover has sessions in both cells: before, during and after the change of cells. */
const FROZEN_AT: readonly Place[] = ['writes are paused', 'in the copy', 'switched']

const moves = await startBrokenMoves()
test.after.always(() => moves.close())

test('where a mover is killed on the way, the writes go on by themselves, each once', async t => {
  const left = [...KILLED_AT]
  const run = async () => {
    for (let place = left.shift(); place !== undefined; place = left.shift()) {
      const tenant = await moves.tenant()
      t.like(await moves.move(tenant, place, 'SIGKILL').ended, { by: 'SIGKILL' }, place)
      // The first of the two writes may have been committed before.
      await tenant.written(2, `writes behind ${place}`)
      await moves.isOver(tenant, `the end of the move behind ${place}`)
      t.is(await moves.prove(t, tenant, place), 'west', place)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
})

test('where a mover freezes on the way, another takes over, and one that comes back does no harm', async t => {
  const frozen = await Promise.all(
    FROZEN_AT.map(async place => {
      const tenant = await moves.tenant()
      return { place, tenant, mover: moves.move(tenant, place, 'SIGSTOP') }
    }),
  )
  for (const { place, mover } of frozen) await eventually(mover.isSent, { what: `a mover at ${place}` })
  for (const { place, tenant } of frozen) await moves.isOver(tenant, `the end of the move behind ${place}`)
  await Promise.all(frozen.map(({ place, tenant }) => tenant.written(2, `writes behind ${place}`)))
  // The sessions of whoever took the moves up end by themselves. Those of a frozen mover in a cell would stay for hours.
  await eventually(async () => (await moves.sessions()) === 0, { what: 'the end of all sessions to write over' })
  for (const { place, mover } of frozen) {
    mover.child.kill('SIGCONT')
    t.regex((await mover.ended).said, /^ended: /m, place)
  }
  await Promise.all(frozen.map(({ place, tenant }) => tenant.written(2, `writes after it came back behind ${place}`)))
  for (const { place, tenant } of frozen) t.is(await moves.prove(t, tenant, place), 'west', place)
})
