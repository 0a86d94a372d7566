/**
 * The public HTTP server: limits the number of sockets and the time of each, answers bytes that are not HTTP in the same error shape, and
 * stops after running requests are answered.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { newRequestId } from './request-id.ts'

/** Within this time a whole request, headers and body, must arrive. */
const REQUEST_TIMEOUT_MS = 30_000
const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_TIMEOUT_MS = 65_000
/** How often Node checks the two timeouts. With Node's own 30 s the 10 s would become 40 s. */
const TIMEOUTS_CHECK_MS = 1_000
/** If no further connection fits, idle connections are closed, at most this often. */
const IDLE_SWEEP_MS = 1_000
/** A broken connection stays open for this long after the error was sent, so that the client can read the error. */
const FAREWELL_MS = 2_000
/** During a stop, a request that is still arriving gets this much more time. */
const UPLOAD_GRACE_MS = 2_000

type HttpServer = {
  readonly url: string
  /** Accepts no more connections. Resolves when running requests are answered or `graceMs` have passed. */
  readonly drain: (graceMs: number) => Promise<void>
}

/** Listens on the port. Several processes may share one port (SO_REUSEPORT). */
export async function startHttpServer(
  handle: RequestListener,
  options: {
    readonly host: string
    readonly port: number
    readonly connectionsMax: number
    /** Called for each connection that was closed because there were too many. */
    readonly onRefused?: () => void
  },
): Promise<HttpServer> {
  /** Responses of requests that have no answer yet. */
  const running = new Set<ServerResponse>()
  const broken = new BrokenConnections(running)
  let stopping = false
  const timeouts = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUTS_CHECK_MS,
  }
  // A request without Host is answered like any other, with the API's error shape.
  const server = createServer({ ...timeouts, requireHostHeader: false }, (request, response) => {
    if (broken.has(request.socket)) return
    // A client that reads this header does not send its next request into a closing connection.
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
  // A kept-alive connection becomes idle only when its request ends.
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

/** Connections whose bytes are not HTTP or whose request did not arrive in time. No later request on them is run. */
class BrokenConnections {
  readonly #running: ReadonlySet<ServerResponse>
  readonly #closing = new WeakSet<Socket>()
  /** The request that was answered before its body arrived, by connection. */
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

  /** Sends the fault in the error shape that all answers have, then closes the connection. */
  close(socket: Socket, error: Error & { code?: string }): void {
    if (this.has(socket)) return
    this.#closing.add(socket)
    // A connection that sent nothing gets no answer: its client would take the error for the answer to a request sent meanwhile. A request
    // that was answered before its body arrived needs no second answer.
    const isAnswered = this.#answered.get(socket)?.complete === false
    if (!socket.writable || error.code === 'ECONNRESET' || socket.bytesRead === 0 || isAnswered)
      return void socket.destroy()
    // For the same reason an earlier request that still runs gets its own answer, and nothing after it.
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
  const field = status.startsWith('400') ? 'Error-Fields: request\r\n' : ''
  const headers = `${field}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close`
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`)
  // A silent client would keep the socket, and the request that waits for its body, for ever.
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref()
}

/** Refuses `Expect` with anything but 100-continue. Node answers 100-continue. */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = newRequestId()
  response
    .writeHead(400, { 'Content-Type': 'application/json', 'X-Request-Id': requestId, Connection: 'close' })
    .end(errorBody('Expect: only 100-continue is understood', requestId))
}
