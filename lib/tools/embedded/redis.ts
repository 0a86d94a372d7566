/** Runs a private redis-server on the loopback address: its folder, password, settings, start and leftovers. */
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Running, searchPath, startChild } from './child.ts'
import { freePort } from './free-port.ts'
import { commandLine, endStranger } from './process-table.ts'
import { untilReady } from './readiness.ts'
import { redisProgram } from './redis-program.ts'
import { passwordIn, readIfThere, writePrivateFile } from './secret-file.ts'

type EmbeddedRedis = Running & { url: string; port: number }

export type RedisOptions = {
  /** Made on first use; contains the append-only file, the settings and the password. One server at a time. */
  dataDir: string
  /** By default a free port is chosen. A restart passes the port it had. */
  port?: number
  /** false: stores nothing on disk and offers 512 databases (tests). */
  durable: boolean
  /** Receives the server's warnings after it is ready, and messages of an installation before. */
  onLine?: (line: string) => void
}

/**
 * Starts the server (or starts it again on the same data) and resolves when it answers. Rejects with SetupError when the machine has no
 * Redis and none can be installed, else with the server's last log lines.
 */
export async function startRedis(options: RedisOptions): Promise<EmbeddedRedis> {
  const onLine = options.onLine ?? (() => {})
  const file = await redisProgram(onLine)
  await mkdir(options.dataDir, { recursive: true })
  await chmod(options.dataDir, 0o700)
  const password = await passwordIn(join(options.dataDir, 'password'))
  const config = join(options.dataDir, 'redis.conf')
  await clearLeftovers(options.dataDir, config)
  const port = options.port ?? (await freePort())
  await writePrivateFile(config, settings({ ...options, port, password }))
  const running = await untilReady(
    // Redis marks warnings with '#'. Other lines are not needed.
    { name: 'Redis', ready: 'Ready to accept connections', onLine: line => line.includes(' # ') && onLine(line) },
    logLine =>
      startChild({
        file,
        args: [config],
        cwd: options.dataDir,
        env: searchPath(),
        stopSignal: 'SIGTERM',
        stopGraceMs: 30_000,
        onLine: logLine,
      }),
  )
  return { ...running, port, url: `redis://:${password}@127.0.0.1:${port}/0` }
}

function settings(options: RedisOptions & { port: number; password: string }): string {
  const keeping = options.durable
    ? ['appendonly yes', 'appendfsync everysec', 'databases 16']
    : ['appendonly no', 'databases 512']
  return [
    'bind 127.0.0.1',
    `port ${options.port}`,
    `requirepass ${options.password}`,
    `dir ${quoted(options.dataDir)}`,
    `pidfile ${quoted(join(options.dataDir, 'redis.pid'))}`,
    'daemonize no',
    // Idempotency records, quotas and queues must not be dropped when memory is short: writes fail instead.
    'maxmemory-policy noeviction',
    'save ""',
    ...keeping,
    '',
  ].join('\n')
}

function quoted(path: string): string {
  return JSON.stringify(path)
}

// A server of an earlier run whose supervisor was killed would continue to write to the same file.
async function clearLeftovers(dataDir: string, config: string): Promise<void> {
  const pid = Number(await readIfThere(join(dataDir, 'redis.pid')))
  const port = /^port (\d+)$/m.exec((await readIfThere(config)) ?? '')?.[1]
  if (!Number.isInteger(pid) || pid <= 0 || port === undefined) return
  const command = await commandLine(pid)
  if (command?.includes(`127.0.0.1:${port}`)) await endStranger(pid, 'SIGTERM', 30_000)
}
