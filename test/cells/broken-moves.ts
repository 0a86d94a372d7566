/**
 * Two cells of one service, tenants that are written during moves, movers that are killed or frozen in between, and a worker that continues
 * their moves.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import pg from 'pg'
import { addCell } from '../../lib/access/cells/add.ts'
import { connectionString } from '../../lib/platform/postgres/address.ts'
import { createPool } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import type { Step } from '../../lib/tools/moves/options.ts'
import { startMoveWatch } from '../../workers/commands/move-watch.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { testConfig } from '../support/pipeline.ts'
import { type Client, startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import type { Order } from './mover.ts'

/** The line that the mover prints. */
const SENT = 'a signal is sent'
/** The pause between two writes of a tenant. */
const PAUSE_MS = 150

export type Place = Step | 'in the copy'

type CellName = 'main' | 'west'

/** One writer. It sends each write again with its key until the write is acknowledged. */
function startWriting(client: Client) {
  const acknowledged: string[] = []
  const faults: string[] = []
  let isOver = false
  const running = (async () => {
    for (let n = 0; !isOver; n++) {
      const [title, key] = [`S-${n}`, randomUUID()]
      for (;;) {
        const reply = await client.post('/suppliers', { title }, key)
        if (reply.status === 201) break
        if (reply.status !== 503) faults.push(`${title} was answered ${reply.status}: ${reply.text}`)
        await delay(PAUSE_MS)
      }
      acknowledged.push(title)
      await delay(PAUSE_MS)
    }
  })()
  const written = async (count: number, what: string) => {
    const wanted = acknowledged.length + count
    await eventually(() => acknowledged.length >= wanted, { what })
  }
  const stop = async () => {
    isOver = true
    await running
  }
  return { acknowledged, faults, written, stop }
}

export type Written = { readonly client: Client } & ReturnType<typeof startWriting>

export async function startBrokenMoves() {
  const services = await testServices()
  const other = await testDatabase(services.databaseUrl)
  const urls = { main: services.databaseUrl, west: other.url }
  const env = { CELL_WEST_URL: other.url }
  const service = await startService(services, { env })
  const open = async (name: CellName) => {
    const options = { size: 4, statementTimeoutMs: 10_000, idleInTransactionTimeoutMs: 10_000 }
    return { name, databaseUrl: urls[name], pool: await createPool(urls[name], options) }
  }
  const [main, west] = [await open('main'), await open('west')]
  await addCell(main.pool, { name: 'west', weight: 1, pool: west.pool })
  const redis = connectRedis(services.redisUrl, 'worker', 'test moves')
  const log = createLog({ level: 'silent', processName: 'test' })
  const watch = startMoveWatch(
    { config: testConfig(services, env), cells: [main, west], redis, log },
    { lookEveryMs: 200, tryEveryMs: 500, removeAfterMs: 500, keptMs: 0 },
  )
  const sqlIn = async (cell: CellName, text: string, values: unknown[]): Promise<pg.QueryResultRow[]> => {
    const client = new pg.Client({ connectionString: connectionString(urls[cell]) })
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }
  const isNoted = async ({ tenantId }: Client) =>
    (await sqlIn('main', 'select from tenant_moves where tenant_id = $1', [tenantId])).length > 0
  const children = new Set<ChildProcess>()
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL')
  })

  return {
    /** A tenant that is written from now on, and that has rows to copy. */
    tenant: async (): Promise<Written> => {
      const client = await service.tenant()
      const writer = startWriting(client)
      await writer.written(12, 'writes before the move')
      return { client, ...writer }
    },

    /**
     * Moves the tenant to `west` in a process that sends itself the signal. `ended`: what the process printed, and the signal that ended
     * it.
     */
    move: ({ client: { tenantId } }: Written, at: Order['at'], signal: Order['signal']) => {
      const order: Order = { tenantId, to: 'west', signal, at, cells: urls, redisUrl: services.redisUrl }
      const script = fileURLToPath(new URL('mover.ts', import.meta.url))
      const child = spawn(process.execPath, [script, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] })
      children.add(child)
      let said = ''
      child.stdout.on('data', chunk => {
        said += chunk
      })
      const ended = once(child, 'close').then(([, by]) => {
        children.delete(child)
        return { said: said.trim(), by: by as string | null }
      })
      return { child, ended, isSent: () => said.includes(SENT) }
    },

    isOver: ({ client }: Written, what: string) => eventually(async () => !(await isNoted(client)), { what }),

    /** How many sessions movers have. */
    sessions: async (): Promise<number> => {
      const count = `select count(*)::int from pg_stat_activity where application_name = 'millrace move'`
      const [found] = await sqlIn('main', count, [])
      return found?.['count']
    },

    /**
     * Stops the tenant's writes. Checks that the tenant is in one cell with each acknowledged write once, that the other cell has no rows
     * of it, and that no move of it is left. @returns that cell.
     */
    prove: async (t: ExecutionContext, { client, acknowledged, faults, stop }: Written, what: string) => {
      await stop()
      const of = [client.tenantId]
      const stateIn = async (cell: CellName) => {
        const titles = await sqlIn(cell, 'select title from suppliers where tenant_id = $1', of)
        const paused = await sqlIn(cell, 'select from tenants where tenant_id = $1 and moving is not null', of)
        const homes = await sqlIn(cell, 'select from tenant_streams where tenant_id = $1', of)
        const noted = await sqlIn(cell, 'select from tenant_changes where tenant_id = $1', of)
        return {
          titles: titles.map(({ title }) => title as string).sort(),
          ...{ isHome: homes.length === 1, isPaused: paused.length > 0 },
          noted: noted.length,
        }
      }
      // The worker removes the triggers of a table that was locked when the move ended.
      const triggersIn = (cell: CellName) =>
        sqlIn(cell, `select from pg_trigger where tgname ~ ('^move_' || $1 || '_')`, of)
      await eventually(async () => (await triggersIn('main')).length + (await triggersIn('west')).length === 0, {
        what: `the end of all triggers at ${what}`,
      })
      const [inMain, inWest] = [await stateIn('main'), await stateIn('west')]
      t.not(inMain.isHome, inWest.isHome, `${what}: it lives in one cell`)
      const [home, away] = inMain.isHome ? [inMain, inWest] : [inWest, inMain]
      t.deepEqual(faults, [], what)
      const rest = { isPaused: false, noted: 0 }
      t.deepEqual(home, { titles: acknowledged.toSorted(), isHome: true, ...rest }, what)
      t.deepEqual(away, { titles: [], isHome: false, ...rest }, what)
      t.false(await isNoted(client), what)
      return inMain.isHome ? 'main' : 'west'
    },

    close: async () => {
      await Promise.all(
        [...children].map(async child => {
          child.kill('SIGKILL')
          await once(child, 'close')
        }),
      )
      await watch.close()
      await service.close()
      await closeRedis(redis)
      await Promise.all([main.pool.end(), west.pool.end()])
      await other.close()
      await services.close()
    },
  }
}
