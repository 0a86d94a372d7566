/**
 * One reader of an event stream: how far it has come, and the response that it is written to. What to write is the hub's
 * business.
 */
import type { ServerResponse } from 'node:http'
import type { Access } from '../../lib/access/access.ts'

/**
 * Why a stream ended: its reader left, its key is not valid any more, it took nothing, the server stops, its events are gone, its
 * tenant has moved to another cell.
 */
type End = 'left' | 'key' | 'slow' | 'stopped' | 'gone' | 'moved'

export type StreamOptions = {
  /** Names it among all of the service. */
  readonly name: string
  readonly access: Access
  /** What the key must be allowed to, for as long as the stream is open. */
  readonly scope: string | null
  /** The kind of events that it wants; undefined: all. */
  readonly types: readonly string[] | undefined
  /** Nothing up to this sequence is sent. */
  readonly after: number
}

export class StreamReader {
  readonly name: string
  readonly access: Access
  readonly scope: string | null
  readonly types: readonly string[] | undefined
  /** Everything up to here that it wants was sent. */
  position: number
  /** Whether it is told what happens together with the others: nothing that is stored is missing. */
  isLive = false
  isCatchingUp = false
  /** Since when it has taken nothing of what waits for it, in ms of this process; undefined: it takes what comes. */
  fullSince: number | undefined
  end: End | undefined
  /** When it was ended, in ms of this process. */
  endedAt = Number.POSITIVE_INFINITY
  readonly #response: ServerResponse

  constructor(response: ServerResponse, { name, access, scope, types, after }: StreamOptions) {
    this.#response = response
    // A reader that is gone is seen by the close behind it.
    response.on('error', () => {})
    this.name = name
    this.access = access
    this.scope = scope
    this.types = types
    this.position = after
  }

  get tenantId(): string {
    return this.access.tenantId
  }

  /** Bytes that wait in this process. */
  get waitingBytes(): number {
    return this.#response.writableLength
  }

  /** Sends events, which bring it to a position. One that has taken little is full then, and must not be sent more. */
  send(frames: Buffer | null, position: number): void {
    this.position = position
    if (frames !== null && this.end === undefined && !this.#response.write(frames)) this.fullSince ??= performance.now()
  }

  /** A line that says nothing, but to whoever ends connections that are silent. */
  comment(): void {
    if (this.end === undefined && this.fullSince === undefined) this.#response.write(':\n\n')
  }

  onTaken(listener: () => void): void {
    this.#response.on('drain', () => {
      this.fullSince = undefined
      listener()
    })
  }

  onClosed(listener: () => void): void {
    if (this.#response.closed) listener()
    else this.#response.once('close', listener)
  }

  /** The first reason stands. What waits is still sent, if it is taken soon (see `cut`). */
  finish(end: End, lastWords = ''): void {
    if (this.end !== undefined) return
    this.end = end
    this.endedAt = performance.now()
    this.#response.end(lastWords)
  }

  /** Ends it at once, whatever waits. */
  cut(end: End): void {
    this.end ??= end
    this.#response.destroy()
  }
}
