/** Owns an order that a seed decides, so that tests which need another one are found, and found again. */
import { createHash } from 'node:crypto'

/** By this, test/run.ts tells its seed. */
export const TEST_SEED = 'MILLRACE_TEST_SEED'

/** The items in the order of the seed; as they are without one. */
export function shuffled<T>(items: readonly T[], seed: string | undefined): T[] {
  if (seed === undefined) return [...items]
  const keyed = items.map((item, at) => ({ item, key: createHash('sha256').update(`${seed} ${at}`).digest('hex') }))
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ item }) => item)
}
