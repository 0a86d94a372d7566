import test from 'ava'
import { ReadShare } from '../../server/read-share.ts'

const PATIENT_MS = 60_000

/** A share of so many places, with a record of who began, in order. */
function shareOf(places: number) {
  const share = new ReadShare(places)
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
  const share = new ReadShare(4)
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
  const share = new ReadShare(1)
  t.true(share.enter('a', PATIENT_MS))
  const [impatient, patient] = [share.enter('a', 1), share.enter('a', PATIENT_MS)]
  t.false(await impatient)
  t.is(share.waiting, 1)
  share.leave('a')
  t.true(await patient)
  t.is(share.waiting, 0)
})
