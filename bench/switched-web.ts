/**
 * The web process with a switch for the counting of the security telemetry, which the service has not: nobody could tell by
 * its answers that it is off. One process counts and does not in turn, since two processes differ by more than is measured.
 */
import { SecurityCounts } from '../lib/telemetry/security/counts.ts'

/** What comes next: flushed by order alone, so that flushes fall into time that counts. */
export type Switch = { readonly isToFlush: boolean; readonly isToCount: boolean }
/** Until now: processor time of this process and requests of tenants. */
export type Usage = { readonly webUs: number; readonly requests: number }

const proto = SecurityCounts.prototype
const { request: count, flush } = proto
let counts: SecurityCounts | undefined
let requests = 0
let isCounting = true
let isHeld = true
proto.request = function (request) {
  counts = this
  requests++
  if (isCounting) count.call(this, request)
}
proto.flush = function () {
  return isHeld ? Promise.resolve(true) : flush.call(this)
}
process.once('SIGTERM', () => {
  isHeld = false
})

process.on('message', async ({ isToFlush, isToCount }: Switch) => {
  if (isToFlush && counts) await flush.call(counts)
  isCounting = isToCount
  const { user, system } = process.cpuUsage()
  process.send?.({ webUs: user + system, requests } satisfies Usage)
})
await import('../server/main.ts')
