/**
 * Connections to Redis, one server or a Redis Cluster, by their role, and Lua scripts as typed functions. No key of any area is named here.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Cluster, Command, type RedisOptions, Redis as SingleRedis } from 'ioredis'
import { type RedisAddress, readRedisAddress } from './address.ts'
import { gatherWrites } from './gather-writes.ts'
import { askSometimes, throwAwaySilent } from './silence.ts'

/**
 * The methods that connections to one server and to a cluster share. On a cluster all keys of a script, a MULTI, a pipeline or a command
 * must share a hash tag, and no code may read the keys of "the" server.
 */
export type Redis = Pick<SingleRedis, keyof SingleRedis & keyof Cluster>

/**
 * - `producer`: serves requests. A command fails within about a second while Redis is away, so that its request gets 503.
 * - `worker`: waits for Redis, however long it is away. The only role for blocking commands.
 * - `subscriber`: receives published messages. After an outage it subscribes again.
 */
type RedisRole = 'producer' | 'worker' | 'subscriber'

const CLOSE_PATIENCE_MS = 1_000
/** TCP probes a silent server after this time, and gives up ten seconds later. */
const KEEP_ALIVE_MS = 10_000
const COMMAND_TIMEOUT_MS = 2_000

const backOff = (delayMsMax: number) => (attempt: number) =>
  Math.min(25 * 2 ** Math.min(attempt, 10), delayMsMax) + Math.floor(Math.random() * 25)

const roleOptions = {
  producer: {
    // After two failed connections in a row waiting commands fail: 0.2 to 0.5 s where the port refuses, 2 s where nothing answers. The
    // offline queue stays on, so that a short break of the network costs some milliseconds and no 503.
    maxRetriesPerRequest: 1,
    retryStrategy: backOff(200),
    connectTimeout: 1_000,
    // For a Redis that accepts but does not answer (frozen, or loading its file). A command that timed out may still take effect.
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

/** The last error of each broken connection. */
const outages = new WeakMap<object, Error>()

/** Why a connection is broken. Undefined while it is connected, or is connecting for the first time. */
export const outageOf = (redis: Redis): Error | undefined => outages.get(redis)

/**
 * Opens a connection that reconnects after a loss.
 * @param url as REDIS_URL (lib/platform/redis/address.ts): several nodes mean a cluster
 * @param name shown in CLIENT LIST: the process and the use of the connection (`web.1 commands`)
 * @param onOutage called with the first error of each outage. The connection's 'error' events are always handled.
 * @throws TypeError for a text that is no address of a Redis
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
    // Otherwise the connection would continue in database 0, which belongs to another service.
    if (redis instanceof SingleRedis && /DB index is out of range/.test(error.message)) redis.disconnect(true)
  }
  redis.on('error', onError)
  // A cluster reports a node that cannot be reached, and later the connection that replaces it.
  redis.on('node error', onError)
  for (const event of ['ready', '+node']) redis.on(event, () => void outages.delete(redis))
  return redis as Redis
}

/**
 * A cluster connection that behaves as the connection to one server does. While a node cannot be reached its commands are tried again every
 * 100 ms, as a failover needs: for a producer until the command times out, for a worker without a limit.
 */
function connectCluster(address: RedisAddress & { kind: 'cluster' }, role: RedisRole, connectionName: string): Cluster {
  const { retryStrategy, ...options } = roleOptions[role]
  const ClusterOfRole = role === 'producer' ? ProducerCluster : Cluster
  return new ClusterOfRole([...address.nodes], {
    clusterRetryStrategy: retryStrategy,
    maxRedirections: role === 'producer' ? 16 : 1_000_000,
    // Certificates name hosts, not their addresses.
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

/** A cluster that cannot be reached keeps commands until it is back. A request must not wait that long. */
class ProducerCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    ;(command as Command).setTimeout(COMMAND_TIMEOUT_MS)
    return super.sendCommand(command, ...rest)
  }
}

/** The server, or the known masters of the cluster. `doctor` checks each of them. */
export function serversOf(redis: Redis): readonly Redis[] {
  return redis instanceof Cluster ? redis.nodes('master') : [redis]
}

/**
 * The node of a cluster that has a key or hash tag, if the connection knows it; else ''. Undefined with one server. On a cluster, keys of
 * one node need not wait for another node.
 */
export function nodeOf(redis: Redis, key: string): string | undefined {
  return redis instanceof Cluster ? (redis.slots[new Command('get', [key]).getSlot()]?.[0] ?? '') : undefined
}

/** Waits for an answer. @throws the connection's own error, which names the cause; the error of the command does not */
export async function reach(redis: Redis): Promise<void> {
  try {
    await redis.ping()
  } catch (error) {
    throw outageOf(redis) ?? error
  }
}

/** Closes a connection: waits up to a second for replies under way, and not at all for a Redis that cannot be reached. */
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

/** A Lua script bound to a connection: takes keys, then arguments, and returns the reply as its reader reads it. */
export type Script<Reply = unknown> = (keys: readonly string[], args: readonly ScriptArgument[]) => Promise<Reply>

/** The text of a script. A line `-- include NAME` is replaced with the file NAME in the same folder. */
const textOf = (file: URL): string =>
  readFileSync(file, 'utf8').replace(/^-- include (\S+)$/gm, (_, name: string) => textOf(new URL(name, file)))

/**
 * Makes a function of a Lua file: `defineScript(redis, new URL('../../redis/rate.lua', import.meta.url), 1, read)`. The text is sent only
 * when Redis does not have it (after a restart or SCRIPT FLUSH, on another node of a cluster).
 * @param numberOfKeys undefined: it varies with each call
 * @param read turns the raw reply into the typed one; throws a TypeError for any other reply
 * @param isBinary whether texts of the reply arrive as buffers
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

/** A reader for scripts that return an array of `length` integers. */
export function integers(length: number): (raw: unknown) => number[] {
  return raw => {
    if (!Array.isArray(raw) || raw.length !== length || !raw.every(item => Number.isSafeInteger(item)))
      throw new TypeError(`the script answered ${JSON.stringify(raw)}, not ${length} integers`)
    return raw
  }
}

/** A reader for scripts that return an array of texts. */
export function texts(raw: unknown): string[] {
  if (!Array.isArray(raw) || !raw.every(item => typeof item === 'string'))
    throw new TypeError(`the script answered ${JSON.stringify(raw)}, not texts`)
  return raw
}
