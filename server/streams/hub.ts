/**
 * Feeds the event streams of this process. New events of a tenant are read once for all its readers, those of many tenants in one
 * statement. A reader that lacks earlier events reads its stored events. The hub uses nothing of HTTP, keys or slots.
 */

import type { Connection } from '../../lib/platform/postgres/postgres.ts'
import { type News, newEvents, type StoredPage, type StreamEvent } from '../../lib/webhooks/stream-queries.ts'
import type { StreamReader } from './reader.ts'

/** The most tenants of one statement. */
const TENANTS_MAX = 200

export type HubOptions = {
  /** The primary. */
  readonly pool: Connection
  /** Reads the stored events after a reader's position. The primary is asked if a replica had nothing new. */
  readonly readStored: (reader: StreamReader, from: { readonly primary: boolean }) => Promise<StoredPage | null>
  /** `onFollow` is called when the first reader of a tenant joins, `onUnfollow` when the last one has left. */
  readonly onFollow: (tenantId: string) => void
  readonly onUnfollow: (tenantId: string) => void
  /** Called at the first failed query of PostgreSQL. Each sweep asks again. */
  readonly onTrouble: (error: unknown) => void
}

/** A tenant with readers. Live readers have got all events up to `head`, or more. */
type Followed = { readonly tenantId: string; readonly readers: Set<StreamReader>; head: number }

export class EventHub {
  readonly #options: HubOptions
  readonly #followed = new Map<string, Followed>()
  /** Tenants to ask about: first those with a signal, then those of the sweep. */
  readonly #signalled = new Set<string>()
  readonly #swept = new Set<string>()
  /** Readers whose stored events could not be read. */
  readonly #waiting = new Set<StreamReader>()
  #isLooking = false
  #isTroubled = false

  constructor(options: HubOptions) {
    this.#options = options
  }

  /** Adds a reader. `last` is the sequence of the tenant's last event. */
  join(reader: StreamReader, last: number): void {
    const tenant = this.#followed.get(reader.tenantId) ?? this.#follow(reader.tenantId, last)
    tenant.readers.add(reader)
    reader.onTaken(() => this.#goOn(tenant, reader))
    this.#goOn(tenant, reader)
  }

  leave(reader: StreamReader): void {
    const tenant = this.#followed.get(reader.tenantId)
    this.#waiting.delete(reader)
    if (!tenant?.readers.delete(reader) || tenant.readers.size > 0) return
    this.#followed.delete(reader.tenantId)
    this.#options.onUnfollow(reader.tenantId)
  }

  /** Notes that a tenant may have new events. */
  signal(tenantId: string): void {
    if (!this.#followed.has(tenantId)) return
    this.#signalled.add(tenantId)
    void this.#look()
  }

  /** Notes that any tenant may have new events, since a signal that Redis lost is not repeated. */
  sweep(): void {
    for (const tenantId of this.#followed.keys()) this.#swept.add(tenantId)
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const reader of waiting) {
      const tenant = this.#followed.get(reader.tenantId)
      if (tenant) this.#goOn(tenant, reader)
    }
    void this.#look()
  }

  #follow(tenantId: string, head: number): Followed {
    const tenant = { tenantId, readers: new Set<StreamReader>(), head }
    this.#followed.set(tenantId, tenant)
    this.#options.onFollow(tenantId)
    // Events may have been committed while the reader joined.
    this.signal(tenantId)
    return tenant
  }

  /** One statement at a time, so that any number of tenants uses one connection. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      for (let asked = this.#next(); asked.length > 0; asked = this.#next()) {
        const isWanted = ({ readers }: Followed) => readers.values().some(reader => reader.isLive)
        const news = await newEvents(
          this.#options.pool,
          asked.map(tenant => ({ tenantId: tenant.tenantId, after: tenant.head, isWanted: isWanted(tenant) })),
        )
        const byId = new Map(news.map(of => [of.tenantId, of]))
        for (const tenant of asked) {
          const of = byId.get(tenant.tenantId)
          if (of && this.#followed.get(tenant.tenantId) === tenant) this.#spread(tenant, of)
        }
        this.#isTroubled = false
      }
    } catch (error) {
      this.#noteTrouble(error)
    } finally {
      this.#isLooking = false
    }
  }

  #next(): Followed[] {
    const next: Followed[] = []
    for (const tenants of [this.#signalled, this.#swept])
      for (const tenantId of tenants) {
        if (next.length === TENANTS_MAX) return next
        tenants.delete(tenantId)
        const tenant = this.#followed.get(tenantId)
        if (tenant && !next.includes(tenant)) next.push(tenant)
      }
    return next
  }

  /** Sends new events to live readers. Other readers read them from the store. */
  #spread(tenant: Followed, { last, events }: News): void {
    // The database was restored to an earlier state: the same sequences come again with other events.
    if (last < tenant.head) {
      for (const reader of tenant.readers) reader.finish('gone')
      return
    }
    const isNext = events[0]?.sequence === tenant.head + 1
    const frames = new Frames(isNext ? events : [])
    // The new events were not read (no reader wanted them) or do not follow `head`: each live reader then reads from the store.
    const head = isNext ? (events.at(-1)?.sequence ?? last) : last
    const before = tenant.head
    tenant.head = head
    for (const reader of tenant.readers) {
      if (!reader.isLive || reader.position >= head) continue
      if (!isNext) this.#goOn(tenant, reader)
      else reader.send(frames.of(reader.types, Math.max(before, reader.position)), head)
      if (reader.fullSince !== undefined) reader.isLive = false
    }
    if (head < last) this.#signalled.add(tenant.tenantId)
  }

