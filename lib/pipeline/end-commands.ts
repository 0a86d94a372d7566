/**
 * Ends commands: claims are settled, jobs removed, and the tenant's next commands taken or its lease ended, by one call of end-commands.lua
 * for all tenants of a shard that are asked for in one turn.
 */
import { defineScript, type Redis } from '../platform/redis/redis.ts'
import { newCall } from './calls.ts'
import { gathered } from './gathered.ts'
import { WRITTEN_TTL_MS } from './last-writes.ts'
import { type Address, parseAddress } from './reply-address.ts'
import { type Abandoned, codeOf, readTaken, type Taken } from './taken.ts'

const SPENT_TTL_MS = 48 * 3_600_000

/** What settlement.lua names, in its order (`Claims.settlementOf`). */
export type SettlementArgs = readonly (string | number | Buffer)[]

/** Who may drain a tenant: whoever took its job of the ready queue, as long as the lease is kept. */
export type Lease = { readonly tenantId: string; readonly jobId: string; readonly token: string }

type Ending = {
  readonly tenantId: string
  readonly settlements?: readonly SettlementArgs[]
  readonly jobIds?: readonly string[]
  /** What to take next, as of take.lua; absent: nothing, and the lease goes on. */
  readonly next?: { readonly max: number; readonly abandoned: Abandoned } | undefined
  /** Ended where nothing is taken; the tenant is ready again where commands wait. */
  readonly lease?: Lease | undefined
}

/** What was taken next, and the duplicates that wait for the outcome of each settlement. */
export type EndedCommands = { readonly taken: Taken; readonly waiting: readonly (readonly Address[])[] }

export type EndCommands = (tag: string, ending: Ending) => Promise<EndedCommands>

export function endCommands(redis: Redis): EndCommands {
  const end = defineScript(redis, new URL('./end-commands.lua', import.meta.url), 1, endedFrom)
  return gathered(
    (tag, endings: readonly Ending[]) =>
      end(
        [`${tag}:ready:wait`],
        [tag, SPENT_TTL_MS, WRITTEN_TTL_MS, Date.now(), newCall(tag), ...endings.flatMap(argsOf)],
      ),
    process.nextTick,
    ({ settlements }) => settlements?.length ?? 1,
  )
}

function argsOf({ tenantId, settlements = [], jobIds = [], next, lease }: Ending) {
  const taking = [tenantId, next ? codeOf[next.abandoned] : '', next?.max ?? 0, lease?.jobId ?? '', lease?.token ?? '']
  return [...taking, settlements.length, ...settlements.flat(), jobIds.length, ...jobIds]
}

function endedFrom(raw: unknown): EndedCommands[] {
  return (raw as [unknown[], ...string[][]][]).map(([taken, ...waiting]) => ({
    taken: readTaken(taken),
    waiting: waiting.map(addresses => addresses.map(parseAddress)),
  }))
}
