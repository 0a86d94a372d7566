/**
 * Connections to Redis, one server or a Redis Cluster, by the part that they play, and Lua scripts as typed functions. No key
 * of any area is named here.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Cluster, Command, type RedisOptions, Redis as SingleRedis } from 'ioredis'
import { type RedisAddress, readRedisAddress } from './address.ts'
import { gatherWrites } from './gather-writes.ts'
import { askSometimes, throwAwaySilent } from './silence.ts'

/**
 * What a connection to one server and one to a cluster have in common. On a cluster all keys of a script, a MULTI, a pipeline
 * or a command must share a hash tag, and nothing may look at the keys of "the" server.
 */
export type Redis = Pick<SingleRedis, keyof SingleRedis & keyof Cluster>

/**
 * - `producer`: serves requests. A command fails within about a second while Redis is away, so that its request gets 503.
 * - `worker`: waits for Redis, however long it is away; the only part for blocking commands.
 * - `subscriber`: receives published messages; it subscribes again by itself after an outage.
 */
type RedisRole = 'producer' | 'worker' | 'subscriber'

const CLOSE_PATIENCE_MS = 1_000
/** TCP asks after a peer that has said nothing for so long, and gives it up ten seconds later. */
const KEEP_ALIVE_MS = 10_000
const COMMAND_TIMEOUT_MS = 2_000

const backOff = (delayMsMax: number) => (attempt: number) =>
  Math.min(25 * 2 ** Math.min(attempt, 10), delayMsMax) + Math.floor(Math.random() * 25)

const roleOptions = {
  producer: {
    // Two failed connections in a row fail what waits: 0.2 to 0.5 s where the port refuses, 2 s where nothing answers.
    // The offline queue stays on, so that a blink of the network costs a request some milliseconds and no 503.
    maxRetriesPerRequest: 1,
    retryStrategy: backOff(200),
    connectTimeout: 1_000,
    // A Redis that accepts but does not answer (frozen, loading its file). A timed-out command may still take effect.
    commandTimeout: COMMAND_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_MS,
  },
  worker: {
    maxRetriesPerRequest: null,
    retryStrategy: backOff(1_000),
    connectTimeout: 3_000,
    keepAlive: KEEP_ALIVE_MS,
  },
  subscriber: {
    maxRetriesPerRequest: null,
    retryStrategy: backOff(1_000),
    connectTimeout: 3_000,
    keepAlive: KEEP_ALIVE_MS,
    autoResubscribe: true,
  },
} satisfies Record<RedisRole, RedisOptions>

/** The last error of each connection that is away. */
const outages = new WeakMap<object, Error>()

/** Why a connection is away; undefined while it is not, or is for the first time on its way. */
export const outageOf = (redis: Redis): Error | undefined => outages.get(redis)

/**
 * Opens a connection that comes back by itself.
 * @param url as REDIS_URL (lib/platform/redis/address.ts): several nodes mean a cluster.
 * @param name stands in CLIENT LIST: the process and what the connection is for (`web.1 commands`).
 * @param onOutage is told the first error of each outage; the connection's 'error' events are always handled.
 * @throws TypeError for a text that is no address of a Redis.
 */
export function connectRedis(
  url: string,
  role: RedisRole,
  name: string,
  onOutage: (error: Error) => void = () => {},
): Redis {
  const address = readRedisAddress(url)
  if (address === undefined) throw new TypeError('this is no address of a Redis')
  const connectionName = name.replace(/\s+/g, '-')
  const redis =
    address.kind === 'single'
      ? new SingleRedis(url, { ...roleOptions[role], connectionName })
      : connectCluster(address, role, connectionName)
  if (redis instanceof Cluster) redis.on('+node', gatherWrites)
  else gatherWrites(redis)
  throwAwaySilent(redis)
  if (role === 'subscriber') askSometimes(redis)
  const onError = (error: Error) => {
    if (!outages.has(redis)) onOutage(error)
    outages.set(redis, error)
    // Else the connection would go on in database 0, which is another's.
    if (redis instanceof SingleRedis && /DB index is out of range/.test(error.message)) redis.disconnect(true)
  }
  redis.on('error', onError)
  // A cluster tells of one node that is away, and of the connection that takes its place.
  redis.on('node error', onError)
  for (const event of ['ready', '+node']) redis.on(event, () => void outages.delete(redis))
  return redis as Redis
}

/**
 * The same promises on a cluster. While a node is away its commands are tried again every 100 ms, as a failover needs: a
 * producer's until it times out, a worker's for as long as it takes.
 */
