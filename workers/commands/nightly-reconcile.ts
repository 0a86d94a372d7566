/**
 * Checks the books of every cell each night, beside traffic (RECONCILE_AT, RECONCILE_SHARE). One worker does it at a time, and another
 * continues when that one ends. The result is a metric, and a log line for each difference.
 */
import { cellsOf, inCell } from '../../lib/platform/cells.ts'
import type { Config } from '../../lib/platform/config.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { connectionName } from '../../lib/platform/version.ts'
import { isNightlyDue } from '../../lib/tools/reconcile/noted.ts'
import { openForSlices, reconcileInSlices } from '../../lib/tools/reconcile/slices.ts'
import { type Repeating, repeat } from '../repeat.ts'
import type { Cells } from '../worker-process.ts'

const LOOK_EVERY_MS = 60_000
const LOGGED_FAULTS_MAX = 20

type Services = { readonly config: Config; readonly cells: Cells; readonly log: Log }

/** `close` ends the connection of a running check, and another worker runs that slice again. */
export function startNightlyReconcile(
  { config, cells, log }: Services,
  { everyMs = LOOK_EVERY_MS, firstMs = Math.random() * LOOK_EVERY_MS } = {},
): Repeating {
  const { reconcileAt } = config
  if (reconcileAt === undefined) return { close: async () => {} }
  let source: Pool | undefined
  const night = async (isClosing: () => boolean) => {
    for (const cell of cells) {
      if (isClosing()) return
      try {
        if (!(await isNightlyDue(cell.pool, reconcileAt))) continue
        source = await openForSlices(
          sourceOf(config, cell.name),
          connectionName(inCell(cell.name, config.processName), 'reconcile'),
        )
        await proveCell({ config, log }, cell, source, isClosing)
      } catch (error) {
        if (!isClosing()) log.warn({ err: error, cell: cell.name }, 'the nightly reconcile broke off')
      } finally {
        await source?.end().catch(() => {})
        source = undefined
      }
    }
  }
  const nights = repeat(night, { firstMs, pauseMs: () => everyMs })
  return {
    close: async () => {
      const ended = nights.close()
      await source?.end().catch(() => {})
      await ended
    },
  }
}

/** The replica, if there is one. */
function sourceOf(config: Config, name: string): string {
  const cell = cellsOf(config).find(each => each.name === name)
  return cell?.databaseReadUrl ?? cell?.databaseUrl ?? ''
}

async function proveCell(
  { config, log }: Pick<Services, 'config' | 'log'>,
  { name: cell, pool: primary }: Cells[number],
  source: Pool,
  isToStop: () => boolean,
): Promise<void> {
  const run = await reconcileInSlices({ source, primary, share: config.reconcileShare, resume: true, isToStop })
  if (run === null) return
  const { tenants, faults, faultCount, isWhole } = run
  if (isWhole) log.info({ cell, tenants, faults: faultCount }, 'the books were proven')
  for (const { tenant_id, check, subject, expected, found } of faults.slice(0, LOGGED_FAULTS_MAX))
    log.error({ cell, tenant_id, check, subject, expected, found }, 'the books disagree')
}
