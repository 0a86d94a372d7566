/**
 * Looks at every Redis server: version, what it does when memory is short, whether it keeps its data. It uses only INFO, because managed
 * servers forbid CONFIG.
 */
import type { Redis } from '../../platform/redis/redis.ts'
import { reach, serversOf } from '../../platform/redis/redis.ts'
import { refusalOf } from '../../platform/redis/refusals.ts'
import { refusesWrites } from '../../platform/redis/refused-writes.ts'
import { missingRights } from '../../platform/redis/rights.ts'
import { type Finding, fault, fine, judgeVersion, warning } from './finding.ts'

const MEMORY_SHARE_MAX = 0.8
/** While writes are refused the used memory varies a little. */
const MEMORY_SHARE_FULL = 0.99

type Info = Readonly<Record<string, string>>

/** `name:value` lines of INFO. */
export function readInfo(text: string): Info {
  return Object.fromEntries(
    text.split(/\r?\n/).flatMap(line => {
      const at = line.indexOf(':')
      return at > 0 && !line.startsWith('#') ? [[line.slice(0, at), line.slice(at + 1)]] : []
    }),
  )
}

export async function checkRedis(redis: Redis): Promise<Finding[]> {
  await reach(redis).catch(unlessFull) // a cluster knows its nodes once it is connected
  const missing = await missingRights(redis).catch(error => refusalOf(error))
  const findings: Finding[] =
    missing === undefined
      ? []
      : [fault('redis rights', missing, 'give its user these commands (docs/settings.md, "Redis")')]
  if (/\binfo\b/.test(missing ?? '')) return findings
  const servers = serversOf(redis)
  for (const [n, server] of servers.entries()) {
    const place = servers.length > 1 ? ` (master ${n + 1} of ${servers.length})` : ''
    findings.push(...judgeRedis(readInfo(await server.info())).map(one => ({ ...one, check: `${one.check}${place}` })))
  }
  return findings
}

/** A server that refuses writes because its disk is full also refuses PING. It answers, and its INFO gives the reason. */
export function unlessFull(error: unknown): void {
  if (!refusesWrites(error)) throw error
}

/** Judges the INFO of one server. Pure. */
export function judgeRedis(info: Info): Finding[] {
  return [
    judgeVersion('redis version', info['redis_version'] ?? '0', { needed: 6, tested: 7 }),
    policy(info),
    persistence(info),
    memory(info),
  ]
}

function policy(info: Info): Finding {
  const found = info['maxmemory_policy'] ?? 'unknown'
  return found === 'noeviction'
    ? fine('redis policy', found)
    : fault(
        'redis policy',
        `maxmemory-policy ${found}`,
        'set maxmemory-policy noeviction: otherwise Redis drops queued commands when memory is short',
      )
}

function persistence(info: Info): Finding {
  const check = 'redis persistence'
  if (info['loading'] === '1') return fault(check, 'it is loading its data', 'wait, and look again')
  if (info['aof_last_write_status'] === 'err')
    return fault(check, 'the last write to its file failed', 'look at its disk: full, or read-only. Writes are refused')
  if (info['rdb_last_bgsave_status'] === 'err')
    return fault(
      check,
      'the last snapshot could not be written',
      'look at its disk: full, or read-only. Redis refuses writes meanwhile, unless stop-writes-on-bgsave-error is off',
    )
  if (info['aof_enabled'] !== '1')
    return warning(
      check,
      'appendonly no',
      'set appendonly yes and appendfsync everysec: otherwise a restart forgets queued commands (their callers get 503) and quotas in flight',
    )
  return fine(check, 'appendonly yes')
}

/** In bytes; `limit` 0: none. `used` is the number that Redis compares with its limit. */
export const memoryOf = (info: Info): { readonly used: number; readonly limit: number } => ({
  used: Number(info['used_memory'] ?? 0) - Number(info['mem_not_counted_for_evict'] ?? 0),
  limit: Number(info['maxmemory'] ?? 0),
})

function memory(info: Info): Finding {
  const { used, limit } = memoryOf(info)
  const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`
  if (limit === 0) return fine('redis memory', `${mebibytes(used)}, no limit`)
  const found = `${mebibytes(used)} of ${mebibytes(limit)}`
  if (used > MEMORY_SHARE_FULL * limit)
    return fault(
      'redis memory',
      `${found}, full: reads are served, writes are answered with 503, webhooks wait`,
      'raise maxmemory now; all goes on by itself then. Lower REPLAY_CACHE_SECONDS to need less',
    )
  return used > MEMORY_SHARE_MAX * limit
    ? warning(
        'redis memory',
        found,
        'raise maxmemory: when it is full, reads are served, writes are answered with 503 and webhooks wait',
      )
    : fine('redis memory', found)
}
