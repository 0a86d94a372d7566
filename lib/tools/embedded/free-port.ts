/** Chooses TCP ports for the services that this machine runs for itself. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { SetupError } from './setup-error.ts'

// Below the ranges from which Linux (32768) and macOS (49152) take ports of outgoing connections. While a killed server restarts, a client
// that retries a port of those ranges can connect to itself and so block the restart.
const PORTS = { from: 15_000, to: 32_000 }
const ATTEMPTS_MAX = 200

/** Whether nothing listens on the address. */
export function isFreePort(address: { host: string; port: number }): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(address.port, address.host, () => server.close(() => resolve(true)))
  })
}

/** A port that was free a moment ago. @throws SetupError for an address of another machine, or when 200 random ports are taken */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  // Port 0 fails only where the address itself is wrong. Then no port is free.
  if (!(await isFreePort({ host, port: 0 }))) throw new SetupError(`${host} is no address of this machine`)
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (await isFreePort({ host, port })) return port
  }
  throw new SetupError(`no free port on ${host} between ${PORTS.from} and ${PORTS.to}`)
}
