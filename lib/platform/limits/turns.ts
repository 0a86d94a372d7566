/** Runs work of one key one at a time, in order of arrival. Work of other keys runs in parallel. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function turnsByKey(): Turns {
  const ends = new Map<string, Promise<void>>()
  return async (key, work) => {
    const before = ends.get(key)
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.set(key, promise)
    if (before) await before
    try {
      return await work()
    } finally {
      if (ends.get(key) === promise) ends.delete(key)
      resolve()
    }
  }
}
