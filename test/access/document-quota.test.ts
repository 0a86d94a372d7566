import { quotaDay, quotaExceeded, secondsToMidnightUtc } from '../../lib/access/document-quota.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

test('the quota day is the UTC day', t => {
  t.is(quotaDay(new Date('2026-11-21T23:59:59.999Z')), '2026-11-21')
  t.is(quotaDay(new Date('2026-11-22T00:00:00.000+02:00')), '2026-11-21')
})

test('Retry-After runs to midnight UTC, from 86400 down to 1', t => {
  t.is(secondsToMidnightUtc(new Date('2026-11-21T00:00:00.000Z')), 86_400)
  t.is(secondsToMidnightUtc(new Date('2026-11-21T23:00:00.500Z')), 3_600)
  t.is(secondsToMidnightUtc(new Date('2026-11-21T23:59:59.999Z')), 1)
  t.like(quotaExceeded(new Date('2026-11-21T18:00:00.000Z')), {
    refusal: 'document_quota_exceeded',
    headers: { 'Retry-After': '21600' },
  })
})
