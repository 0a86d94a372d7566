/**
 * The event streams of the bench: events committed and told of as a worker does it, one web process, readers here. It leaves
 * commands out, which other rows measure. Alone: `npm run bench -- --only streams`.
 */

import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { defaultLimits, issueKey } from '../lib/access/keys.ts'
import { API_PREFIX } from '../lib/kit/api/endpoint.ts'
import { closeRedis, connectRedis, type Redis } from '../lib/platform/redis/redis.ts'
import { signalFollowers } from '../lib/webhooks/event-signals.ts'
import { commitEvents, EVENTS_PER_SECOND, newTenant, steadily } from './events.ts'
import type { Bench } from './in-turn.ts'
import { percentile } from './measure.ts'
import { type Result, service } from './table.ts'
import type { World } from './types.ts'
import { memoryMib, usageOf } from './usage.ts'

const STREAMS_PER_KEY = 10
const READERS = 2_000
const BUSY_READERS = 100
const KEYS_PER_TENANT = 10
/** Connections that are opened at once. */
const OPENED_TOGETHER = 50

type Tenant = { readonly id: string; readonly tokens: readonly string[]; last: number }

async function makeTenant({ pool }: World, keys: number): Promise<Tenant> {
  const id = await newTenant(pool)
  const key = { tenantId: id, name: 'bench', scopes: ['read:webhooks'], ...defaultLimits }
  const issued = await Promise.all(Array.from({ length: keys }, () => issueKey(pool, key)))
  return { id, tokens: issued.map(one => one?.token ?? ''), last: 0 }
}

/** Reads a stream and keeps when each event came; it looks at the ids alone. */
class Reader {
  readonly receivedAt = new Map<number, number>()
  isOpen = true
  readonly #socket: Socket
  #rest = ''

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => this.#take(text))
    socket.on('error', () => {})
    socket.on('close', () => {
      this.isOpen = false
    })
  }

  /** Resolves when the head of the answer came. */
  static async open(url: string, token: string): Promise<Reader> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const reader = new Reader(socket)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    socket.once('close', () => reject(new Error('the stream was not opened')))
    socket.once('data', (head: string) => (head.startsWith('HTTP/1.1 200') ? resolve() : reject(new Error(head))))
    socket.write(`GET ${API_PREFIX}/events/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    await promise
    return reader
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(text: string): void {
    const now = performance.now()
    const whole = this.#rest + text
    for (const [, id] of whole.matchAll(/^id: (\d+)\n/gm)) this.receivedAt.set(Number(id), now)
    this.#rest = whole.slice(whole.lastIndexOf('\n') + 1).slice(0, 40)
  }
}

/** So many readers, ten of each key. */
async function openReaders({ url }: World, tokens: readonly string[], count: number): Promise<Reader[]> {
  const readers: Reader[] = []
  while (readers.length < count) {
    const next = Array.from({ length: Math.min(OPENED_TOGETHER, count - readers.length) }, (_, n) =>
      Reader.open(url, tokens[Math.floor((readers.length + n) / STREAMS_PER_KEY)] ?? ''),
    )
    readers.push(...(await Promise.all(next)))
  }
  return readers
}

type Latencies = { readonly p50: number; readonly p99: number; readonly missing: number }

/** Milliseconds from commit to receipt at a steady rate, over all readers of the tenant. */
async function latency(
  world: World,
  redis: Redis,
  tenant: Tenant,
  readers: readonly Reader[],
  ms: number,
): Promise<Latencies> {
  const committedAt = new Map<number, number>()
  await steadily((ms * EVENTS_PER_SECOND) / 1_000, 1, async () => {
    await commitEvents(world.pool, tenant.id, ++tenant.last, 1)
    committedAt.set(tenant.last, performance.now())
    await signalFollowers(redis, tenant.id)
  })
  for (const end = Date.now() + 5_000; Date.now() < end; await delay(10))
    if (readers.every(({ receivedAt }) => receivedAt.has(tenant.last))) break
  const latencies = [...committedAt].flatMap(([sequence, at]) =>
    readers.map(({ receivedAt }) => (receivedAt.get(sequence) ?? Number.NaN) - at),
  )
  const received = latencies.filter(value => !Number.isNaN(value))
  return {
    p50: percentile(received, 0.5),
    p99: percentile(received, 0.99),
    missing: latencies.length - received.length,
  }
}

/** The rows of event streams. */
export async function streamRows({ world, isQuick }: Bench): Promise<Result[]> {
  const redis = connectRedis(world.redisUrl, 'producer', 'bench')
  const ms = isQuick ? 2_000 : 10_000
  const readers: Reader[] = []
  try {
    const busy = await makeTenant(world, BUSY_READERS / STREAMS_PER_KEY)
    const [lone] = await openReaders(world, busy.tokens, 1)
    if (!lone) throw new Error('no reader')
    readers.push(lone)
    await latency(world, redis, busy, [lone], 500) // warm up
    const alone = await latency(world, redis, busy, [lone], ms)

    const others: Reader[] = []
    while (others.length < READERS - BUSY_READERS) {
      const idle = await makeTenant(world, KEYS_PER_TENANT)
      const count = Math.min(KEYS_PER_TENANT * STREAMS_PER_KEY, READERS - BUSY_READERS - others.length)
      others.push(...(await openReaders(world, idle.tokens, count)))
    }
    readers.push(...others)
    const before = await usageOf(world)
    await delay(ms / 2)
    const idle = ((await usageOf(world)).web - before.web) / (ms / 2)
    const more = await openReaders(world, busy.tokens.slice(1), BUSY_READERS - STREAMS_PER_KEY)
    const busyReaders = [lone, ...(await openReaders(world, busy.tokens, STREAMS_PER_KEY - 1)), ...more]
    readers.push(...busyReaders)
    const from = await usageOf(world)
    const began = performance.now()
    const many = await latency(world, redis, busy, busyReaders, ms)
    const web = ((await usageOf(world)).web - from.web) / (performance.now() - began)
    const carried = [...others, ...busyReaders].filter(({ isOpen }) => isOpen).length
    return [
      {
        name: `Stream: commit to receipt at ${EVENTS_PER_SECOND} events/s, median`,
        goals: [service('<=', 20)],
        service: alone.p50,
        unit: 'ms',
        ...alone,
        errors: alone.missing,
      },
      { name: '  the same, p99', goals: [service('<=', 100)], service: alone.p99, unit: 'ms' },
      {
        name: `Readers of one process while ${BUSY_READERS} of them get ${EVENTS_PER_SECOND} events/s each`,
        goals: [service('>=', READERS)],
        service: carried,
        unit: '',
        ...many,
        errors: many.missing,
      },
      { name: '  processor share of web meanwhile', service: web, unit: '' },
      { name: `  and while ${others.length} are idle`, service: idle, unit: '' },
      { name: '  memory of web', service: await memoryMib(world.pids.web), unit: 'MiB' },
    ]
  } finally {
    for (const reader of readers) reader.close()
    await closeRedis(redis)
  }
}
