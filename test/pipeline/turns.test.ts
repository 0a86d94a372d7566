import test from 'ava'
import { Turns } from '../../lib/pipeline/turns.ts'

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

/** Takes a step of a lane and notes when it is done. */
const step = (turns: Turns, lane: string, done: string[]) => {
  const turn = turns.take(lane)
  if (turn) void turn.then(() => done.push(lane))
  else done.push(lane)
}

test('while there is room, a step waits for nothing', async t => {
  const turns = new Turns(2)
  for (let n = 0; n < 3; n++) {
    t.is(turns.take('a'), undefined)
    t.is(turns.take('b'), undefined)
    await nextTurn()
  }
})

test('a lane with one step comes before the rest of a busy one', async t => {
  const turns = new Turns(2)
  const done: string[] = []
  for (let n = 0; n < 8; n++) step(turns, 'busy', done)
  step(turns, 'calm', done)
  t.deepEqual(done, ['busy', 'busy'])
  await nextTurn()
  t.deepEqual(done, ['busy', 'busy', 'busy', 'calm'])
  for (let n = 0; n < 3; n++) await nextTurn()
  t.deepEqual(done.slice(4), Array(5).fill('busy'))
})

test('a turn has so many steps and no more, and what waited comes before what is new', async t => {
  const turns = new Turns(3)
  const done: string[] = []
  for (let n = 0; n < 5; n++) step(turns, `first ${n}`, done)
  const counts: number[] = []
  for (let n = 0; n < 4; n++) {
    for (let more = 0; more < 2; more++) step(turns, `later ${n}`, done)
    counts.push(done.length)
    await nextTurn()
  }
  t.deepEqual(counts, [3, 6, 9, 12])
  t.deepEqual(done.slice(0, 5), ['first 0', 'first 1', 'first 2', 'first 3', 'first 4'])
  t.is(done.length, 13)
})
