/** Watches how far the clock of each cell's PostgreSQL is from this process's, and tells operators. */
import { areApart, secondsAhead } from '../lib/platform/postgres/clock.ts'
import type { Pool } from '../lib/platform/postgres/postgres.ts'
import type { Log } from '../lib/platform/telemetry/log.ts'
import { gauge } from '../lib/platform/telemetry/metrics.ts'
import { type Repeating, repeat } from './repeat.ts'

const EVERY_MS = 10_000

type Services = {
  readonly cells: readonly { readonly name: string; readonly pool: Pool }[]
  readonly log: Pick<Log, 'warn' | 'error'>
}

export function startClockWatch({ cells, log }: Services, { everyMs = EVERY_MS } = {}): Repeating {
  const aheadByCell = new Map<string, number>()
  gauge(
    'millrace_database_clock_ahead_seconds',
    'How far the clock of PostgreSQL is ahead of the clock of this process; less than 0: behind',
    ['cell'],
    set => {
      for (const [cell, ahead] of aheadByCell) set({ cell }, ahead)
    },
  )
  const look = async ({ name: cell, pool }: Services['cells'][number]) => {
    const ahead = await secondsAhead(pool).catch(() => undefined)
    if (ahead === undefined) return void aheadByCell.delete(cell)
    const wereApart = areApart(aheadByCell.get(cell) ?? 0)
    aheadByCell.set(cell, ahead)
    if (areApart(ahead) === wereApart) return
    const of = { cell, ahead_s: ahead }
    if (wereApart) log.warn(of, 'the clocks of PostgreSQL and this process agree again')
    else log.error(of, 'the clocks of PostgreSQL and this process are apart: no writes, no housekeeping')
  }
  return repeat(async () => void (await Promise.all(cells.map(look))), { pauseMs: () => everyMs })
}