function connectCluster(address: RedisAddress & { kind: 'cluster' }, role: RedisRole, connectionName: string): Cluster {
  const { retryStrategy, ...options } = roleOptions[role]
  const ClusterOfRole = role === 'producer' ? ProducerCluster : Cluster
  return new ClusterOfRole([...address.nodes], {
    clusterRetryStrategy: retryStrategy,
    maxRedirections: role === 'producer' ? 16 : 1_000_000,
    // Certificates name hosts, not the addresses behind them.
    ...(address.tls ? { dnsLookup: (host, callback) => callback(null, host) } : {}),
    redisOptions: {
      ...options,
      connectionName,
      ...(address.username === undefined ? {} : { username: address.username }),
      ...(address.password === undefined ? {} : { password: address.password }),
      ...(address.tls ? { tls: {} } : {}),
    },
  })
}

/** A cluster that is away keeps commands for as long as that lasts; a request must not wait that long. */
class ProducerCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    ;(command as Command).setTimeout(COMMAND_TIMEOUT_MS)
    return super.sendCommand(command, ...rest)
  }
}

/** The server, or the masters of the cluster as far as they are known: for looking at each (`doctor`). */
export function serversOf(redis: Redis): readonly Redis[] {
  return redis instanceof Cluster ? redis.nodes('master') : [redis]
}

/**
 * The node of a cluster that has a key or a hash tag, as far as the connection knows; '' where it does not. Undefined: there is one server.
 * On a cluster keys of one node wait for no other node.
 */
export function nodeOf(redis: Redis, key: string): string | undefined {
  return redis instanceof Cluster ? (redis.slots[new Command('get', [key]).getSlot()]?.[0] ?? '') : undefined
}

/** Asks for an answer. @throws the connection's own error, which says why; that a command was given up says nothing. */
export async function reach(redis: Redis): Promise<void> {
  try {
    await redis.ping()
  } catch (error) {
    throw outageOf(redis) ?? error
  }
}

/** Closes a connection: replies under way are awaited for a second, a Redis that is away is not waited for. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') {
    const timer = setTimeout(() => redis.disconnect(), CLOSE_PATIENCE_MS)
    await redis.quit().catch(() => {})
    clearTimeout(timer)
  }
  redis.disconnect()
}

type Evaluator = Pick<Redis, 'call' | 'callBuffer'>

type ScriptArgument = string | number | Buffer

/** A Lua script bound to a connection: keys, then arguments; the reply as its reader understands it. */
export type Script<Reply = unknown> = (keys: readonly string[], args: readonly ScriptArgument[]) => Promise<Reply>

/** The text of a script. A line `-- include NAME` stands for the file NAME beside it. */
const textOf = (file: URL): string =>
  readFileSync(file, 'utf8').replace(/^-- include (\S+)$/gm, (_, name: string) => textOf(new URL(name, file)))

/**
 * Makes a function of the Lua file beside a module: `defineScript(redis, new URL('../../redis/rate.lua', import.meta.url), 1, read)`.
 * The text is sent only when Redis does not know it (a restart, SCRIPT FLUSH, another node of a cluster).
 * @param numberOfKeys undefined: as many as there are.
 * @param read turns the raw reply into the typed one; it throws a TypeError when the script answers something else.
 * @param isBinary whether the reply's texts come as buffers.
 */
export function defineScript(redis: Evaluator, file: URL, numberOfKeys: number | undefined): Script
export function defineScript<Reply>(
  redis: Evaluator,
  file: URL,
  numberOfKeys: number | undefined,
  read: (raw: unknown) => Reply,
  isBinary?: boolean,
): Script<Reply>
export function defineScript<Reply>(
  redis: Evaluator,
  file: URL,
  numberOfKeys: number | undefined,
  read: (raw: unknown) => Reply = raw => raw as Reply,
  isBinary = false,
): Script<Reply> {
  const call = (...parts: [string, ...(string | number | Buffer)[]]) =>
    isBinary ? redis.callBuffer(...parts) : redis.call(...parts)
  const text = textOf(file)
  const sha = createHash('sha1').update(text).digest('hex')
  return async (keys, args) => {
    if (keys.length !== (numberOfKeys ?? keys.length))
      throw new RangeError(`${file.pathname} takes ${numberOfKeys} keys`)
    try {
      return read(await call('evalsha', sha, keys.length, ...keys, ...args))
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return read(await call('eval', text, keys.length, ...keys, ...args))
    }
  }
}

/** A reader for scripts that answer an array of `length` integers. */
export function integers(length: number): (raw: unknown) => number[] {
  return raw => {
    if (!Array.isArray(raw) || raw.length !== length || !raw.every(item => Number.isSafeInteger(item)))
      throw new TypeError(`the script answered ${JSON.stringify(raw)}, not ${length} integers`)
    return raw
  }
}

/** A reader for scripts that answer an array of texts. */
export function texts(raw: unknown): string[] {
  if (!Array.isArray(raw) || !raw.every(item => typeof item === 'string'))
    throw new TypeError(`the script answered ${JSON.stringify(raw)}, not texts`)
  return raw
}
