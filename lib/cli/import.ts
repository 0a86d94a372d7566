/**
 * `import`: products of a file into a tenant, through the running service. It holds no rules about products; the endpoint
 * does.
 */
import { stat } from 'node:fs/promises'
import { issueKey, revokeKey } from '../access/keys.ts'
import { columnNames } from '../catalogue/import/columns.ts'
import { formatOf, readRows } from '../catalogue/import/rows.ts'
import { type ImportReport, runImport } from '../catalogue/import/run.ts'
import { rowSender } from '../catalogue/import/send.ts'
import { announceKeys } from './announce-keys.ts'
import { type CliCommand, type Output, Refused, UsageError, type World } from './command.ts'
import { bar } from './progress.ts'
import { baseUrlOption, runningService } from './running-service.ts'
import { id, required } from './values.ts'

/** Beyond any file: the operator who imports is not the marketplace whose key has a limit. */
const LIMIT_MAX = 1_000_000
const DOCUMENTS_MAX = 1_000_000_000
/** The key is revoked at the end; where the command is killed it ends by itself. */
const KEY_LIFE_MS = 24 * 60 * 60 * 1000
const FAULTS_SHOWN_MAX = 100

const command: CliCommand = {
  words: ['import'],
  summary: 'Import products from a CSV or JSON lines file; importing it again makes nothing twice',
  argument: {
    name: 'FILE.csv|FILE.jsonl',
    help: `CSV with a header line of ${columnNames.join(', ')}; or one body of POST /products a line`,
  },
  options: { tenant: { value: 'ID', help: 'whose products they become', required: true }, ...baseUrlOption },
  examples: ['import --tenant 1001 products.csv', 'import --tenant 1001 products.jsonl --json'],
  run: async (input, world) => {
    const path = input.argument
    const format = formatOf(path)
    if (format === undefined) throw new UsageError(`${path}: the name must end in .csv or .jsonl`)
    const tenantId = required(input, 'tenant', id)
    const size = await sizeOf(path)
    const baseUrl = await runningService(input, world)
    let shown = bar(0, size, '0 rows')
    const report = await withKey(world, tenantId, token =>
      runImport(readRows(path, format), rowSender({ baseUrl, token }), ({ bytesRead, rows, failed }) => {
        shown = bar(bytesRead, size, `${rows} rows${failed === 0 ? '' : `, ${failed} refused`}`)
        world.progress.show(shown)
      }),
    )
    world.progress.end(shown)
    return outputOf(report, world)
  },
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new Refused(`${path} is not there, or may not be read`)
  if (!found.isFile()) throw new Refused(`${path} is no file`)
  return found.size
}

/** Does the work with a key of its own, which may only read and create products and is revoked at the end. */
async function withKey<T>(world: World, tenantId: string, work: (token: string) => Promise<T>): Promise<T> {
  const pool = await world.pool()
  const key = await issueKey(pool, {
    tenantId,
    name: 'millrace import',
    scopes: ['read:catalog', 'write:catalog.product.create'],
    ratePerMinute: LIMIT_MAX,
    burst: LIMIT_MAX,
    dailyDocuments: DOCUMENTS_MAX,
    forOneRun: true,
    expiresAt: new Date(world.now.getTime() + KEY_LIFE_MS).toISOString(),
  })
  if (key === null) throw new Refused(`there is no tenant ${tenantId}`)
  try {
    return await work(key.token)
  } finally {
    const change = await revokeKey(pool, key.keyId)
    if (change !== null) await announceKeys([change], world)
  }
}

/** Faults go to standard error by their lines; any makes the exit status 1. */
function outputOf(report: ImportReport, world: World): Output {
  const { created, known, failed, faults, stopped } = report
  for (const { line, message } of faults.slice(0, FAULTS_SHOWN_MAX)) world.warn(`line ${line}: ${message}`)
  if (failed > FAULTS_SHOWN_MAX)
    world.warn(`${failed - FAULTS_SHOWN_MAX} further rows were refused (--json tells them)`)
  if (stopped !== null) world.warn(`stopped: ${stopped}`)
  const ending = stopped === null ? '' : ' The import stopped early; correct the cause and import the file again.'
  return {
    json: { created, already_there: known, failed, stopped, errors: faults },
    text: `${created} products created, ${known} already there, ${failed} rows refused.${ending}`,
    exitCode: failed === 0 && stopped === null ? 0 : 1,
  }
}

export const importCommands: readonly CliCommand[] = [command]
