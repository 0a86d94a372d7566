/**
 * Closes silent connections to Redis: they are open, but answer nothing. They reconnect and send unanswered commands again, as after any
 * loss.
 */
import { Cluster, type Command, type Redis } from 'ioredis'
import { lookAgain, looksIn, reportThrownAway, SilentConnection } from '../answer-limit.ts'
import { within } from '../within.ts'

/** Redis may be delayed for seconds by a slow disk, a script, or a copy of its memory. */
const SILENT_MS = 4_000
/** How often a connection that only listens asks for an answer. */
const HEARTBEAT_MS = 5_000
const HEARTBEAT_CHANNEL = 'millrace:heartbeat'

/** Watches a connection and those that BullMQ copies from it. */
export function throwAwaySilent(redis: Redis | Cluster): void {
  if (redis instanceof Cluster) redis.on('+node', lookAfter)
  else lookAfter(redis)
  const duplicate = redis.duplicate as (...given: readonly unknown[]) => Redis | Cluster
  const duplicateOf = (...given: readonly unknown[]) => {
    const copy = duplicate.apply(redis, given as [])
    throwAwaySilent(copy)
    return copy
  }
  Object.assign(redis, { duplicate: duplicateOf })
}

/** The check starts at each connect: from the handshake on an answer may be due. */
function lookAfter(redis: Redis): void {
  redis.on('connect', () => {
    const { stream } = redis
    let bytesRead = -1
    let quietLooks = 0
    lookAgain(() => {
      if (stream.destroyed || redis.stream !== stream) return false
      const oldest = redis.commandQueue.peekFront()?.command as Command | undefined
      if (oldest === undefined || stream.bytesRead !== bytesRead) {
        bytesRead = stream.bytesRead
        quietLooks = 0
      } else if (++quietLooks > looksIn(SILENT_MS + blocksMs(oldest))) {
        const { host, port } = redis.options
        stream.destroy(silent(`at ${host}:${port}`))
      }
      return true
    })
  })
}

/** How long Redis itself may block on the command, in ms. */
function blocksMs(command: Command): number {
  const ms = command.extractBlockingTimeout()
  return ms === 0 ? Number.POSITIVE_INFINITY : (ms ?? 0)
}

function silent(which: string): SilentConnection {
  const error = new SilentConnection(`the connection to Redis ${which} fell silent: no answer within ${SILENT_MS} ms`)
  reportThrownAway({ store: 'redis', error, idle: 0 })
  return error
}

/** How long Redis may block on the command, in ms. */
export function askSometimes(subscriber: Redis | Cluster): void {
  let isAsking = false
  const timer = setInterval(async () => {
    if (isAsking || !['ready', 'connect'].includes(subscriber.status)) return
    isAsking = true
    const answered = subscriber.subscribe(HEARTBEAT_CHANNEL).catch(() => {}) // a refusal is an answer, too
    if (subscriber instanceof Cluster)
      await within(SILENT_MS, answered).catch(() => {
        silent('for messages of the cluster')
        subscriber.disconnect(true)
      })
    else await answered
    isAsking = false
  }, HEARTBEAT_MS)
  timer.unref()
  subscriber.once('end', () => clearInterval(timer))
}
