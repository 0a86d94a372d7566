/**
 * Replaces what differs from one recording to the next, so that two recordings of the same examples are equal. Times of the recording keep
 * their order, and random values become constants of the same form. Ids stay: every demo tenant that is the first tenant of its database
 * has the same ids, so examples with these ids work there.
 */
import { createHash } from 'node:crypto'
import { requestIdAt } from '../../lib/pipeline/requests/request-number.ts'

const FIRST_TIME = Date.parse('2026-11-21T05:00:00.000Z')
const FIRST_DAY = '2026-11-21'
const STEP_MS = 60_000
/** When the holds of examples end. These times are after the recording. */
const LATER = '2026-11-21T07:00:00.000Z'
const NEXT_MIDNIGHT = '2026-11-22T00:00:00.000Z'
const DAY_MS = 86_400_000
/**
 * Dates that answers count from the day of the recording, and how many days after it they may be. Other dates are part of what was sent.
 */
const COUNTED_DATES = ['date', 'promise_date']
const COUNTED_DAYS_MAX = 30

/** The first and last time of the recording, in ms since 1970. Other times are part of what was sent. */
type Span = { readonly from: number; readonly until: number }

export function stable(value: unknown, { from, until }: Span): unknown {
  const leaves = leavesOf(value)
  const isNow = (text: string) => isTime(text) && Date.parse(text) >= from - 1_000 && Date.parse(text) <= until + 1_000
  const times = ranks(leaves.filter(({ text }) => isNow(text)).map(({ text }) => BigInt(Date.parse(text))))
  const eventIds = [...new Set(leaves.filter(({ text }) => isEventId(text)).map(({ text }) => text))]

  const replaced = ({ key, text }: Leaf): string => {
    if (key === 'expires_at' && isTime(text)) return LATER
    // Entries of the books are of the day of the recording, which in another zone is the day beside it.
    if (key === 'day' && isDate(text) && Math.abs(dayOf(Date.parse(text)) - dayOf(from)) <= 1) return FIRST_DAY
    const ahead = COUNTED_DATES.includes(key) && isDate(text) ? dayOf(Date.parse(text)) - dayOf(from) : -1
    if (ahead >= 0 && ahead <= COUNTED_DAYS_MAX)
      return new Date(FIRST_TIME + ahead * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length)
    if (isNow(text)) return new Date(FIRST_TIME + (times.get(BigInt(Date.parse(text))) ?? 0) * STEP_MS).toISOString()
    if (isEventId(text))
      return `evt_${digest(`event ${eventIds.indexOf(text)}`)
        .toString('hex')
        .slice(0, 32)}`
    if (key === 'resets_at') return NEXT_MIDNIGHT
    if (key === 'request_id') return `req_${digest('request').toString('hex').slice(0, 32)}`
    if (key === 'id' && isTimedId(text)) return requestIdAt(new Date(FIRST_TIME).toISOString(), 0)
    if (key === 'etag') return `"${digest('etag').toString('base64url').slice(0, 22)}"`
    if (key === 'token') return `mrk_${digest('token').toString('hex').slice(0, 38)}`
    if (key === 'secret') return `whsec_${digest('secret').toString('base64')}`
    return text
  }
  return withTexts(value, replaced)
}

type Leaf = { readonly key: string; readonly text: string }

const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)
const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
const dayOf = (ms: number) => Math.floor(ms / DAY_MS)
/** Ids of requests contain their time. Other ids are small. */
const isTimedId = (text: string) => /^\d{16,}$/.test(text)
const isEventId = (text: string) => /^evt_[0-9a-f]{32}$/.test(text)
const digest = (text: string) => createHash('sha256').update(text).digest()

/** The rank of each value among all, ascending. */
function ranks(values: readonly bigint[]): ReadonlyMap<bigint, number> {
  const distinct = [...new Set(values)].sort((a, b) => (a < b ? -1 : 1))
  return new Map(distinct.map((value, rank) => [value, rank]))
}

function leavesOf(value: unknown, key = ''): readonly Leaf[] {
  if (typeof value === 'string') return [{ key, text: value }]
  if (Array.isArray(value)) return value.flatMap(entry => leavesOf(entry, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, name))
}

function withTexts(value: unknown, replaced: (leaf: Leaf) => string, key = ''): unknown {
  if (typeof value === 'string') return replaced({ key, text: value })
  if (Array.isArray(value)) return value.map(entry => withTexts(entry, replaced, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTexts(member, replaced, name)]))
}
