/** Files for `bin/millrace import`, and the counts of its reports. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import type { Loose } from '../support/command-context.ts'
import type { Client } from '../support/service.ts'
import type { testsOf } from '../support/suite.ts'

type Service = { readonly url: string; readonly databaseUrl: string; readonly redisUrl: string }

/** Imports lines as a file into a client's tenant, with these options. Returns the report. */
export async function importsInto(service: Service, test: ReturnType<typeof testsOf>) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-imports-'))
  test.after.always(() => rm(folder, { recursive: true }))
  let files = 0
  return async (client: Client, lines: readonly string[], ...more: string[]): Promise<Loose> => {
    const path = join(folder, `${++files}.${lines[0]?.startsWith('{') ? 'jsonl' : 'csv'}`)
    await writeFile(path, lines.join('\n'))
    const out: string[] = []
    const err: string[] = []
    const args = ['import', '--tenant', client.tenantId, '--base-url', service.url, path, '--json', ...more]
    const status = await runCommandLine(args, {
      env: { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl },
      root: '/nonexistent',
      out: text => out.push(text),
      err: text => err.push(text),
      progress: { show: () => {}, end: () => {} },
    })
    return { status, err: err.join('\n'), ...(out[0] ? JSON.parse(out[0]) : {}) }
  }
}

export const counts = ({ created, changed, already_there, failed, errors }: Loose) => ({
  ...{ created, changed, already_there, failed },
  ...(failed > 0 ? { errors } : {}),
})

export const fine = (created: number, changed: number, already_there: number) => ({
  ...{ created, changed, already_there, failed: 0 },
})
