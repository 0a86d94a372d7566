/** The Redis commands that the service and BullMQ need, and those among them that the user may not run. */
import { defineScript, type Redis, type Script, texts } from './redis.ts'

/** The commands with arguments, because Redis looks for keys among these. */
const NEEDED = [
  ...['ping', 'info', 'time', 'select 0', 'multi', 'exec', 'eval x 1 KEY', 'evalsha x 1 KEY'],
  ...['publish KEY x', 'subscribe KEY', 'unsubscribe KEY', 'scan 0'],
  ...[
    'get KEY',
    'set KEY x',
    'incr KEY',
    'del KEY',
    'unlink KEY',
    'exists KEY',
    'type KEY',
    'persist KEY',
    'pexpire KEY 1',
    'pttl KEY',
  ],
  ...[
    'hget KEY x',
    'hset KEY x x',
    'hmget KEY x',
    'hmset KEY x x',
    'hdel KEY x',
    'hexists KEY x',
    'hgetall KEY',
    'hincrby KEY x 1',
  ],
  ...['hlen KEY', 'hscan KEY 0'],
  ...[
    'lindex KEY 0',
    'llen KEY',
    'lpos KEY x',
    'lpush KEY x',
    'lrange KEY 0 1',
    'lrem KEY 1 x',
    'ltrim KEY 0 1',
    'rpush KEY x',
  ],
  ...['rpoplpush KEY KEY'],
  ...['sadd KEY x', 'scard KEY', 'smembers KEY', 'srem KEY x', 'sscan KEY 0'],
  ...[
    'zadd KEY 1 x',
    'zcard KEY',
    'zpopmin KEY',
    'bzpopmin KEY 1',
    'zrange KEY 0 1',
    'zrangebyscore KEY 0 1',
    'zrem KEY x',
  ],
  ...['zremrangebyscore KEY 0 1', 'zrevrange KEY 0 1', 'zscore KEY x'],
  ...['xadd KEY * x x', 'xdel KEY 1-1', 'xread STREAMS KEY 0', 'xtrim KEY MAXLEN 1'],
]
const NAMED_MAX = 5
const scripts = new WeakMap<Redis, Script<string[]>>()

/**
 * The commands that the user may not run, shortened, as words after "Redis". Undefined: the user may run all of them.
 * @param key on a cluster the node of this key is asked
 */
export async function missingRights(redis: Redis, key = 'readiness'): Promise<string | undefined> {
  const script = scripts.get(redis) ?? defineScript(redis, new URL('rights.lua', import.meta.url), 1, texts)
  scripts.set(redis, script)
  const denied = await script([key], NEEDED)
  if (denied.length === 0) return undefined
  const more = denied.length > NAMED_MAX ? ` and ${denied.length - NAMED_MAX} more` : ''
  return `refuses its user the commands ${denied.slice(0, NAMED_MAX).join(', ')}${more} (ACL)`
}
