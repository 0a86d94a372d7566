import { FairShare } from '../../lib/platform/limits/fair-share.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

/** A share with a clock that the test sets, and a record of the running tenants. */
function shareWith() {
  let now = 0
  const share = new FairShare(() => now)
  const underWay = new Map<string, number>()
  const begin = (tenant: string) => underWay.set(tenant, (underWay.get(tenant) ?? 0) + 1)
  return {
    pass: (ms: number) => {
      now += ms
    },
    of: (tenant: string) => underWay.get(tenant) ?? 0,
    enter: (tenant: string, times = 1) => {
      for (let n = 0; n < times; n++) {
        const may = share.enter(tenant, 60_000)
        if (may === true) begin(tenant)
        else void may.then(() => begin(tenant))
      }
    },
    leave: async (tenant: string, times = 1) => {
      for (let n = 0; n < times; n++) {
        underWay.set(tenant, (underWay.get(tenant) ?? 0) - 1)
        share.leave(tenant)
      }
      await Promise.resolve()
    },
  }
}

test('a tenant that is alone has all that it asks for under way', t => {
  const share = shareWith()
  share.enter('busy', 500)
  t.is(share.of('busy'), 500)
})

test('beside a calm tenant, a busy one has eight under way, and the calm one never waits', async t => {
  const share = shareWith()
  share.enter('calm')
  share.enter('busy', 64)
  t.is(share.of('busy'), 8)
  share.enter('calm', 2)
  t.is(share.of('calm'), 3)
  await share.leave('busy', 5)
  t.is(share.of('busy'), 8)
  await share.leave('busy', 53)
  t.is(share.of('busy'), 6, 'everything that waited has begun, and nothing twice')
})

test('tenants that are equally busy do not bound each other', t => {
  const share = shareWith()
  for (let n = 0; n < 40; n++) for (const tenant of ['a', 'b']) share.enter(tenant)
  t.deepEqual([share.of('a'), share.of('b')], [40, 40])
})

test('a calm tenant that pauses still counts for a while, and one that is gone no longer', async t => {
  const share = shareWith()
  share.enter('calm')
  await share.leave('calm')
  share.pass(499)
  share.enter('busy', 40)
  t.is(share.of('busy'), 8)
  for (let n = 0; n < 3; n++) {
    share.pass(500)
    share.enter('busy')
  }
  await share.leave('busy')
  t.is(share.of('busy'), 42, 'the next that ends lets all begin that wait')
})

test('what waits goes on in its order', async t => {
  const share = new FairShare()
  const begun: number[] = []
  t.true(share.enter('calm', 60_000))
  for (let n = 0; n < 8; n++) t.true(share.enter('busy', 60_000))
  for (let n = 0; n < 5; n++) void Promise.resolve(share.enter('busy', 60_000)).then(() => begun.push(n))
  for (let n = 0; n < 5; n++) share.leave('busy')
  await Promise.resolve()
  t.deepEqual(begun, [0, 1, 2, 3, 4])
})

test('what waits longer than its patience is told so, and takes no place', async t => {
  const share = new FairShare()
  t.true(share.enter('calm', 60_000))
  for (let n = 0; n < 8; n++) t.true(share.enter('busy', 60_000))
  const impatient = share.enter('busy', 1)
  const patient = share.enter('busy', 60_000)
  t.false(await impatient)
  share.leave('busy')
  t.true(await patient)
  t.not(share.enter('busy', 60_000), true, 'the eight places are taken again')
})
