/** The admin port of a process, separate from the public one: metrics, liveness, readiness, and further handlers (the queue board). */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { VERSION } from '../version.ts'
import { registry } from './metrics.ts'

export type Readiness = () => Promise<{ readonly ready: boolean; readonly checks: Readonly<Record<string, string>> }>

export type AdminHandler = (request: IncomingMessage, response: ServerResponse) => void

/** Starts the admin server. `board` gets every path below `/queues`. */
export async function startAdminServer(options: {
  readonly host: string
  readonly port: number
  readonly readiness: Readiness
  readonly board?: () => Promise<AdminHandler>
}): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch(() => response.destroy())
  })
  await listen(server, options)
  const { address, port } = server.address() as AddressInfo
  return { url: `http://${address.includes(':') ? `[${address}]` : address}:${port}`, close: () => stop(server) }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: { readonly readiness: Readiness; readonly board?: () => Promise<AdminHandler> },
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  if (path === '/metrics') {
    const text = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType }).end(text)
  } else if (path === '/livez') {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ status: 'ok', version: VERSION }))
  } else if (path === '/readyz') {
    const state = await options.readiness()
    response.writeHead(state.ready ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(state))
  } else if (options.board && (path === '/queues' || path.startsWith('/queues/'))) {
    const board = await options.board()
    board(request, response)
  } else {
    response
      .writeHead(404, { 'content-type': 'text/plain' })
      .end(`/metrics /livez /readyz${options.board ? ' /queues' : ''}\n`)
  }
}

async function listen(server: Server, options: { readonly host: string; readonly port: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(options.port, options.host, resolve)
  await promise
}

async function stop(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeAllConnections()
  await promise
}
