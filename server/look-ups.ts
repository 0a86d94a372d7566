/**
 * Look-ups of single records: those that come while others of their kind are under way wait for these, and go together in one
 * statement.
 */
import { type Found, lookUp } from '../lib/kit/api/look-up.ts'
import { isDependencyFailure } from '../lib/platform/postgres/failures.ts'
import type { RoundTripPool } from '../lib/platform/postgres/round-trip-pool.ts'

/** Statements of one kind that may be under way, so that one which hangs takes no more connections than these. */
const UNDER_WAY_MAX = 2
/** Records that one statement looks up. */
const TOGETHER_MAX = 32

type Key = { readonly tenantId: string; readonly id: string }
type Batch = { readonly keys: Key[]; readonly found: Promise<ReadonlyMap<number, Found>> }
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
    const position = keys.push(key)
    if (keys.length === TOGETHER_MAX) kind.open = undefined
    try {
      return foundAt(await found, position)
    } catch (error) {
      if (keys.length === 1 || isDependencyFailure(error)) throw error
      return foundAt(await this.#ask(text, () => [key]), 1)
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

  /** What is found of each key, by its position. @param keysNow is asked when there is a connection. */
  #ask(text: string, keysNow: () => readonly Key[]): Promise<ReadonlyMap<number, Found>> {
    return this.#pool.use(async connection => {
      const keys = keysNow()
      const [rows = []] = await connection.send([lookUp(text, keys)])
      return new Map((rows as readonly Found[]).map(found => [Number(found.position), found]))
    })
  }
}

function foundAt(found: ReadonlyMap<number, Found>, position: number): Found {
  const row = found.get(position)
  if (row === undefined) throw new Error(`a look-up answered nothing at ${position}`)
  return row
}
