/** Gathers the questions of one turn of the event loop into one call. Each call costs Redis and its caller about 20 us. */

/** The most commands in one call, not counting the last question. A script of 32 claims blocks Redis for 2 ms. */
const WEIGHT_MAX = 32

type Gathering<Ask, Answer> = { weight: number; readonly asks: Ask[]; readonly answers: Promise<readonly Answer[]> }

/**
 * Makes one call of the questions with the same key. If the call fails, all of them fail.
 * @param send answers the questions in order
 * @param whenTurnEnds `process.nextTick`: after the promises that are settled now. `setImmediate`: after everything that has arrived by
 * now.
 * @param weightOf how many commands a question contains
 */
export function gathered<Ask, Answer>(
  send: (key: string, asks: readonly Ask[]) => Promise<readonly Answer[]>,
  whenTurnEnds: (work: () => void) => void,
  weightOf: (ask: Ask) => number = () => 1,
): (key: string, ask: Ask) => Promise<Answer> {
  const gathering = new Map<string, Gathering<Ask, Answer>>()

  const begin = (key: string): Gathering<Ask, Answer> => {
    const asks: Ask[] = []
    const { promise, resolve } = Promise.withResolvers<readonly Answer[]>()
    const begun = { weight: 0, asks, answers: promise }
    gathering.set(key, begun)
    whenTurnEnds(() => {
      if (gathering.get(key) === begun) gathering.delete(key)
      resolve(send(key, asks))
    })
    return begun
  }

  return async (key, ask) => {
    const known = gathering.get(key)
    const joined = known === undefined || known.weight >= WEIGHT_MAX ? begin(key) : known
    joined.weight += weightOf(ask)
    const at = joined.asks.push(ask) - 1
    const answer = (await joined.answers)[at]
    if (answer === undefined) throw new TypeError('a call answered too little')
    return answer
  }
}
