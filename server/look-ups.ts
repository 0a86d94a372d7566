/**
 * Look-ups of single records: those that come while others of their kind are under way wait for these, and go together in one
 * statement.
 */
import { type Found, lookUp } from '../lib/api/look-up.ts'
import { isDependencyFailure } from '../lib/postgres/failures.ts'
import type { RoundTripPool } from '../lib/postgres/round-trip-pool.ts'

/** Statements of one kind that may be under way, so that one which hangs takes no more connections than these. */
const UNDER_WAY_MAX = 2
/** Records that one statement looks up. */
const TOGETHER_MAX = 32

type Key = { readonly tenantId: string; readonly id: string }
type Batch = { readonly keys: Key[]; readonly found: Promise<readonly Found[]> }
/** Look-ups by one statement: the batch that may still be joined, and the latest ones that began, in order. */
type Kind = { open: Batch | undefined; readonly begun: Promise<unknown>[] }

export class LookUps {
  readonly #pool: RoundTripPool
  readonly #kinds = new Map<string, Kind>()

  constructor(pool: RoundTripPool) {
    this.#pool = pool
  }

  /**
   * What a statement of `lookUpText` finds of a record. Where a statement for several fails each is asked alone.
   * @throws when Postgres is away.
   */
  async find(text: string, key: Key): Promise<Found> {
    const kind = this.#kinds.get(text) ?? { open: undefined, begun: [] }
    this.#kinds.set(text, kind)
    kind.open ??= this.#begin(text, kind)
    const { keys, found } = kind.open
    const at = keys.push(key) - 1
    if (keys.length === TOGETHER_MAX) kind.open = undefined
    try {
      return (await found)[at] as Found
    } catch (error) {
      if (keys.length === 1 || isDependencyFailure(error)) throw error
      return (await this.#ask(text, () => [key]))[0] as Found
    }
  }

  #begin(text: string, kind: Kind): Batch {
    const earlier = kind.begun.length < UNDER_WAY_MAX ? undefined : kind.begun.shift()
    const keys: Key[] = []
    const run = async () => {
      await earlier
      return this.#ask(text, () => {
        if (kind.open?.keys === keys) kind.open = undefined
        return keys
      })
    }
    const found = run()
    kind.begun.push(found.catch(() => {}))
    return { keys, found }
  }

  /** @param keysNow is asked when there is a connection. */
  #ask(text: string, keysNow: () => readonly Key[]): Promise<readonly Found[]> {
    return this.#pool.use(async connection => {
      const keys = keysNow()
      const [rows = []] = await connection.send([lookUp(text, keys)])
      return rows as readonly Found[]
    })
  }
}
