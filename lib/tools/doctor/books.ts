/** Says when the books were proven last, and whether they held. It reads the note of `reconcile`; it proves nothing itself. */
import type { Pool } from '../../platform/postgres/postgres.ts'
import { lastWholeRun } from '../reconcile/noted.ts'
import { duration, type Finding, fault, fine, warning } from './finding.ts'

const CHECK = 'books'
/** As docs/alerts/MillraceReconcileOld.md. */
const AGE_DAYS_MAX = 8
const DAY_S = 86_400

/** Runs of `reconcile --share` and the nightly ones are noted. */
export async function checkBooks(pool: Pool): Promise<Finding> {
  const { age_seconds: age, faults } = await lastWholeRun(pool)
  const ago = `${duration(age * 1_000)} ago`
  if (faults !== null && faults > 0)
    return fault(
      CHECK,
      `${faults} ${faults === 1 ? 'difference was' : 'differences were'} found ${ago}`,
      'run bin/millrace reconcile: it lists them. Correct nothing by hand before you know how they came about. A run with --share that finds none ends this',
    )
  const found = faults === null ? 'never proven' : `proven ${ago}`
  return age > AGE_DAYS_MAX * DAY_S
    ? warning(CHECK, found, 'set RECONCILE_AT, or run bin/millrace reconcile --share 0.2 each week')
    : fine(CHECK, found)
}
