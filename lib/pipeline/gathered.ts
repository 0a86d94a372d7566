/** Gathers what is asked in one turn of the event loop, so that it travels in one call: each call costs Redis and its caller some 20 us. */

/** Asks of one call at most: a script of 32 claims holds Redis up for 2 ms. */
const ASKS_MAX = 32

type Gathering<Ask, Answer> = { readonly asks: Ask[]; readonly answers: Promise<readonly Answer[]> }

/**
 * Makes one call of those with the same key. Where the call fails all of them fail.
 * @param send answers the asks in their order.
 * @param whenTurnEnds `process.nextTick`: behind the promises that are settled now; `setImmediate`: behind all that has arrived by now.
 */
export function gathered<Ask, Answer>(
  send: (key: string, asks: readonly Ask[]) => Promise<readonly Answer[]>,
  whenTurnEnds: (work: () => void) => void,
): (key: string, ask: Ask) => Promise<Answer> {
  const gathering = new Map<string, Gathering<Ask, Answer>>()

  const begin = (key: string): Gathering<Ask, Answer> => {
    const asks: Ask[] = []
    const { promise, resolve } = Promise.withResolvers<readonly Answer[]>()
    const begun = { asks, answers: promise }
    gathering.set(key, begun)
    whenTurnEnds(() => {
      if (gathering.get(key) === begun) gathering.delete(key)
      resolve(send(key, asks))
    })
    return begun
  }

  return async (key, ask) => {
    const known = gathering.get(key)
    const { asks, answers } = known === undefined || known.asks.length >= ASKS_MAX ? begin(key) : known
    const at = asks.push(ask) - 1
    const answer = (await answers)[at]
    if (answer === undefined) throw new TypeError('a call answered too little')
    return answer
  }
}