  /** Makes a reader live that has got everything up to `head`. Otherwise reads its stored events. */
  #goOn(tenant: Followed, reader: StreamReader): void {
    if (reader.end !== undefined || reader.fullSince !== undefined || reader.isCatchingUp) return
    reader.isLive = reader.position >= tenant.head
    if (!reader.isLive) void this.#catchUp(tenant, reader)
  }

  async #catchUp(tenant: Followed, reader: StreamReader): Promise<void> {
    reader.isCatchingUp = true
    let hasMoved = false
    try {
      hasMoved = (await this.#readOn(reader, { primary: false })) || (await this.#readOn(reader, { primary: true }))
    } catch (error) {
      this.#noteTrouble(error)
    }
    reader.isCatchingUp = false
    if (hasMoved) this.#goOn(tenant, reader)
    else if (tenant.readers.has(reader)) this.#waiting.add(reader)
  }

  /** Sends the next stored events of a reader. Returns whether there were any. */
  async #readOn(reader: StreamReader, from: { readonly primary: boolean }): Promise<boolean> {
    if (reader.end !== undefined) return false
    const page = await this.#options.readStored(reader, from)
    if (reader.end !== undefined) return false
    const isLost = page === null || !page.isKept || page.last < reader.position
    // A replica may be behind.
    if (isLost && from.primary) reader.finish('gone')
    if (isLost || page.upTo <= reader.position) return false
    reader.send(new Frames(page.events).of(undefined, reader.position), page.upTo)
    return true
  }

  #noteTrouble(error: unknown): void {
    if (!this.#isTroubled) this.#options.onTrouble(error)
    this.#isTroubled = true
  }
}

/** Events in the format of the stream, made once for all readers of the same types. */
class Frames {
  readonly #events: readonly StreamEvent[]
  readonly #made = new Map<string, Buffer | null>()

  constructor(events: readonly StreamEvent[]) {
    this.#events = events
  }

  /** The events after a sequence, of some types or all; null: none. */
  of(types: readonly string[] | undefined, after: number): Buffer | null {
    const name = `${after} ${types?.join() ?? ''}`
    const made = this.#made.get(name)
    if (made !== undefined) return made
    const wanted = this.#events.filter(
      event => event.sequence > after && (types === undefined || types.includes(event.type)),
    )
    const frames = wanted.length === 0 ? null : Buffer.from(wanted.map(frameOf).join(''))
    this.#made.set(name, frames)
    return frames
  }
}

/** The body is JSON in one line. */
const frameOf = ({ sequence, type, body }: StreamEvent): string => `id: ${sequence}\nevent: ${type}\ndata: ${body}\n\n`
