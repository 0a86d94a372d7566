/** Look-ups of records by many commands at the same time, which share their statements. */

import { lookUpText } from '../../lib/kit/api/look-up.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { lookUpsOver } from '../../server/look-ups.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { within } from '../support/within.ts'

const test = testsOf(import.meta)

const { databaseUrl } = await serviceOfFile()
const pool = new RoundTripPool(databaseUrl, { size: 4, ...within(60_000) })
test.after.always(() => pool.end())

const keys = (count: number) => Array.from({ length: count }, (_, n) => ({ tenantId: `${n % 7}`, id: `${n}` }))

test('each of a hundred at once gets its own record, and they share a few statements', async t => {
  const lookUp = lookUpsOver(pool)
  const text = lookUpText("select concat(q.tenant_id, '/', q.id, ' ', statement_timestamp()) where q.id <> 50")
  const found = await Promise.all(keys(100).map(key => lookUp(text, key)))
  t.deepEqual(
    found.map(({ document }) => document?.split(' ')[0] ?? null),
    keys(100).map(({ tenantId, id }) => (id === '50' ? null : `${tenantId}/${id}`)),
  )
  t.true(new Set(found.map(({ document }) => document?.split(' ').slice(1).join(' '))).size <= 10)
})

test('a record that cannot be shown fails its own look-up and no other', async t => {
  const lookUp = lookUpsOver(pool)
  const text = lookUpText('select (100 / (q.id - 13))::text')
  const found = await Promise.allSettled(keys(20).map(key => lookUp(text, key)))
  t.deepEqual(
    found.flatMap(({ status }, n) => (status === 'rejected' ? [n] : [])),
    [13],
  )
})
