/** `tenant import`. lib/tools/tenant-import writes the rows. */

import { MAIN } from '../../platform/cells.ts'
import { ConfigError } from '../../platform/config-error.ts'
import { keptSecretBox } from '../../platform/secret-box.ts'
import { importTenant } from '../tenant-import/import.ts'
import { madeTenant } from './changes.ts'
import { type CliCommand, Refused } from './command.ts'
import { explain } from './explain.ts'
import { homeOfNew } from './new-tenant.ts'
import { bar } from './progress.ts'
import { optional, text } from './values.ts'

export const importCommand: CliCommand = {
  words: ['tenant', 'import'],
  summary: 'Make the tenant of an export in this installation, with new ids and all of its records',
  argument: { name: 'DIR', help: 'the folder of tenant export, whose files are checked first' },
  options: {
    name: { value: 'NAME', help: 'the name of the new tenant (default: as in the export)' },
    cell: { value: 'NAME', help: 'where it is to live (default: where tenants per weight are fewest)' },
  },
  details: [
    'All commits at once: an import that broke off has left nothing, and the same command begins anew. Keys, events and telemetry stay behind.',
    'Webhook subscriptions come in disabled, each with a secret that nobody knows: rotate it, then enable them.',
  ],
  examples: ['tenant import export-1001', 'tenant import --name "Northwind (copy)" export-1001'],
  changes: { made: madeTenant },
  run: async (input, world) => {
    const folder = input.argument
    const name = optional(input, 'name', text)
    const cell = await homeOfNew(world, input.options['cell'])
    let shown = bar(0, 1, '0 rows')
    try {
      const { tenantId, ...imported } = await importTenant({
        ...{
          folder,
          name,
          cell,
          cells: await world.cells(),
          secrets: () => keptSecretBox({ ...world.config, dataFolder: world.dataFolder }),
        },
        onRows: (rows, of) => {
          shown = bar(rows, of, `${rows} rows`)
          world.progress.show(shown)
        },
      })
      const { rows, subscriptions } = imported
      world.progress.end(bar(1, 1, `${rows} rows`))
      return {
        json: { tenant_id: tenantId, name: imported.name, cell: cell.name, rows, webhook_subscriptions: subscriptions },
        text: [
          `Tenant ${tenantId}: ${imported.name}, ${rows} rows${cell.name === MAIN ? '' : `, in the cell ${cell.name}`}`,
          ...(subscriptions === 0
            ? []
            : [`Its ${subscriptions} webhook subscriptions are disabled: rotate the secret of each, then enable it.`]),
          `Its first key: bin/millrace key issue --tenant ${tenantId}`,
        ].join('\n'),
      }
    } catch (error) {
      if (error instanceof Refused || error instanceof ConfigError) throw error
      throw new Error(`${explain(error)}; nothing was imported, and the same command begins anew`, { cause: error })
    }
  },
}
