import { gauge, registry } from '../../lib/platform/telemetry/metrics.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const lines = async (name: string) =>
  (await registry.metrics()).split('\n').filter(line => line.startsWith(name) || line.includes(`gauge="${name}"`))

test('a gauge whose store does not answer is left out in time, said to be so, and asked once', async t => {
  let asked = 0
  const answer = Promise.withResolvers<void>()
  gauge('millrace_test_waiting', 'Of this test', [], async set => {
    asked++
    await answer.promise
    set({}, 7)
  })
  for (let scrape = 0; scrape < 2; scrape++)
    t.deepEqual(await lines('millrace_test_waiting'), ['millrace_gauge_up{gauge="millrace_test_waiting"} 0'])
  t.is(asked, 1)
  answer.resolve()
  t.deepEqual((await lines('millrace_test_waiting')).sort(), [
    'millrace_gauge_up{gauge="millrace_test_waiting"} 1',
    'millrace_test_waiting 7',
  ])
})

test('a gauge that fails does not show what it was before', async t => {
  let isAway = false
  gauge('millrace_test_failing', 'Of this test', ['shard'], async set => {
    if (isAway) throw new Error('away')
    set({ shard: '1' }, 3)
  })
  t.true((await lines('millrace_test_failing')).includes('millrace_test_failing{shard="1"} 3'))
  isAway = true
  t.deepEqual(await lines('millrace_test_failing'), ['millrace_gauge_up{gauge="millrace_test_failing"} 0'])
})
