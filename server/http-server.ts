/**
 * The public HTTP server: how many sockets there may be, what each may do and for how long, an answer in the one error shape
 * also for bytes that are no HTTP, and a stop that lets running requests finish.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { newRequestId } from './request-id.ts'

/** Time for a whole request, headers and body, to arrive. */
const REQUEST_TIMEOUT_MS = 30_000
const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_TIMEOUT_MS = 65_000
/** How often the first two are looked at. Node's own 30 s would make 40 of the 10. */
const TIMEOUTS_CHECK_MS = 1_000
/** With no room for another connection, those that carry no request are closed, at most this often. */
const IDLE_SWEEP_MS = 1_000
/** A connection that was told what was wrong with it may read that for so long. */
const FAREWELL_MS = 2_000
/** While stopping, a request that is still being sent gets no more time than this. */
const UPLOAD_GRACE_MS = 2_000

type HttpServer = {
  readonly url: string
  /** Stops accepting; resolves when running requests are answered, or `graceMs` are over. */
  readonly drain: (graceMs: number) => Promise<void>
}

/** Listens; several processes may share one port (SO_REUSEPORT). */
export async function startHttpServer(
  handle: RequestListener,
  options: {
    readonly host: string
    readonly port: number
    readonly connectionsMax: number
    /** Told of each connection that was closed because there were too many. */
    readonly onRefused?: () => void
  },
): Promise<HttpServer> {
  /** Responses of requests that are not answered yet. */
  const running = new Set<ServerResponse>()
  const broken = new BrokenConnections(running)
  let stopping = false
  const timeouts = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUTS_CHECK_MS,
  }
  // A request without Host is answered like any other, in our own words.
  const server = createServer({ ...timeouts, requireHostHeader: false }, (request, response) => {
    if (broken.has(request.socket)) return
    // A caller that is told so does not send its next request into a closing connection.
    if (stopping) response.setHeader('Connection', 'close')
    running.add(response)
    response.once('close', () => {
      running.delete(response)
      if (!request.complete) broken.noteAnswered(request)
    })
    handle(request, response)
  })
  server.on('clientError', (error, socket) => broken.close(socket as Socket, error))
  server.on('checkExpectation', refuseExpectation)
  server.maxConnections = options.connectionsMax
  let sweptAt = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    options.onRefused?.()
    if (performance.now() - sweptAt < IDLE_SWEEP_MS) return
    sweptAt = performance.now()
    server.closeIdleConnections()
  })
  await listen(server, options)
  return {
    url: urlOf(server),
    drain: graceMs => {
      stopping = true
      return drain(server, running, graceMs)
    },
  }
}

async function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ port, host, reusePort: process.platform === 'linux' && port !== 0 }, resolve)
  await promise
}

function urlOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

async function drain(server: Server, running: ReadonlySet<ServerResponse>, graceMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeIdleConnections()
  // A kept-alive connection whose request just ended is idle only now.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const uploads = setTimeout(() => {
    for (const { req } of running) if (!req.complete) req.socket.destroy()
  }, UPLOAD_GRACE_MS)
  const end = setTimeout(() => server.closeAllConnections(), graceMs)
  await promise
  for (const timer of [sweep, uploads, end]) clearTimeout(timer)
}

const errorBody = (message: string, requestId: string): string =>
  JSON.stringify({ error: 'validation_failed', message, request_id: requestId })

/** Connections that sent bytes that are no HTTP, or no whole request in time. No later request on them is run. */
class BrokenConnections {
  readonly #running: ReadonlySet<ServerResponse>
  readonly #closing = new WeakSet<Socket>()
  /** The request of a connection that was answered before its body had come. */
  readonly #answered = new WeakMap<Socket, IncomingMessage>()

  constructor(running: ReadonlySet<ServerResponse>) {
    this.#running = running
  }

  has(socket: Socket): boolean {
    return this.#closing.has(socket)
  }

  noteAnswered(request: IncomingMessage): void {
    this.#answered.set(request.socket, request)
  }

  /** Says what is wrong in the error shape that all answers have, then closes the connection. */
  close(socket: Socket, error: Error & { code?: string }): void {
    if (this.has(socket)) return
    this.#closing.add(socket)
    // A connection that sent nothing is not told: its client would take these words for the answer to a request sent meanwhile.
    // One whose request was answered while its body was still to come has heard all that there is to say.
    const isAnswered = this.#answered.get(socket)?.complete === false
    if (!socket.writable || error.code === 'ECONNRESET' || socket.bytesRead === 0 || isAnswered)
      return void socket.destroy()
    // For the same reason, an earlier request that is still running gets its own answer, and nothing after it.
    const earlier = [...this.#running].findLast(({ req }) => req.socket === socket && req.complete)
    if (earlier) earlier.once('close', () => socket.destroySoon())
    else answerAndClose(socket, error)
  }
}

function answerAndClose(socket: Socket, { code }: { code?: string }): void {
  const [status, message] =
    code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'request: did not arrive in time']
      : code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'headers: are too large']
        : ['400 Bad Request', 'request: is not valid HTTP']
  const requestId = newRequestId()
  const body = errorBody(message, requestId)
  const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close`
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`)
  // A peer that says nothing more would keep the socket, and the request that waits for its body, for ever.
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref()
}

/** `Expect` with anything but 100-continue, which Node answers by itself. */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = newRequestId()
  response
    .writeHead(400, { 'Content-Type': 'application/json', 'X-Request-Id': requestId, Connection: 'close' })
    .end(errorBody('Expect: only 100-continue is understood', requestId))
}
