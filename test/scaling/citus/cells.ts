/** A main cell and two more in distributed schemas of a cluster, and the command line for them. */
import { tmpdir } from 'node:os'
import { runCommandLine } from '../../../lib/tools/cli/main.ts'
import { type Client, startService, type TestService } from '../../support/service.ts'
import type { Cluster } from './cluster.ts'

export const CELLS = ['main', 'one', 'two'] as const
export type Cell = (typeof CELLS)[number]
export const schemaOf = (cell: Cell): string => `millrace_${cell}`

export type Cells = {
  readonly urls: Readonly<Record<Cell, string>>
  readonly env: Record<string, string>
  /** The output of a command as JSON. @throws Error if it ends with another status than 0. */
  json(line: string): Promise<Record<string, unknown>>
  /** A service in this process that serves all three cells. */
  start(): Promise<TestService>
  /** A new tenant in a cell. Its key has no limits. */
  tenant(service: TestService, cell: Cell): Promise<Client>
}

/** Drops the schemas and makes them again, the main cell and the second on the first node, the third on the second. */
export async function openCells(cluster: Cluster, redisUrl: string): Promise<Cells> {
  const [main, one, two] = [
    await cluster.freshSchema(schemaOf('main')),
    await cluster.freshSchema(schemaOf('one')),
    await cluster.freshSchema(schemaOf('two')),
  ]
  const env = {
    DATABASE_URL: main,
    REDIS_URL: redisUrl,
    CELL_ONE_URL: one,
    CELL_TWO_URL: two,
    WEBHOOK_SECRET_KEY: 'a'.repeat(64),
    WEBHOOK_ALLOWED_NETWORKS: 'loopback',
  }
  const json = async (line: string) => {
    const said: string[] = []
    const say = (text: string) => said.push(text)
    const status = await runCommandLine(`${line} --json`.split(' '), { env, root: tmpdir(), out: say, err: say })
    if (status !== 0) throw new Error(said.join('\n'))
    return JSON.parse(said.join('\n')) as Record<string, unknown>
  }
  await json('migrate')
  for (const cell of ['one', 'two']) await json(`cell add ${cell}`)
  await cluster.move(schemaOf('main'), cluster.nodes[0] ?? '', 'block_writes')
  await cluster.move(schemaOf('one'), cluster.nodes[0] ?? '', 'block_writes')
  await cluster.move(schemaOf('two'), cluster.nodes[1] ?? '', 'block_writes')
  return {
    urls: { main, one, two },
    env,
    json,
    start: () => startService({ databaseUrl: main, redisUrl }, { env }),
    tenant: async (service, cell) => {
      const made = await json(`tenant create --name Acme --owner-email o@acme.example --plan pro --cell ${cell}`)
      const id = String(made['tenant_id'])
      const limits = '--rate-per-minute 1000000 --burst 100000 --daily-documents 1000000'
      const { key_id: keyId, token } = await json(`key issue --tenant ${id} ${limits}`)
      return service.client(id, { keyId: String(keyId), token: String(token) })
    },
  }
}
