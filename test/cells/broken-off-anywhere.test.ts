/**
 * Does what broken-off.test.ts does, with movers that are killed or frozen before some of all their statements. Each run takes other
 * statements.
 */

import { eventually } from '../support/eventually.ts'
import { apart } from '../support/suite.ts'
import { startBrokenMoves } from './broken-moves.ts'

const test = apart(import.meta, { isSerial: true })

/** Of 600 to 800 statements the test takes every 16th, from a random one on. */
const STEP = 16
const STATEMENTS_MAX = 1_500
/** How many movers are frozen at the same time. */
const AT_ONCE = 8

const moves = await startBrokenMoves()
test.after.always(() => moves.close())

for (const signal of ['SIGKILL', 'SIGSTOP'] as const)
  test(`a mover that gets ${signal} before any of its statements leaves its tenant whole`, async t => {
    const first = 1 + Math.floor(Math.random() * STEP)
    let tried = 0
    let isThrough = false
    const attempt = async (statement: number) => {
      const what = `${signal} before statement ${statement}`
      const tenant = await moves.tenant()
      const mover = moves.move(tenant, statement, signal)
      const ended = mover.ended.then(() => 'ended' as const)
      const sent = eventually(mover.isSent, { what }).then(() => 'sent' as const)
      sent.catch(() => {}) // the move has fewer statements
      await Promise.race([ended, sent])
      if (mover.isSent()) tried++
      else isThrough = true
      await moves.isOver(tenant, `the end of the move at ${what}`)
      await tenant.written(2, `writes at ${what}`)
      mover.child.kill('SIGCONT')
      await ended
      await tenant.written(2, `writes after ${what}`)
      await moves.isOver(tenant, `the end of a move that came back at ${what}`)
      await moves.prove(t, tenant, what)
    }
    for (let next = first; !isThrough; next += AT_ONCE * STEP) {
      t.true(next < STATEMENTS_MAX)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => attempt(next + at * STEP)))
    }
    t.log(`${tried} statements, from ${first} on`)
    t.true(tried > 20)
  })
