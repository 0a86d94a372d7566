/** `tenant export`, and its `--check`. lib/tools/export writes the files. */
import { exportTenant } from '../export/export.ts'
import { type FileFault, faultOf, readManifest } from '../export/manifest.ts'
import { type CliCommand, type Input, type Output, Refused, UsageError, type World } from './command.ts'
import { explain } from './explain.ts'
import { cellOf } from './in-cells.ts'
import { bar } from './progress.ts'
import { table } from './table.ts'
import { optionalTenant, tenantOf } from './tenant-option.ts'

export const exportCommand: CliCommand = {
  words: ['tenant', 'export'],
  summary: 'Write everything of a tenant into files of JSON lines, out of one snapshot',
  argument: { name: 'DIR', help: 'the folder: an empty one, a new one, or one where an export broke off' },
  options: {
    ...optionalTenant('the tenant, as tenant list shows it'),
    check: { help: 'verify the files of the folder by the SHA-256 of its manifest instead; needs no database' },
  },
  details: [
    'A file for each list of the interface, in the shapes that its GET answers, without tokens and secrets, and manifest.json. A run that',
    'broke off keeps its complete files; the same command writes the others out of a new snapshot, which the manifest tells.',
  ],
  examples: ['tenant export --tenant 1001 export-1001', 'tenant export --check export-1001'],
  changes: {
    when: ({ options }) => !options['check'],
    tenant: async input => tenantOf(input),
  },
  run: (input, world) => (input.options['check'] ? check(input) : write(input, world)),
}

async function write(input: Input, world: World): Promise<Output> {
  const tenantId = tenantOf(input)
  const folder = input.argument
  const { databaseUrl } = await cellOf(world, tenantId)
  let shown = bar(0, 1, '0 rows')
  try {
    const { manifest, kept } = await exportTenant({
      ...{ tenantId, databaseUrl, folder },
      onPage: ({ file, files, of, rows }) => {
        shown = bar(files, of, `${rows} rows, ${file}`)
        world.progress.show(shown)
      },
    })
    const { snapshots, files } = manifest
    const rows = Object.values(files).reduce((sum, file) => sum + file.rows, 0)
    world.progress.end(bar(1, 1, `${rows} rows`))
    if (snapshots.length > 1)
      world.warn(
        `the files are of ${snapshots.length} snapshots (${snapshots.join(', ')}): ${kept.length} were complete before; an empty folder gives one snapshot`,
      )
    return {
      json: { tenant_id: tenantId, folder, rows, files: Object.keys(files).length, kept: kept.length, snapshots },
      text: `${table(
        ['FILE', 'ROWS'],
        Object.entries(files).map(([file, noted]) => [file, noted.rows]),
      )}\n\nTenant ${tenantId}: ${rows} rows in ${folder}, as they were at ${snapshots.join(' and ')}.`,
    }
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Error(`${explain(error)}; complete files stay, and the same command goes on`, { cause: error })
  }
}

async function check(input: Input): Promise<Output> {
  const folder = input.argument
  if (input.options['tenant'] !== undefined) throw new UsageError('--check takes no --tenant: the manifest names it')
  const manifest = await readManifest(folder)
  if (manifest === null) throw new Refused(`${folder} holds no export`)
  const faults: FileFault[] = []
  for (const file of Object.keys(manifest.files)) faults.push(...[(await faultOf(folder, manifest, file)) ?? []].flat())
  const { complete, tenant_id, files } = manifest
  const isFine = complete && faults.length === 0
  const lines = faults.map(({ file, fault }) => `${file} ${fault}`)
  if (!complete) lines.push('The export broke off: files are missing.')
  return {
    json: { tenant_id, folder, files: Object.keys(files).length, complete, faults },
    text: isFine ? `All ${Object.keys(files).length} files are as they were written.` : lines.join('\n'),
    exitCode: isFine ? 0 : 1,
  }
}
