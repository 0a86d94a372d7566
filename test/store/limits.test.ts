/** Limits of waiting alone: for a place, and for an answer. */
import { setTimeout as delay } from 'node:timers/promises'
import { AnswerLimit } from '../../lib/platform/answer-limit.ts'
import { NoSlot, Slots } from '../../lib/platform/limits/slots.ts'
import { eventually } from '../support/eventually.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

test('who finds no place in time is told so, and the others keep their order', async t => {
  const sockets = setInterval(() => {}, 1_000) // what else would keep the process
  t.teardown(() => clearInterval(sockets))
  const places = new Slots({ size: 1, patienceMs: 300, of: 'seat' })
  const first = Promise.withResolvers<void>()
  const order: string[] = []
  const sitting = places.in(() => first.promise)
  await t.throwsAsync(
    places.in(async () => order.push('never')),
    { instanceOf: NoSlot, message: 'no seat fell free within 300 ms' },
  )
  const waiting = ['second', 'third'].map(name => places.in(async () => order.push(name)))
  t.is(places.waiting, 2)
  first.resolve()
  await Promise.all([sitting, ...waiting])
  t.deepEqual(order, ['second', 'third'])
  t.is(places.taken, 0)
})

test('a process that stood still itself has not overrun a limit', async t => {
  let overruns = 0
  const limit = new AnswerLimit({ limitMs: 500, marginMs: 500, onOverrun: () => overruns++ })
  limit.begin(1)
  const end = performance.now() + 3_000
  while (performance.now() < end);
  await delay(0)
  t.is(overruns, 0)
  await eventually(() => overruns > 0)
  limit.end(1)
})
