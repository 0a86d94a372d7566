/** Looks at the replica for reads: whether it is one, and whether it keeps up. It opens a connection of its own. */
import { openClient } from '../../platform/postgres/client.ts'
import { duration, type Finding, fault, fine, warning } from './finding.ts'

const LAG_MS_MAX = 10_000

export async function checkReplica(url: string): Promise<Finding[]> {
  const { client, end } = await openClient(url, { fallback_application_name: 'millrace doctor' })
  try {
    const { rows } = await client.query<{ is_replica: boolean; lag_ms: number; streams: boolean }>(`
      select pg_is_in_recovery() as is_replica,
        -- All that came was replayed: then the last replay's age says nothing but that nobody writes.
        case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
          else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()) * 1000, 0) end::float8 as lag_ms,
        exists (select from pg_stat_wal_receiver where status = 'streaming') as streams`)
    const [state] = rows
    if (!state?.is_replica)
      return [warning('replica', 'DATABASE_READ_URL is no replica', 'point it at one, or leave it out')]
    if (!state.streams)
      return [
        fault('replica', 'it receives nothing from the primary', 'look at its log; reads go to the primary meanwhile'),
      ]
    return state.lag_ms > LAG_MS_MAX
      ? [
          warning(
            'replica',
            `behind by ${duration(state.lag_ms)}`,
            'give it more disk or processor; reads go to the primary meanwhile',
          ),
        ]
      : [fine('replica', 'streaming, up to date')]
  } finally {
    await end()
  }
}
