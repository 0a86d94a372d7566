/**
 * Copies the rows of a statement from one database into a table of another: COPY out of one into the other, as queries of the `pg` client.
 * Neither side holds more than a buffer of rows.
 */
import type { Duplex } from 'node:stream'
import type pg from 'pg'
import type { Submittable } from 'pg'

/** The used part of the client's connection. */
type Wire = {
  readonly stream: Duplex
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** A running COPY. `ended` resolves when the server has answered it. */
abstract class Copy implements Submittable {
  readonly ended: Promise<void>
  readonly #text: string
  readonly #resolve: () => void
  readonly #reject: (error: Error) => void
  #error: Error | undefined

  constructor(text: string) {
    this.#text = text
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.ended = promise
    promise.catch(() => {}) // the caller that began it awaits it, too
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: object): void {
    ;(connection as Wire).query(this.#text)
  }

  handleError(error: Error): void {
    this.#error ??= error
    // On a lost connection nothing more comes.
    this.#reject(error)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    if (this.#error === undefined) this.#resolve()
  }
}

class CopyIn extends Copy {
  readonly opened: Promise<Wire>
  readonly #open: (wire: Wire) => void

  constructor(text: string) {
    super(text)
    const { promise, resolve } = Promise.withResolvers<Wire>()
    this.opened = promise
    this.#open = resolve
  }

  handleCopyInResponse(connection: object): void {
    this.#open(connection as Wire)
  }
}

class CopyOut extends Copy {
  rows = 0
  readonly #to: Wire
  #from: Wire | undefined
  #isGivenUp = false

  constructor(text: string, to: Wire) {
    super(text)
    this.#to = to
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, connection: object): void {
    if (this.#isGivenUp) return
    const { stream: target } = this.#to
    this.#from = connection as Wire
    this.rows++
    // Each message is a row. Rows that arrived together are passed on together.
    if (target.writableCorked === 0) {
      target.cork()
      process.nextTick(() => target.uncork())
    }
    this.#to.sendCopyFromChunk(chunk)
    const { stream } = this.#from
    if (!target.writableNeedDrain || stream.isPaused()) return
    stream.pause()
    target.once('drain', () => stream.resume())
  }

  /** Drops what still arrives, so that the connection becomes free. */
  giveUp(): void {
    this.#isGivenUp = true
    this.#from?.stream.resume()
  }
}

/** @returns how many rows were copied */
export async function copyRows(
  from: { readonly client: pg.Client; readonly select: string },
  to: { readonly client: pg.Client; readonly into: string },
): Promise<number> {
  const copyIn = new CopyIn(`copy ${to.into} from stdin`)
  to.client.query(copyIn)
  const wire = await Promise.race([copyIn.opened, copyIn.ended.then(() => Promise.reject(new Error('no copy began')))])
  const copyOut = new CopyOut(`copy (${from.select}) to stdout`, wire)
  try {
    from.client.query(copyOut)
    await Promise.race([copyOut.ended, copyIn.ended])
    wire.endCopyFrom()
  } catch (error) {
    copyOut.giveUp()
    wire.sendCopyFail('the rows did not come')
    await copyIn.ended.catch(() => {})
    throw error
  }
  await copyIn.ended
  return copyOut.rows
}
