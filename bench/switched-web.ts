/**
 * The web process with a switch for a part of it, which the service has not: nobody could tell by its answers that its telemetry
 * is off. One process is with and without it in turn, since two processes differ by more than is measured.
 */
import crypto from 'node:crypto'
import { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { lastEvent, lookUpText } from '../lib/kit/api/look-up.ts'
import type { Query } from '../lib/platform/postgres/round-trip.ts'
import { RoundTripConnection } from '../lib/platform/postgres/round-trip-pool.ts'
import { SecurityCounts } from '../lib/security/counts.ts'

/** `telemetry`: requests are counted; `following`: reads tell `Event-Sequence` and `ETag`. */
export type Switched = 'telemetry' | 'following'
/** What comes next. The telemetry, where it is switched, is flushed by order alone, so that flushes fall into time that counts. */
export type Switch = { readonly isToFlush: boolean; readonly isOn: boolean }
/** Until now: processor time of this process and requests of tenants. */
export type Usage = { readonly webUs: number; readonly requests: number }

const part = process.argv[2] as Switched
let isOn = true

const proto = SecurityCounts.prototype
const { request: count, flush } = proto
let counts: SecurityCounts | undefined
let requests = 0
let isHeld = part === 'telemetry'
proto.request = function (request) {
  counts = this
  requests++
  if (isOn || part !== 'telemetry') count.call(this, request)
}
proto.flush = function () {
  return isHeld ? Promise.resolve(true) : flush.call(this)
}
process.once('SIGTERM', () => {
  isHeld = false
})

if (part === 'following') switchFollowing()

/** Takes out what a read asks, computes and sends for its two headers. */
function switchFollowing(): void {
  const asked = lastEvent('').text
  const [, inLookUp = ''] = /^\s*select(.*) as event_sequence,/s.exec(lookUpText('null')) ?? []
  const without = new Map<string, string>()
  const withoutLast = ({ text, values }: Query): Query => {
    const known = without.get(text) ?? text.replace(inLookUp, " '0'")
    without.set(text, known)
    return { text: known, values }
  }
  const { send } = RoundTripConnection.prototype
  RoundTripConnection.prototype.send = async function (queries) {
    if (isOn) return send.call(this, queries)
    const [first, ...others] = queries.map(withoutLast)
    if (first?.text !== asked || others.length === 0) return send.call(this, queries.map(withoutLast))
    return [[{ event_sequence: '0' }], ...(await send.call(this, others))]
  }

  const { hash } = crypto
  const tag = hash('sha256', '', 'base64url')
  crypto.hash = ((...given: Parameters<typeof hash>) => (isOn ? hash(...given) : tag)) as typeof hash
  syncBuiltinESMExports()

  const { setHeader } = ServerResponse.prototype
  ServerResponse.prototype.setHeader = function (name, value) {
    return isOn || (name !== 'Event-Sequence' && name !== 'ETag') ? setHeader.call(this, name, value) : this
  }
}

process.on('message', async ({ isToFlush, isOn: isOnNext }: Switch) => {
  if (isToFlush && isHeld && counts) await flush.call(counts)
  isOn = isOnNext
  const { user, system } = process.cpuUsage()
  process.send?.({ webUs: user + system, requests } satisfies Usage)
})
await import('../server/main.ts')
