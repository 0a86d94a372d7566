/** Looks at when a backup of each cell was last checked (bin/millrace backup check). It checks none. */
import * as v from 'valibot'
import { type Pool, rows } from '../../platform/postgres/postgres.ts'
import { lastGoodChecks } from '../backup/noted.ts'
import { duration, type Finding, fine, warning } from './finding.ts'

/** Backups should be tested every month. */
const AGE_DAYS_MAX = 35
const DAY_MS = 86_400_000
const ADVICE = 'run bin/millrace backup check on the newest backup (docs/recovery.md)'

/** @param cell the cell of the pool. A cell whose tenants are all younger needs no backup yet. */
export async function checkBackups(main: Pool, cell: { readonly name: string; readonly pool: Pool }): Promise<Finding> {
  const last = (await lastGoodChecks(main)).find(each => each.cell === cell.name)
  if (last !== undefined) {
    const age = last.check_age_seconds * 1_000
    const reach = last.data_age_seconds === null ? '' : `, its data were ${duration(reachOf(last))} old then`
    const found = `checked ${duration(age)} ago${reach}`
    return age > AGE_DAYS_MAX * DAY_MS ? warning('backup', found, ADVICE) : fine('backup', found)
  }
  const { is_due } = await cell.pool.one(rows(v.object({ is_due: v.boolean() }))`
    select exists (select from tenants where created_at < now() - make_interval(days => ${AGE_DAYS_MAX})) as is_due`)
  return is_due ? warning('backup', 'none was ever checked', ADVICE) : fine('backup', 'none was checked yet')
}

const reachOf = (last: { readonly check_age_seconds: number; readonly data_age_seconds: number | null }): number =>
  ((last.data_age_seconds ?? 0) - last.check_age_seconds) * 1_000
