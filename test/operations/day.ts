/** Owns what the game day is played on: two PostgreSQL servers with three cells, a Redis, 20 tenants, and processes of two versions. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
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
import { databaseOf, filesOf } from './versions.ts'

const TENANTS = 20
export const cells = ['main', 'west', 'east'] as const
export type CellName = (typeof cells)[number]

/** `before`: the release before this one. */
export type Version = 'before' | 'this'
type Kind = 'web' | 'worker' | 'webhook'

export type DayTenant = Tenant & { readonly cell: CellName }
export type Day = Awaited<ReturnType<typeof openDay>>

/** The release before serves it, with a schema of its own. */
export async function openDay(commit: string) {
  const [postgres, ofEast, redis, port, hook, root] = await Promise.all([
    ...([privatePostgres(), keptLogPostgres(), privateRedis(), freePort(), receiver()] as const),
    filesOf(commit),
  ])
  const [main, east] = await Promise.all([databaseOf(root, postgres.url), databaseOf(root, ofEast.url)])
  const west = new URL(main.databaseUrl)
  west.searchParams.set('schema', 'cell_west')
  const databaseUrls = [main.databaseUrl, west.href, east.databaseUrl]
  const env = {
    ...{ DATABASE_URL: main.databaseUrl, CELL_WEST_URL: west.href, CELL_EAST_URL: east.databaseUrl },
    ...{ REDIS_URL: redis.url, PORT: String(port), COMMAND_DEADLINE_MS: '5000' },
    ...{ WEBHOOK_ALLOWED_NETWORKS: 'loopback', WEBHOOK_SECRET_KEY: 'a'.repeat(64) },
  }
  const url = `http://127.0.0.1:${port}`
  const running: { readonly kind: Kind; readonly process: TestProcess }[] = []
  const errors: (() => readonly string[])[] = []

  /** Processes of this kind and version in the place of those that run. */
  const replace = async (kind: Kind, version: Version) => {
    const earlier = running.filter(each => each.kind === kind)
    const process = await startProcess(kind, env, ...(version === 'before' ? [root] : []))
    running.push({ kind, process })
    errors.push(() => process.errors)
    for (const each of earlier) {
      running.splice(running.indexOf(each), 1)
      await each.process.end('SIGTERM')
    }
  }
  /** What is typed with the newest `bin/millrace`. @throws where it is refused */
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
    const old = (...args: readonly string[]) =>
      promisify(execFile)(process.execPath, ['bin/millrace.ts', ...args], {
        cwd: root,
        env: { ...process.env, ...env },
      })
    await old('migrate')
    for (const cell of ['west', 'east']) await old('cell', 'add', cell)
    for (const kind of ['worker', 'webhook', 'web'] as const) await replace(kind, 'before')
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
