/** A gate that lets so many through at once and the others wait in their order. */

/** Runs work inside the gate, when there is room. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function gateFor(roomMax: number): Gate {
  const waiting: (() => void)[] = []
  let room = roomMax
  return async work => {
    if (room > 0) room--
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes to the next in line, else it falls free.
      const next = waiting.shift()
      if (next) next()
      else room++
    }
  }
}
