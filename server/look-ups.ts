/**
 * Look-ups of single records: those that come while others of their kind are under way wait for these, and go together in one
 * statement.
 */
import { type Found, lookUp } from '../lib/kit/api/look-up.ts'
import { Batcher } from '../lib/platform/limits/batcher.ts'
import { isDependencyFailure } from '../lib/platform/postgres/failures.ts'
import type { RoundTripPool } from '../lib/platform/postgres/round-trip-pool.ts'

/** Statements of one kind that may be under way, so that one which hangs takes no more connections than these. */
const UNDER_WAY_MAX = 2
/** Records that one statement looks up. */
const BATCH_MAX = 32

type Key = { readonly tenantId: string; readonly id: string }

/**
 * Finds a record by a statement of `lookUpText`. Where a statement for several fails each is asked alone.
 * @throws when Postgres is away.
 */
export function lookUpsOver(pool: RoundTripPool): (text: string, key: Key) => Promise<Found> {
  const kinds = new Map<string, Batcher<Key, Found>>()
  const askAll = (text: string, take: () => readonly Key[]): Promise<readonly Found[]> =>
    // Until there is a connection, others may join.
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
