/** Owns a TCP proxy before a service, and what can go wrong on it: cut, silent, slow, half-open and reset connections. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export type Way = {
  /** The URL of the service with this way's port. */
  readonly url: string
  /** Ends every connection, and takes no other. */
  cut(): Promise<void>
  /** Takes connections again, which pass everything at once. Those that fell silent stay so. */
  mend(): Promise<void>
  /** Connections that are open stay open: their bytes are acknowledged and go nowhere. New ones pass. */
  silence(): void
  /** The same, and new connections are silent from their first byte on. */
  silenceAll(): void
  /** What the service answers on open connections goes nowhere; what it is sent still arrives there. New ones pass. */
  swallowAnswers(): void
  /** The service's side of open connections is closed, and the client does not hear of it. New ones pass. */
  closeBehind(): void
  /** Every piece of every connection, in both directions, arrives so much later. */
  slow(delayMs: number): void
  /** Resets every open connection. New ones pass. */
  reset(): void
  /** How many connections were opened so far. */
  readonly opened: number
  close(): Promise<void>
}

/** One connection: the client's side and the service's. */
type Link = {
  readonly client: Socket
  readonly service: Socket
  swallowsRequests: boolean
  swallowsAnswers: boolean
  /** Neither side hears when the other is closed. */
  hidesEnd: boolean
}

/** What new connections are like. */
type Mode = { readonly isSilent: boolean; readonly delayMs: number }
const open: Mode = { isSilent: false, delayMs: 0 }

export async function wayTo(serviceUrl: string): Promise<Way> {
  const url = new URL(serviceUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  const links = new Set<Link>()
  let mode = open
  let opened = 0
  let server: Server | undefined

  const forward = (link: Link, from: Socket, to: Socket, isSwallowed: () => boolean) => {
    let arriving = Promise.resolve()
    let waiting = 0
    from.on('data', (piece: Buffer) => {
      if (isSwallowed()) return
      const dueAt = performance.now() + mode.delayMs
      if (mode.delayMs === 0 && waiting === 0) return void write(from, to, piece)
      waiting++
      arriving = arriving.then(async () => {
        await delay(Math.max(0, dueAt - performance.now()))
        waiting--
        if (!isSwallowed()) write(from, to, piece)
      })
    })
    from.on('error', () => {})
    from.on('close', () => {
      if (!link.hidesEnd) to.destroy()
      if (from.destroyed && to.destroyed) links.delete(link)
    })
  }
  const take = (client: Socket) => {
    opened++
    const service = connect(target)
    const isSilent = mode.isSilent
    const link = { client, service, swallowsRequests: isSilent, swallowsAnswers: isSilent, hidesEnd: isSilent }
    links.add(link)
    for (const socket of [client, service]) socket.setNoDelay(true)
    forward(link, client, service, () => link.swallowsRequests)
    forward(link, service, client, () => link.swallowsAnswers)
  }
  const listen = async (port: number): Promise<number> => {
    server = createServer(take)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
    await promise
    return (server.address() as { port: number }).port
  }
  const cut = async () => {
    const closed = Promise.withResolvers<void>()
    if (server === undefined) return
    server.close(() => closed.resolve())
    server = undefined
    for (const { client, service } of links) for (const socket of [client, service]) socket.destroy()
    await closed.promise
  }
  const silence = () => {
    for (const link of links) Object.assign(link, { swallowsRequests: true, swallowsAnswers: true, hidesEnd: true })
  }
  const port = await listen(0)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  // Else each connection to a server without TLS is opened twice.
  if (url.protocol.startsWith('postgres')) url.searchParams.set('sslmode', 'disable')
  return {
    url: url.href,
    cut,
    mend: async () => {
      mode = open
      if (server === undefined) await listen(port)
    },
    silence,
    silenceAll: () => {
      mode = { isSilent: true, delayMs: 0 }
      silence()
    },
    swallowAnswers: () => {
      for (const link of links) Object.assign(link, { swallowsAnswers: true, hidesEnd: true })
    },
    closeBehind: () => {
      for (const link of links) {
        link.hidesEnd = true
        link.service.destroy()
      }
    },
    slow: delayMs => {
      mode = { isSilent: false, delayMs }
    },
    reset: () => {
      for (const { client, service } of links) for (const socket of [client, service]) socket.resetAndDestroy()
    },
    get opened() {
      return opened
    },
    close: cut,
  }
}

/** No faster than the other side takes it. */
function write(from: Socket, to: Socket, piece: Buffer): void {
  if (to.destroyed || to.write(piece)) return
  from.pause()
  to.once('drain', () => from.resume())
}
