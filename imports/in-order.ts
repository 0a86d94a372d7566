/** Runs several rows at once, but rows that name the same record one after another, in the order of the file. It knows no kind of row. */
import type { Value } from './values.ts'

/** How a row names a record: a kind of name, and the text with which the service finds it. Empty where the row has none. */
export const nameOf = (kind: string, value: Value | undefined): readonly string[] =>
  typeof value === 'string' && value.trim() !== '' ? [`${kind} ${value.trim().normalize('NFC')}`] : []

/**
 * The rows of one import. A call waits until all earlier calls that share a name with it are done. It waits only for earlier calls, so that
 * no two wait for each other. Call it in the order of the file.
 * @param names the records that the work finds or makes. Where names are looked up, the look-ups of several rows run at once.
 */
export function inOrder(): <T>(
  names: readonly string[] | Promise<readonly string[]>,
  work: () => Promise<T>,
) => Promise<T> {
  /** The last unfinished call of each name. */
  const last = new Map<string, Promise<void>>()
  let placed: Promise<unknown> = Promise.resolve()
  return async (names, work) => {
    const { promise: done, resolve: end } = Promise.withResolvers<void>()
    const place = Promise.allSettled([names, placed]).then(([found]) => {
      if (found.status === 'rejected') throw found.reason
      const earlier = found.value.flatMap(name => last.get(name) ?? [])
      for (const name of found.value) last.set(name, done)
      return { own: found.value, earlier }
    })
    placed = place.catch(() => {})
    const { own, earlier } = await place
    await Promise.all(earlier)
    try {
      return await work()
    } finally {
      for (const name of own) if (last.get(name) === done) last.delete(name)
      end()
    }
  }
}
