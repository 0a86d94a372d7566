/**
 * The server process: the public HTTP server over the application, with limits on what a socket may do, and the admin
 * server beside it. Closing lets running requests finish.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Config } from '../lib/store/config.ts'
import { startAdminServer } from '../lib/telemetry/admin.ts'
import type { Log } from '../lib/telemetry/log.ts'
import { createApp } from './app.ts'
import { queueBoard } from './queue-board.ts'
import { watchQueues } from './queue-metrics.ts'
import { newRequestId } from './request-id.ts'
import { openServices, type ServiceOptions } from './services.ts'

/** Time for a whole request, headers and body, to arrive. */
const REQUEST_TIMEOUT_MS = 30_000
const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_TIMEOUT_MS = 65_000

export type RunningWeb = { readonly url: string; readonly adminUrl: string; readonly close: () => Promise<void> }

/** Starts serving. Several processes may listen on one port (SO_REUSEPORT). */
export async function startWeb(config: Config, log: Log, options: ServiceOptions = {}): Promise<RunningWeb> {
  const services = await openServices(config, log, options)
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
    createApp(services).callback(),
  )
  server.on('clientError', refuseGarbage)
  await listen(server, config)
  const admin = await startAdminServer({
    host: config.adminHost,
    port: config.adminPort,
    readiness: services.readiness,
    board: queueBoard(services),
  })
  watchQueues(services)
  return {
    url: urlOf(server),
    adminUrl: admin.url,
    close: async () => {
      await drain(server)
      await admin.close()
      await services.close()
    },
  }
}

async function listen(server: Server, config: Config): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(
    { port: config.port, host: config.host, reusePort: process.platform === 'linux' && config.port !== 0 },
    resolve,
  )
  await promise
}

function urlOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** Stops accepting, lets running requests finish, closes idle connections at once. */
async function drain(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeIdleConnections()
  // A kept-alive connection whose request just ended is idle only now.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  await promise
  clearInterval(sweep)
}

/** Bytes that are no HTTP: the same error shape as everywhere, then the end of the connection. */
function refuseGarbage(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const body = JSON.stringify({
    error: 'validation_failed',
    message: late ? 'request: did not arrive in time' : 'request: is not valid HTTP',
    request_id: newRequestId(),
  })
  socket.end(
    `HTTP/1.1 ${late ? '408 Request Timeout' : '400 Bad Request'}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
