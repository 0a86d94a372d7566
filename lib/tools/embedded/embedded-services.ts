/** PostgreSQL and Redis as services for the supervisor. After a restart they keep their port and data. */
import { join } from 'node:path'
import type { Running } from './child.ts'
import type { Service } from './keep-running.ts'
import type { LogLines } from './log-lines.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'

type Addressed = Running & { url: string; port: number }

/** A service whose address stays the same. Call `url` after the start. */
type AddressedService = Service & { url(): string }

/** The two services on a data folder, in the order of their start. */
export function embeddedServices(
  dataFolder: string,
  log: LogLines,
): { postgres: AddressedService; redis: AddressedService } {
  return {
    postgres: onSamePort('postgres', log, ({ port, onLine }) =>
      startPostgres({ dataDir: join(dataFolder, 'postgres'), durable: true, onLine, ...port }),
    ),
    redis: onSamePort('redis', log, ({ port, onLine }) =>
      startRedis({ dataDir: join(dataFolder, 'redis'), durable: true, onLine, ...port }),
    ),
  }
}

type Start = (options: { port: { port?: number }; onLine: (line: string) => void }) => Promise<Addressed>

function onSamePort(name: string, log: LogLines, run: Start): AddressedService {
  let first: Addressed | undefined
  let isStopping = false
  // A server's messages about its own shutdown read like faults ("aborting", "exit code 1").
  const onLine = (line: string) => {
    if (!isStopping) log(name, line)
  }
  return {
    name,
    start: async () => {
      const running = await run({ port: first ? { port: first.port } : {}, onLine })
      first ??= running
      const stop = () => {
        isStopping = true
        return running.stop()
      }
      return { ...running, stop }
    },
    url: () => {
      if (!first) throw new Error(`${name} has not started yet`)
      return first.url
    },
  }
}
