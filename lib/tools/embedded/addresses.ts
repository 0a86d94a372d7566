/** Chooses where the processes of one run listen: one shared public port, and an admin port for each. */
import { freePort, isFreePort } from './free-port.ts'
import type { PlannedProcess } from './procfile.ts'
import { SetupError } from './setup-error.ts'

type ListenSettings = { host: string; port: number; adminHost: string; adminPort: number }

export type Addresses = {
  baseUrl: string
  port: number
  /** The admin server of web.1 (else of the first process). */
  adminUrl: string
  /** The admin port of a process; it stays the same over restarts. */
  adminPortOf(name: string): number
  /** Null for a process without an admin port. */
  adminUrlOf(name: string): string | null
}

// Other platforms do not support `reusePort` in Node: there a single web process has the port.
const SHARED_PORT_PLATFORMS = ['linux', 'freebsd', 'dragonfly', 'sunos', 'aix']

/**
 * Chooses the ports of a run; port 0 means any free one. The first web process gets the requested admin port, the others the next ones (any
 * free one where taken). Throws SetupError when a requested port is taken.
 */
export async function chooseAddresses(
  settings: ListenSettings,
  processes: readonly PlannedProcess[],
): Promise<Addresses> {
  const { host, adminHost } = settings
  const webs = processes.filter(({ kind }) => kind === 'web')
  if (webs.length > 1 && !SHARED_PORT_PLATFORMS.includes(process.platform)) {
    throw new SetupError(`several web processes cannot share a port on ${process.platform}: use --scale web=1`)
  }
  const port = await choose({ host, port: settings.port, variable: 'PORT' })
  const first = webs[0] ?? processes[0]
  const ports = new Map<string, number>()
  const taken = new Set([port])
  for (const { name } of [...(first ? [first] : []), ...processes.filter(other => other !== first)]) {
    const adminPort =
      name === first?.name && settings.adminPort !== 0
        ? await choose({ host: adminHost, port: settings.adminPort, variable: 'ADMIN_PORT' })
        : await next({ host: adminHost, wanted: settings.adminPort && settings.adminPort + ports.size, taken })
    ports.set(name, adminPort)
    taken.add(adminPort)
  }
  const adminPortOf = (name: string) => ports.get(name) ?? 0
  const adminUrlOf = (name: string) => (ports.has(name) ? url(adminHost, adminPortOf(name)) : null)
  return { baseUrl: url(host, port), port, adminUrl: adminUrlOf(first?.name ?? '') ?? '', adminPortOf, adminUrlOf }
}

async function choose(asked: { host: string; port: number; variable: string }): Promise<number> {
  if (asked.port === 0) return freePort(asked.host)
  if (await isFreePort(asked)) return asked.port
  throw new SetupError(
    `${asked.variable} ${asked.port} on ${asked.host} cannot be used (taken, or no address of this machine): ` +
      `set ${asked.variable} to another one, or to 0 for any free one`,
  )
}

async function next({ host, wanted, taken }: { host: string; wanted: number; taken: Set<number> }): Promise<number> {
  if (wanted !== 0 && !taken.has(wanted) && (await isFreePort({ host, port: wanted }))) return wanted
  for (;;) {
    const port = await freePort(host)
    if (!taken.has(port)) return port
  }
}

// "Any address" cannot be called.
function url(host: string, port: number): string {
  const callable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${callable.includes(':') ? `[${callable}]` : callable}:${port}`
}
