import { setImmediate } from 'node:timers/promises'
import type { Context } from 'koa'
import { loadConfig } from '../../lib/platform/config.ts'
import { TenantSlots } from '../../lib/platform/limits/tenant-slots.ts'
import { LongBodies } from '../../server/long-bodies.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const PATIENT_MS = 60_000

/** A share with this many places, and a record of which callers began, in order. */
function shareOf(places: number) {
  const share = new TenantSlots(places)
  const begun: string[] = []
  return {
    share,
    begun,
    enter: (tenant: string, times = 1) => {
      for (let n = 0; n < times; n++) {
        const may = share.enter(tenant, PATIENT_MS)
        if (may === true) begun.push(tenant)
        else void may.then(() => begun.push(tenant))
      }
    },
    leave: async (tenant: string) => {
      share.leave(tenant)
      await Promise.resolve()
    },
    of: (tenant: string) => begun.filter(name => name === tenant).length,
  }
}

test('a tenant that is alone has most places, and leaves some for whoever comes', t => {
  const { enter, of, share } = shareOf(7)
  enter('busy', 100)
  t.is(of('busy'), 5)
  t.is(share.waiting, 95)
  enter('calm', 2)
  t.is(of('calm'), 2)
})

test('everybody may read where there is one place', async t => {
  const { enter, leave, begun } = shareOf(1)
  enter('busy', 3)
  enter('calm')
  await leave('busy')
  await leave('calm')
  await leave('busy')
  t.deepEqual(begun, ['busy', 'calm', 'busy', 'busy'])
})

test('a place that falls free goes to the tenant with the fewest reads, and to such tenants in turn', async t => {
  const { enter, leave, begun } = shareOf(3)
  enter('a', 10)
  enter('b', 10)
  t.deepEqual(begun, ['a', 'a', 'b'])
  enter('c', 2)
  enter('d', 2)
  begun.length = 0
  await leave('a')
  await leave('a')
  await leave('b')
  t.deepEqual(begun, ['c', 'd', 'a'])
})

test('reads of a tenant begin in their order, each once, and in the end all places are free again', async t => {
  const share = new TenantSlots(4)
  const order: number[] = []
  const places = Array.from({ length: 40 }, () => share.enter('a', PATIENT_MS))
  await Promise.all(
    places.map(async (place, n) => {
      t.true(await place)
      order.push(n)
      share.leave('a')
    }),
  )
  t.deepEqual(
    order,
    Array.from({ length: 40 }, (_, n) => n),
  )
  t.is(share.waiting, 0)
  t.deepEqual([share.enter('a', 1), share.enter('a', 1), share.enter('b', 1)], [true, true, true])
})

test('who waited too long is told so, and takes no place', async t => {
  const share = new TenantSlots(1)
  t.true(share.enter('a', PATIENT_MS))
  const [impatient, patient] = [share.enter('a', 1), share.enter('a', PATIENT_MS)]
  t.false(await impatient)
  t.is(share.waiting, 1)
  share.leave('a')
  t.true(await patient)
  t.is(share.waiting, 0)
})

test('of long bodies one is parsed at a time, tenants in turn, however many one tenant sends', async t => {
  const bodies = new LongBodies(loadConfig({}))
  const seen: string[] = []
  let parsing = 0
  const send = (tenantId: string, name: string) => {
    const ctx = { state: { access: { tenantId }, deadline: {} } } as unknown as Context
    return bodies.inMemory(ctx, () =>
      bodies.inTurn(ctx, async () => {
        t.is(++parsing, 1, name)
        seen.push(name)
        await setImmediate()
        parsing--
        return name
      }),
    )
  }
  const greedy = Array.from({ length: 40 }, (_, n) => send('greedy', `greedy ${n}`))
  const calm = ['a', 'b', 'c'].map(tenantId => send(tenantId, tenantId))
  t.deepEqual(await Promise.all(calm), ['a', 'b', 'c'])
  t.deepEqual(seen.slice(0, 4), ['greedy 0', 'a', 'b', 'c'])
  t.is((await Promise.all(greedy)).length, 40)
  t.is(seen.length, 43)
})

test('a long body that gets no turn by the deadline of its write is 503, and leaves its place to others', async t => {
  const bodies = new LongBodies({ ...loadConfig({}), commandDeadlineMs: 20 })
  const ctx = () => ({ state: { access: { tenantId: '1' }, deadline: {} } }) as unknown as Context
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = bodies.inTurn(ctx(), () => promise)
  t.like(await bodies.inTurn(ctx(), async () => 'never'), { refusal: 'service_unavailable' })
  resolve('first')
  t.is(await first, 'first')
  t.is(await bodies.inTurn(ctx(), async () => 'next'), 'next')
})
