/** One reader of an event stream: its position and its response. The hub decides what is sent. */
import type { ServerResponse } from 'node:http'
import type { Access } from '../../lib/access/access.ts'

/**
 * Why a stream ended: the reader closed it, its key became invalid, the reader took nothing, the server stops, its events are gone, its
 * tenant moved to another cell.
 */
type End = 'left' | 'key' | 'slow' | 'stopped' | 'gone' | 'moved'

export type StreamOptions = {
  /** Unique in the whole service. */
  readonly name: string
  readonly access: Access
  /** The scope that the key needs while the stream is open. */
  readonly scope: string | null
  /** The wanted types of events; undefined: all. */
  readonly types: readonly string[] | undefined
  /** Only events after this sequence are sent. */
  readonly after: number
}

export class StreamReader {
  readonly name: string
  readonly access: Access
  readonly scope: string | null
  readonly types: readonly string[] | undefined
  /** All wanted events up to this sequence were sent. */
  position: number
  /** Whether the hub sends new events to this reader: no stored event is missing. */
  isLive = false
  isCatchingUp = false
  /** Since when the reader takes none of the waiting bytes, in ms of this process's clock; undefined: it takes them. */
  fullSince: number | undefined
  end: End | undefined
  /** When the stream was ended, in ms of this process's clock. */
  endedAt = Number.POSITIVE_INFINITY
  readonly #response: ServerResponse

  constructor(response: ServerResponse, { name, access, scope, types, after }: StreamOptions) {
    this.#response = response
    // The 'close' event that follows handles a lost reader.
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

  /** Sends events and sets the position. If the reader then has too many waiting bytes it is full: nothing more may be sent. */
  send(frames: Buffer | null, position: number): void {
    this.position = position
    if (frames !== null && this.end === undefined && !this.#response.write(frames)) this.fullSince ??= performance.now()
  }

  /** An empty comment, so that proxies do not close the connection as silent. */
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

  /** Ends the stream. The first reason stays. Waiting bytes are still sent if the reader takes them soon (`cut` ends that). */
  finish(end: End, lastWords = ''): void {
    if (this.end !== undefined) return
    this.end = end
    this.endedAt = performance.now()
    this.#response.end(lastWords)
  }

  /** Ends the stream at once and drops waiting bytes. */
  cut(end: End): void {
    this.end ??= end
    this.#response.destroy()
  }
}
