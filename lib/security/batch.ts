/**
 * Cuts a tally into batches of rows for PostgreSQL: plain JSON, with hashed networks. Pure, so that a batch that is sent again is the same.
 */
import { hashNetwork } from './network.ts'
import type { Cell, Tally } from './tally.ts'

/** Rows of one statement, about 20 ms of PostgreSQL. */
const BATCH_ROWS_MAX = 2_000
const HOUR_S = 3_600

/** Columns of `security_recent`. */
export type Batch = readonly Readonly<Record<string, unknown>>[]

/** The key that hashes the networks of a day (days since 1970). @throws for a day whose key was not fetched */
type NetworkKeys = (day: number) => Buffer

/** The UTC day of a cell, in days since 1970. */
export const dayOf = ({ second }: Cell): number => Math.floor(second / (24 * HOUR_S))

/** The rows of a tally in batches. Each row is in exactly one batch. */
export function batchesOf(tally: Tally, keyOfDay: NetworkKeys): Batch[] {
  const hashesOf = hashing(keyOfDay)
  const rows = [...tally.cells].map(cell => {
    const hour = Math.floor(cell.second / HOUR_S)
    return {
      tenant_id: cell.tenantId,
      hour,
      second: cell.second - hour * HOUR_S,
      key_id: cell.keyId,
      metric: cell.metric,
      method: cell.method,
      route: cell.route,
      count: cell.count,
      ...hashesOf(cell),
    }
  })
  return Array.from({ length: Math.ceil(rows.length / BATCH_ROWS_MAX) }, (_, at) =>
    rows.slice(at * BATCH_ROWS_MAX, (at + 1) * BATCH_ROWS_MAX),
  )
}

/** Hashes each network once per day and key, however many cells it has. */
function hashing(keyOfDay: NetworkKeys) {
  const known = new Map<string, { readonly network: string; readonly network_before: string }>()
  return (cell: Cell) => {
    const { tenantId, keyId, network } = cell
    if (network === undefined) return undefined
    const day = dayOf(cell)
    const name = `${tenantId} ${keyId} ${day} ${network}`
    const hash = (of: number) => hashNetwork(keyOfDay(of), { tenantId, keyId, network })
    const hashes = known.get(name) ?? { network: hash(day), network_before: hash(day - 1) }
    known.set(name, hashes)
    return hashes
  }
}
