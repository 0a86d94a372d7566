/** Who may run at once: so many of all, or one of each key. */

/** Runs work inside the gate, when there is room. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** @param holdMsMax whoever is inside for longer gives its place to the next: it waits for a server that is silent. Default: never. */
export function gateFor(roomMax: number, holdMsMax?: number): Gate {
  const waiting: (() => void)[] = []
  let room = roomMax
  return async work => {
    if (room > 0) room--
    else await new Promise<void>(resolve => waiting.push(resolve))
    let isInside = true
    const leave = () => {
      if (!isInside) return
      isInside = false
      // The place goes to the next in line, else it falls free.
      const next = waiting.shift()
      if (next) next()
      else room++
    }
    const timer = holdMsMax === undefined ? undefined : setTimeout(leave, holdMsMax)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      leave()
    }
  }
}

/** Runs work of one key at a time, in the order in which it came; work of other keys runs beside. */
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
