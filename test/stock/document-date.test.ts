/** The rule on document dates, which all documents share. */
import { refuseDocumentDate } from '../../lib/domain/accounting/document-date.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const now = '2026-11-21T05:00:00.000Z'
const tenant = { closedThrough: '2026-10-31', timeZone: 'UTC' }

test('a date up to five minutes ahead, and from the day after the closed period on, is taken', t => {
  for (const date of [now, '2026-11-21T05:05:00.000Z', '2026-11-01T00:00:00.000Z'])
    t.is(refuseDocumentDate({ field: 'date', date, now, tenant }), null)
  t.is(refuseDocumentDate({ field: 'date', date: '1970-01-01T00:00:00.000Z', now, tenant: null }), null)
})

test('a date further ahead, or in the closed period, is refused by the name of its field', t => {
  t.deepEqual(refuseDocumentDate({ field: 'date', date: '2026-11-21T05:05:00.001Z', now, tenant }), {
    refusal: 'unprocessable',
    message: 'date: must not be in the future',
  })
  t.deepEqual(refuseDocumentDate({ field: 'started_at', date: '2026-10-31T23:59:59.999Z', now, tenant }), {
    refusal: 'unprocessable',
    message: 'started_at: the accounting period is closed through 2026-10-31',
  })
})
