/**
 * A proxy before a service that does to requests what networks do: it loses answers, refuses, hangs and breaks connections. All other
 * requests pass unchanged.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * What the proxy does to one request. `lose`: the service does the request, and the answer is lost. `hang`: the request is never answered.
 */
export type Fault =
  | 'lose'
  | 'break'
  | 'hang'
  | { readonly status: number; readonly headers?: () => Record<string, string> }

export type Seen = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** When the request arrived, in milliseconds of the clock. */
  readonly at: number
}

export type FaultyProxy = {
  readonly url: string
  /** The requests in the order of their arrival. */
  readonly seen: Seen[]
  /** The faults of the next requests, one each. Later requests pass. */
  readonly faults: Fault[]
  breakAll(): void
  close(): Promise<void>
}

export async function faultyProxy(target: string): Promise<FaultyProxy> {
  const seen: Seen[] = []
  const faults: Fault[] = []
  const sockets = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    seen.push({ method, path: url, headers, at: Date.now() })
    const fault = faults.shift()
    if (fault === 'break') return void outgoing.destroy()
    if (fault === 'hang') return void incoming.resume()
    if (typeof fault === 'object') {
      incoming.resume()
      return void outgoing.writeHead(fault.status, fault.headers?.()).end('<html>not the service</html>')
    }
    passOn(target, incoming, outgoing, fault === 'lose')
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    faults,
    breakAll,
    close: () => {
      breakAll()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

function passOn(target: string, incoming: IncomingMessage, outgoing: ServerResponse, isLost: boolean): void {
  const { method, headers } = incoming
  const forwarded = request(`${target}${incoming.url}`, { method, headers, agent: false }, answer => {
    if (isLost) return void answer.resume().once('end', () => outgoing.destroy())
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
    outgoing.once('close', () => answer.destroy())
    answer.once('error', () => outgoing.destroy())
  })
  forwarded.once('error', () => outgoing.destroy())
  incoming.pipe(forwarded)
}
