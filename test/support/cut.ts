/** Owns a way to a service that a test can cut and mend: what is behind it is then away, for those who go that way alone. */
import { connect, createServer, type Server, type Socket } from 'node:net'

export type Way = {
  /** The URL of the service with this way's port. */
  readonly url: string
  /** Breaks every connection, and takes no other. */
  cut(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

export async function wayTo(serviceUrl: string): Promise<Way> {
  const url = new URL(serviceUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  const sockets = new Set<Socket>()
  let server: Server | undefined
  const listen = async (port: number): Promise<number> => {
    server = createServer(incoming => {
      const outgoing = connect(target)
      for (const [one, other] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        sockets.add(one)
        one.pipe(other)
        one
          .on('error', () => other.destroy())
          .on('close', () => {
            sockets.delete(one)
            other.destroy()
          })
      }
    })
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
    for (const socket of sockets) socket.destroy()
    await closed.promise
  }
  const port = await listen(0)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return { url: url.href, cut, mend: async () => void (await listen(port)), close: cut }
}
