/**
 * The event streams of this process to tenants of one cell. One timer does the regular work of all of them: comments, keys that became
 * invalid, slots among a key's streams, readers that take nothing (docs/rules/requests.md).
 */
import { checkScope } from '../../lib/access/access.ts'
import { findKeysById, type StoredKey } from '../../lib/access/stored-keys.ts'
import { KEEP_EVERY_MS, type StreamSlots } from '../../lib/access/stream-slots.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import { bytesBehind } from '../../lib/webhooks/stream-queries.ts'
import type { EventHub } from './hub.ts'
import type { StreamReader } from './reader.ts'

/** The sweep limits the delay of an event whose signal was lost. */
const TICK_MS = 500
/** A reader gets a comment once in this many ticks. */
const COMMENT_TICKS = 20
/** Keys are checked so often that a stream ends within five seconds of its key. */
const KEY_TICKS = 4
const KEYS_MAX = 1_000
const KEEP_TICKS = KEEP_EVERY_MS / TICK_MS
/** A stream is closed at once if its reader has taken nothing for this time and more than this many bytes wait. */
const STALLED_MS = 10_000
const WAITING_BYTES_MAX = 1024 * 1024
/** How often the waiting bytes of a reader are counted. */
const MEASURE_EVERY_MS = 2_000
/** A stream that was ended may still send its waiting bytes for this long. */
const FAREWELL_MS = 1_000
/** Asks the reader to connect again after 1 s: the server stops, or the tenant has moved. Another server answers then. */
const COME_AGAIN = 'retry: 1000\n\n'

type StreamsOptions = {
  readonly cell: string
  /** The primary. */
  readonly pool: Pool
  readonly hub: EventHub
  readonly slots: StreamSlots
  readonly onEnd: (reader: StreamReader) => void
}

export class EventStreams {
  readonly #options: StreamsOptions
  readonly #readers = new Set<StreamReader>()
  readonly #byKey = new Map<string, Set<StreamReader>>()
  /** Readers by the tick of their comment. */
  readonly #turns: readonly Set<StreamReader>[] = Array.from({ length: COMMENT_TICKS }, () => new Set())
  readonly #measuredAt = new WeakMap<StreamReader, number>()
  readonly #underWay = new Set<string>()
  readonly #timer: NodeJS.Timeout
  #ticks = 0
  #isClosed = false

  constructor(options: StreamsOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
    this.#timer.unref()
  }

  get size(): number {
    return this.#readers.size
  }

  /** Opens the stream of a reader that has its slot. `last` is the sequence of the tenant's last event. */
  open(reader: StreamReader, last: number): void {
    const { keyId } = reader.access
    const ofKey = this.#byKey.get(keyId) ?? new Set()
    const turn = this.#turns[(this.#ticks + this.#readers.size) % COMMENT_TICKS] as Set<StreamReader>
    this.#byKey.set(keyId, ofKey)
    for (const readers of [this.#readers, ofKey, turn]) readers.add(reader)
    reader.onClosed(() => {
      reader.end ??= 'left'
      for (const readers of [this.#readers, ofKey, turn]) readers.delete(reader)
      if (ofKey.size === 0 && this.#byKey.get(keyId) === ofKey) this.#byKey.delete(keyId)
      this.#options.hub.leave(reader)
      this.#options.slots.leave(reader.access, reader.name).catch(() => {})
      this.#options.onEnd(reader)
    })
    reader.comment()
    if (this.#isClosed) reader.finish('stopped', COME_AGAIN)
    else if (reader.end === undefined) this.#options.hub.join(reader, last)
  }

  /** Ends all streams and resolves when they are closed. Later streams are asked to connect again. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const reader of this.#readers) reader.finish('stopped', COME_AGAIN)
    const end = performance.now() + 2 * FAREWELL_MS
    while (this.#readers.size > 0 && performance.now() < end) await new Promise(resolve => setTimeout(resolve, 20))
    clearInterval(this.#timer)
    for (const reader of this.#readers) reader.cut('stopped')
  }

  #tick(): void {
    this.#ticks++
    this.#options.hub.sweep()
    for (const reader of this.#turns[this.#ticks % COMMENT_TICKS] ?? []) reader.comment()
    this.#cutEnded()
    this.#once('stalled', () => this.#cutStalled())
    if (this.#ticks % KEY_TICKS === 0) this.#once('keys', () => this.#endInvalid())
    if (this.#ticks % KEEP_TICKS === 0) this.#once('slots', () => this.#keepSlots())
  }

  /** Does not start a chore that still runs. A failed chore runs again at its next tick. */
  #once(name: string, chore: () => Promise<void>): void {
    if (this.#underWay.has(name)) return
    this.#underWay.add(name)
    void chore()
      .catch(() => {})
      .finally(() => this.#underWay.delete(name))
  }

  #cutEnded(): void {
    const now = performance.now()
    for (const reader of this.#readers) if (now - reader.endedAt >= FAREWELL_MS) reader.cut(reader.end ?? 'left')
  }

  async #cutStalled(): Promise<void> {
    const now = performance.now()
    const stalled = [...this.#readers].filter(
      reader =>
        reader.end === undefined &&
        now - (reader.fullSince ?? now) >= STALLED_MS &&
        now - (this.#measuredAt.get(reader) ?? 0) >= MEASURE_EVERY_MS,
    )
    for (const reader of stalled) {
      this.#measuredAt.set(reader, now)
      const { position: after, tenantId, types, waitingBytes } = reader
      const waiting = waitingBytes + (await bytesBehind(this.#options.pool, { tenantId, after, types }))
      if (waiting > WAITING_BYTES_MAX && reader.fullSince !== undefined) reader.cut('slow')
    }
  }

  async #endInvalid(): Promise<void> {
    const groups = [...this.#byKey.values()].flatMap(readers => [...readers].slice(0, 1))
    for (let from = 0; from < groups.length; from += KEYS_MAX) {
      const some = groups.slice(from, from + KEYS_MAX).map(({ access }) => access)
      const found = await findKeysById(this.#options.pool, some, this.#options.cell)
      for (const { keyId } of some)
        for (const reader of this.#byKey.get(keyId) ?? [])
          if (!found.has(keyId)) reader.finish('moved', COME_AGAIN)
          else if (!mayFollow(found.get(keyId), reader.scope)) reader.finish('key')
    }
  }

  async #keepSlots(): Promise<void> {
    await Promise.all(
      [...this.#byKey.values()].map(async readers => {
        const [first] = readers
        if (first)
          await this.#options.slots.keep(
            first.access,
            [...readers].map(({ name }) => name),
          )
      }),
    )
  }
}

/** False for a suspended tenant and for a key that lost the scope too: a new stream would be refused. */
function mayFollow(key: StoredKey | undefined, scope: string | null): boolean {
  if (key === undefined || key.revoked || (key.expiresAt !== null && key.expiresAt <= Date.now())) return false
  return checkScope(key.access, scope) === undefined
}
