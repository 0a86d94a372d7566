import { gathered } from '../../lib/platform/limits/gathered.ts'
import { column } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

/** Records the calls, and answers each ask with its double. */
function doubling(weightOf?: (ask: number) => number) {
  const calls: [string, readonly number[]][] = []
  const send = async (key: string, asks: readonly number[]) => {
    calls.push([key, asks])
    if (asks.includes(0)) throw new RangeError('nothing')
    return asks.map(ask => 2 * ask)
  }
  return { calls, ask: gathered(send, process.nextTick, weightOf) }
}

test('what is asked in one turn of one key travels in one call, and each ask gets its own answer', async t => {
  const { calls, ask } = doubling()
  const answers = await Promise.all([ask('a', 1), ask('b', 2), ask('a', 3), Promise.resolve().then(() => ask('b', 4))])
  t.deepEqual(answers, [2, 4, 6, 8])
  t.deepEqual(calls, [
    ['a', [1, 3]],
    ['b', [2, 4]],
  ])
  t.is(await ask('a', 5), 10)
  t.deepEqual(calls[2], ['a', [5]])
})

test('a call takes so many, and what is over goes in the next one', async t => {
  const { calls, ask } = doubling()
  const asks = Array.from({ length: 70 }, (_, at) => at + 1)
  t.deepEqual(
    await Promise.all(asks.map(each => ask('a', each))),
    asks.map(each => 2 * each),
  )
  t.deepEqual(
    calls.map(([, of]) => of.length),
    [32, 32, 6],
  )
})

test('asks that hold much go in fewer to a call', async t => {
  const { calls, ask } = doubling(() => 20)
  await Promise.all([1, 2, 3].map(each => ask('a', each)))
  t.deepEqual(
    calls.map(([, of]) => of),
    [[1, 2], [3]],
  )
})

test('a call that fails fails those that shared it, and no other', async t => {
  const { ask } = doubling()
  const outcomes = await Promise.allSettled([ask('a', 1), ask('b', 2), ask('a', 0)])
  t.deepEqual(column(outcomes, 'status'), ['rejected', 'fulfilled', 'rejected'])
  t.is(await ask('a', 4), 8)
})
