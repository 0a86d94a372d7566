/** What the game day runs on: two PostgreSQL servers with three cells, a Redis, 20 tenants, and processes that are replaced. */
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { Journal } from '../failure/journal.ts'
import { furnish, type Tenant } from '../failure/tenants.ts'
import { type Client, client } from '../support/client.ts'
import type { Loose } from '../support/command-context.ts'
import { keptLogPostgres } from '../support/kept-log-postgres.ts'
import { typedJson } from '../support/millrace.ts'
import { startProcess, type TestProcess } from '../support/processes.ts'
import { privatePostgres, privateRedis } from '../support/servers.ts'
import { receiver } from '../webhooks/receiver.ts'

const TENANTS = 20
export const cells = ['main', 'west', 'east'] as const
export type CellName = (typeof cells)[number]

type Kind = 'web' | 'worker' | 'webhook'

export type DayTenant = Tenant & { readonly cell: CellName }
export type Day = Awaited<ReturnType<typeof openDay>>

export async function openDay() {
  const opening = [privatePostgres(), keptLogPostgres(), privateRedis(), freePort(), receiver()] as const
  const [postgres, ofEast, redis, port, hook] = await Promise.all(opening)
  const west = new URL(postgres.url)
  west.searchParams.set('schema', 'cell_west')
  const databaseUrls = [postgres.url, west.href, ofEast.url]
  const env = {
    ...{ DATABASE_URL: postgres.url, CELL_WEST_URL: west.href, CELL_EAST_URL: ofEast.url },
    ...{ REDIS_URL: redis.url, PORT: String(port), COMMAND_DEADLINE_MS: '5000' },
    ...{ WEBHOOK_ALLOWED_NETWORKS: 'loopback', WEBHOOK_SECRET_KEY: 'a'.repeat(64) },
  }
  const url = `http://127.0.0.1:${port}`
  const running: { readonly kind: Kind; readonly process: TestProcess }[] = []
  const errors: (() => readonly string[])[] = []

  /** Starts a process of this kind and stops the one that runs. */
  const replace = async (kind: Kind) => {
    const earlier = running.filter(each => each.kind === kind)
    const process = await startProcess(kind, env)
    running.push({ kind, process })
    errors.push(() => process.errors)
    for (const each of earlier) {
      running.splice(running.indexOf(each), 1)
      await each.process.end('SIGTERM')
    }
  }
  /** Runs a command with the newest `bin/millrace`. @throws if it is refused */
  const typed = async (...args: readonly string[]): Promise<Loose> => {
    const { status, err, json } = await typedJson(args, env)
    if (status !== 0) throw new Error(`${args.join(' ')}: ${err} ${JSON.stringify(json)}`)
    return json
  }
  const keyOf = async (tenantId: string): Promise<Client> => {
    const limits = ['--rate-per-minute', '1000000', '--burst', '100000', '--daily-documents', '1000000']
    const { key_id: keyId, token } = await typed('key', 'issue', '--tenant', tenantId, ...limits)
    return client(url, tenantId, { keyId, token })
  }
  const newTenant = async (name: string, cell: CellName): Promise<Client> => {
    const owner = ['--owner-email', 'owner@test.example', '--plan', 'pro']
    return keyOf((await typed('tenant', 'create', '--name', name, ...owner, '--cell', cell)).tenant_id)
  }
  const close = async () => {
    await Promise.all(running.map(({ process }) => process.end('SIGKILL')))
    await Promise.all([hook.close(), postgres.close(), ofEast.close(), redis.close()])
  }
  try {
    await typed('migrate')
    for (const cell of ['west', 'east']) await typed('cell', 'add', cell)
    for (const kind of ['worker', 'webhook', 'web'] as const) await replace(kind)
    const tenants = await Promise.all(
      Array.from({ length: TENANTS }, async (_, at): Promise<DayTenant> => {
        const [name, cell] = [`T${at}`, cells[at % cells.length] ?? 'main']
        return { ...(await furnish(await newTenant(name, cell), { name, webhookUrl: hook.url })), cell }
      }),
    )
    return {
      ...{ tenants, hook, journal: new Journal(), databaseUrls, east: ofEast, replace, typed, keyOf, newTenant, close },
      errors: () => errors.flatMap(of => of()),
    }
  } catch (error) {
    await close()
    throw error
  }
}
