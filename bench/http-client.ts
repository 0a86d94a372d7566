/**
 * A load generator that costs little: one socket per lane, prepared request bytes, and of the answer its status, length and
 * raw body. It must not be used where an answer's content matters.
 */
import { connect, type Socket } from 'node:net'

export type Answer = { readonly status: number; readonly bytes: number; readonly replayed: boolean }

/** The bytes of a request. */
export function requestBytes(request: {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly key?: string
  readonly body?: string
  readonly isDryRun?: boolean
}): Buffer {
  const { method, path, token, key, body, isDryRun } = request
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: bench',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(key === undefined ? [] : [`Idempotency-Key: ${key}`]),
    ...(isDryRun ? ['Dry-Run: true'] : []),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** One keep-alive connection; one request at a time. */
export class Lane {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #waiting: PromiseWithResolvers<Answer> | undefined
  /** The last answer's body. */
  lastBody = ''

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', error => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('the connection was closed')))
  }

  static async open(url: string): Promise<Lane> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return new Lane(socket)
  }

  send(bytes: Buffer): Promise<Answer> {
    this.#waiting = Promise.withResolvers<Answer>()
    this.#socket.write(bytes)
    return this.#waiting.promise
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const headEnd = this.#received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const head = this.#received.subarray(0, headEnd).toString('latin1')
    const bytes = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    if (this.#received.length < headEnd + 4 + bytes) return
    this.lastBody = this.#received.subarray(headEnd + 4, headEnd + 4 + bytes).toString()
    this.#received = this.#received.subarray(headEnd + 4 + bytes)
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve({ status: Number(head.slice(9, 12)), bytes, replayed: /^idempotent-replayed: *true/im.test(head) })
  }
}
