/** `import`: imports the rows of a file into a tenant, through the running service. Each kind decides what a row becomes. */
import { stat } from 'node:fs/promises'
import { optionalColumns } from '../../../imports/columns.ts'
import type { ImportKind } from '../../../imports/kind.ts'
import { importKinds, kindOf } from '../../../imports/kinds.ts'
import { products } from '../../../imports/products.ts'
import { shopFormats } from '../../../imports/shops.ts'
import { revokeKey } from '../../access/keys.ts'
import { columnsIn, formatOf, readRows } from '../import/rows.ts'
import { type ImportReport, runImport } from '../import/run.ts'
import { serviceOf } from '../import/service.ts'
import { announceKeys } from './announce-keys.ts'
import { type CliCommand, type Output, Refused, UsageError, type World } from './command.ts'
import { wrapped } from './help.ts'
import { issueKeyOf, poolOf } from './in-cells.ts'
import { bar } from './progress.ts'
import { baseUrlOption, runningService } from './running-service.ts'
import { table } from './table.ts'
import { tenantOf, tenantOption } from './tenant-option.ts'
import { oneOf, optional } from './values.ts'

/** Larger than any file: the limits are for marketplaces' keys, not for an operator's import. */
const LIMIT_MAX = 1_000_000
const DOCUMENTS_MAX = 1_000_000_000
/** The key is revoked at the end. If the command is killed, the key expires. */
const KEY_LIFE_MS = 24 * 60 * 60 * 1000
const FAULTS_SHOWN_MAX = 100

const kindNames = importKinds.map(({ name }) => name)

const command: CliCommand = {
  words: ['import'],
  summary:
    'Import products, partners, supplier items, opening stock or recipes from a file; importing it again makes nothing twice',
  argument: { name: 'FILE', help: '.csv with a header line, or .jsonl (JSON lines); in UTF-8' },
  options: {
    ...tenantOption('whose they become'),
    kind: { value: 'KIND', help: `${kindNames.join(', ')} (default ${products.name})` },
    decimal: {
      value: 'SIGN',
      help: 'comma or point: what stands before the decimals of a CSV file (default: as its numbers show)',
    },
    format: {
      value: 'SHOP',
      help: `${shopFormats.join(' or ')}: the shop whose export of products the file is, with English headers`,
    },
    update: { help: 'change what is there, in the columns that the file has' },
    ...baseUrlOption,
  },
  details: kindsInWords(),
  examples: [
    'import --tenant 1001 products.csv',
    'import --tenant 1001 --kind suppliers suppliers.csv',
    'import --tenant 1001 --kind opening-stock stock.jsonl --json',
    'import --tenant 1001 --decimal comma produkte.csv',
    'import --tenant 1001 --update prices.csv',
    'import --tenant 1001 --format shopify products_export.csv',
  ],
  changes: { tenant: async input => tenantOf(input) },
  run: async (input, world) => {
    const path = input.argument
    const format = formatOf(path)
    if (format === undefined) throw new UsageError(`${path}: the name must end in .csv or .jsonl`)
    const tenantId = tenantOf(input)
    const kind = kindOf(optional(input, 'kind', oneOf(kindNames)))
    const update = input.options['update'] !== undefined
    if (update && kind.updateScope === undefined) throw new UsageError(`--update is not for ${kind.name}`)
    const sign = optional(input, 'decimal', oneOf(['comma', 'point']))
    const shop = optional(input, 'format', oneOf(shopFormats))
    if (shop !== undefined && (kind !== products || format !== 'csv'))
      throw new UsageError(`--format ${shop} is for CSV files of products`)
    if (shop === 'shopify' && sign === 'comma')
      throw new UsageError("--decimal comma: Shopify's decimals always have a point")
    const sizeBytes = await sizeOf(path)
    const baseUrl = await runningService(input, world)
    let shown = bar(0, 1, '0 rows')
    const { aliases = {} } = kind
    // What a record that is there keeps need not be in the file.
    const columns = update ? optionalColumns(kind.columns) : kind.columns
    const rowFormat = { format, shop, columns, aliases, sign }
    const scopes = [...kind.scopes, ...kind.createScopes(await columnsIn(path, rowFormat))]
    if (update && kind.updateScope !== undefined) scopes.push(kind.updateScope)
    const report = await withKey(world, { tenantId, scopes }, token => {
      const importer = kind.open(serviceOf({ baseUrl, token }), { update })
      const rows = readRows(path, rowFormat)
      return runImport({ rows, sizeBytes, importer }, ({ share, rows, failed }) => {
        shown = bar(share, 1, `${rows} rows${failed === 0 ? '' : `, ${failed} refused`}`)
        world.progress.show(shown)
      })
    })
    world.progress.end(shown)
    return outputOf({ kind, update }, report, world)
  },
}

/** The columns of each kind. */
function kindsInWords(): readonly string[] {
  const words = importKinds.flatMap(({ name, about, columns }) => {
    const names = Object.entries(columns).map(([column, { required }]) => (required ? `${column}*` : column))
    return [...wrapped(`${name}: ${about}.`, '  '), ...wrapped(names.join(', '), '    ')]
  })
  return [
    'Kinds and their columns, in any order; those with * must be there, an empty cell is an absent value. JSON lines take the',
    'same names, one object a line. metadata.* stands for columns of any name behind the point, such as metadata.colour.',
    'Several barcodes have commas between them. A row that is refused is told with its line, and the others go in:',
    ...words,
  ]
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new Refused(`${path} is not there, or may not be read`)
  if (!found.isFile()) throw new Refused(`${path} is no file`)
  return found.size
}

/** Does the work with a key of its own. The key has only the scopes of the import, and is revoked at the end. */
async function withKey<T>(
  world: World,
  { tenantId, scopes }: { readonly tenantId: string; readonly scopes: readonly string[] },
  work: (token: string) => Promise<T>,
): Promise<T> {
  const key = await issueKeyOf(world, {
    tenantId,
    name: 'millrace import',
    scopes: [...new Set(scopes)],
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
    const change = await revokeKey(await poolOf(world, tenantId), key.keyId)
    if (change !== null) await announceKeys([change], world)
  }
}

/** Prints faults by line on standard error. Any fault makes the exit status 1. */
function outputOf(
  { kind, update }: { readonly kind: ImportKind; readonly update: boolean },
  report: ImportReport,
  world: World,
): Output {
  const { created, changed, known, failed, faults, stopped } = report
  for (const { line, message } of faults.slice(0, FAULTS_SHOWN_MAX)) world.warn(`line ${line}: ${message}`)
  if (failed > FAULTS_SHOWN_MAX)
    world.warn(`${failed - FAULTS_SHOWN_MAX} further rows were refused (--json tells them)`)
  if (stopped !== null) world.warn(`stopped: ${stopped}`)
  const columns: readonly (readonly [name: string, count: number])[] = [
    ['MADE', created],
    ...(update ? [['CHANGED', changed] as const] : []),
    ['UNCHANGED', known],
    ['REFUSED', failed],
  ]
  const ending = stopped === null ? '' : '\n\nThe import stopped early; correct the cause and import the file again.'
  return {
    json: { kind: kind.name, created, changed, already_there: known, failed, stopped, errors: faults },
    text:
      table(['ROWS OF', ...columns.map(([name]) => name)], [[kind.name, ...columns.map(([, count]) => count)]]) +
      ending,
    exitCode: failed === 0 && stopped === null ? 0 : 1,
  }
}

export const importCommands: readonly CliCommand[] = [command]
