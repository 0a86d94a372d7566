/** Checks a restored database: tables, times, secrets, books, and how far its data reach. */
import * as v from 'valibot'
import { identityOf } from '../../access/cells/add.ts'
import { MAIN } from '../../platform/cells.ts'
import { migrate } from '../../platform/postgres/migrate.ts'
import { createPool, type Pool, rows } from '../../platform/postgres/postgres.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import { checkTenantTimes } from '../doctor/clocks.ts'
import { type Finding, fault, fine } from '../doctor/finding.ts'
import { checkMigrations } from '../doctor/postgres.ts'
import { checkSecrets } from '../doctor/secrets.ts'
import { type Reconciliation, reconcile } from '../reconcile/reconcile.ts'

const STATEMENT_TIMEOUT_MS = 600_000

export type Checked = {
  readonly cell: string
  /** The time of the newest command, ISO-8601; null: there is none. */
  readonly reaches: string | null
  /** Migrations that the database lacked, applied in the scratch cluster only. */
  readonly applied: readonly string[]
  readonly findings: readonly Finding[]
  readonly books: Reconciliation
}

type Checking = {
  /** Whether the database is a scratch one. A scratch database is migrated to this version; another one is only read. */
  readonly isScratch: boolean
  /** @throws ConfigError where there is no key here */
  readonly openBox: () => SecretBox
  readonly onStep: (words: string) => void
}

const NOTHING: Omit<Checked, 'findings'> = {
  cell: MAIN,
  reaches: null,
  applied: [],
  books: { tenants: 0, checks: [], faults: [] },
}

export async function checkDatabase(databaseUrl: string, checking: Checking): Promise<Checked> {
  const pool = await createPool(databaseUrl, {
    name: 'millrace backup check',
    size: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  try {
    return await look(pool, databaseUrl, checking)
  } finally {
    await pool.end()
  }
}

const There = v.object({ is_there: v.boolean() })
const Reaches = v.object({ reaches: v.nullable(v.string()) })

async function look(pool: Pool, databaseUrl: string, { isScratch, openBox, onStep }: Checking): Promise<Checked> {
  const { is_there } = await pool.one(rows(There)`select to_regclass('migrations') is not null as is_there`)
  if (!is_there)
    return { ...NOTHING, findings: [fault('tables', 'there are none of Millrace', 'back up the database of Millrace')] }
  const { applied, finding } = await migrated(pool, databaseUrl, isScratch)
  const { cell } = await identityOf(pool)
  const { reaches } = await pool.one(rows(Reaches)`select iso(max(created_at)) as reaches from commands`)
  const known = { cell: cell ?? MAIN, reaches, applied }
  if (finding.status === 'fault') return { ...NOTHING, ...known, findings: [finding] }
  onStep('examines the tables')
  const findings = [finding, ...(await checkTenantTimes(pool)), await checkSecrets(pool, openBox)]
  onStep('proves the books')
  const books = await reconcile(databaseUrl)
  const count = `${books.checks.length} checks over ${books.tenants} tenant${books.tenants === 1 ? '' : 's'}`
  const found =
    books.faults.length === 0
      ? fine('books', `${count}: everything agrees`)
      : fault('books', `${count}: ${books.faults.length} faults`, 'keep an older backup, and look for the cause')
  return { ...known, findings: [...findings, found], books }
}

type Migrated = { readonly applied: readonly string[]; readonly finding: Finding }

/** Restoring an older backup migrates it to this version, too. */
async function migrated(pool: Pool, databaseUrl: string, isScratch: boolean): Promise<Migrated> {
  const { finding, isCurrent } = await checkMigrations(pool)
  if (isCurrent || !isScratch) return { applied: [], finding }
  try {
    const applied = await migrate(databaseUrl)
    return { applied, finding: fine('migrations', `${applied.length} newer ones can be applied`) }
  } catch (error) {
    const [reason = ''] = String((error as Error).message).split('\n')
    return { applied: [], finding: fault('migrations', reason, 'check the backup with the version that made it') }
  }
}
