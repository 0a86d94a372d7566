/** Look-ups of single records. Look-ups that arrive while others of their kind run wait for those, and then share one statement. */
import { type Found, lookUp } from '../lib/kit/api/look-up.ts'
import { Batcher } from '../lib/platform/limits/batcher.ts'
import { isDependencyFailure } from '../lib/platform/postgres/failures.ts'
import type { RoundTripPool } from '../lib/platform/postgres/round-trip-pool.ts'

/** The most statements of one kind that run at the same time, so that a hanging kind takes no more connections. */
const UNDER_WAY_MAX = 2
/** The most records of one statement. */
const BATCH_MAX = 32

type Key = { readonly tenantId: string; readonly id: string }

/**
 * Finds a record with a statement of `lookUpText`. If a statement for several records fails, each record is asked for alone. @throws if
 * PostgreSQL cannot be reached
 */
export function lookUpsOver(pool: RoundTripPool): (text: string, key: Key) => Promise<Found> {
  const kinds = new Map<string, Batcher<Key, Found>>()
  const askAll = (text: string, take: () => readonly Key[]): Promise<readonly Found[]> =>
    // Other look-ups may join while this one waits for a connection.
    pool.use(async connection => {
      const keys = take()
      const [rows = []] = await connection.send([lookUp(text, keys)])
      const found = new Map((rows as readonly Found[]).map(row => [Number(row.position), row]))
      return keys.map((_, at) => {
        const row = found.get(at + 1)
        if (row === undefined) throw new Error(`a look-up answered nothing at ${at + 1}`)
        return row
      })
    })
  return (text, key) => {
    let kind = kinds.get(text)
    if (kind === undefined) {
      kind = new Batcher({
        askAll: take => askAll(text, take),
        max: BATCH_MAX,
        underWayMax: UNDER_WAY_MAX,
        isOfOne: error => !isDependencyFailure(error),
      })
      kinds.set(text, kind)
    }
    return kind.ask(key)
  }
}
