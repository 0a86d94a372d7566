/** Owns a tenant's row that a test holds locked, as a unit of work does, and the look at who waits for it. */
import pg from 'pg'
import { connectionString } from '../../lib/platform/postgres/address.ts'
import { eventually } from './eventually.ts'

export type HeldTenant = {
  /** Waits until so many sessions wait for the row, one behind the other. */
  waitFor(sessions: number): Promise<void>
  /** Lets them on. The test's teardown does it too. */
  release(): Promise<void>
}

/** Not from pg_stat_activity: a transaction reads that once. */
const waiters = `
  with recursive waiting as (
    select pg_backend_pid() as pid
    union select l.pid from waiting w join pg_locks l on not l.granted and w.pid = any (pg_blocking_pids(l.pid))
  )
  select count(*)::int - 1 as waiters from waiting`

/** Locks the tenant's row; it is locked when the promise resolves. No time-out of a pool ends it. */
export async function holdTenant(
  t: { teardown(close: () => Promise<void>): void },
  { databaseUrl, tenantId }: { readonly databaseUrl: string; readonly tenantId: string },
): Promise<HeldTenant> {
  const holder = new pg.Client({ connectionString: connectionString(databaseUrl) })
  await holder.connect()
  let ended: Promise<void> | undefined
  const release = () => {
    ended ??= holder.end()
    return ended
  }
  t.teardown(release)
  await holder.query('begin')
  await holder.query('select from tenant_streams where tenant_id = $1 for no key update', [tenantId])
  return {
    release,
    waitFor: async sessions => {
      await eventually(async () => (await holder.query(waiters)).rows[0].waiters === sessions)
    },
  }
}
