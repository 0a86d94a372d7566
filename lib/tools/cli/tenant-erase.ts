/** `tenant erase`. lib/tools/erase removes the tenant. */
import { eraseTenant, type Step } from '../erase/erase.ts'
import { MovedByAnother } from '../moves/mover.ts'
import { NotMoved } from '../moves/reach.ts'
import { type CliCommand, Refused } from './command.ts'
import { explain } from './explain.ts'
import { bar } from './progress.ts'
import { tenantOf, tenantOption } from './tenant-option.ts'

export const erase: CliCommand = {
  words: ['tenant', 'erase'],
  summary: 'Erase a tenant with all that it has, for good',
  options: {
    ...tenantOption(),
    name: { value: 'NAME', help: 'its name, exactly as tenant list shows it', required: true },
  },
  details: [
    'Its rows, keys, events, telemetry, mails and audit trail go, and what Redis keeps of it. Nothing brings them back but a backup;',
    'bin/millrace tenant export writes them to files before. An erasure that broke off goes on with the same command.',
  ],
  examples: ['tenant erase --tenant 1001 --name "Northwind Bikes"'],
  // The tenant's own trail is removed with its rows.
  changes: {},
  run: async (input, world) => {
    const tenantId = tenantOf(input)
    const name = input.options['name'] ?? ''
    const redis = await world.redis()
    if (redis === null) throw new Refused('no Redis: set REDIS_URL; it keeps commands and answers of the tenant')
    let [rows, total] = [0, 0]
    let step: Step | undefined
    const showRows = () => world.progress.show(bar(rows, Math.max(total, 1), `${rows} rows removed`))
    const { queueShards, commandDeadlineMs } = world.config
    try {
      await eraseTenant(
        { tenantId, name },
        {
          ...{ cells: await world.cells(), redis, queueShards, commandDeadlineMs },
          onStep: done => {
            step = done
            showRows()
          },
          onTotal: counted => {
            total = counted
          },
          onRows: removed => {
            rows += removed
            showRows()
          },
        },
      )
    } catch (error) {
      if (error instanceof Refused) throw error
      if (error instanceof MovedByAnother) throw new Refused(error.message)
      if (step === undefined) throw error instanceof NotMoved ? new Refused(error.message) : error
      throw new Error(`${explain(error)}; the erasure broke off with ${rows} rows removed: the same command goes on`)
    }
    world.progress.end(bar(1, 1, `${rows} rows removed`))
    return {
      json: { tenant_id: tenantId, name, rows },
      text: `Tenant ${tenantId} (${name}) is erased: ${rows} rows.`,
    }
  },
}
