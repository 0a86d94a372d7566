/** Gathers what is asked one by one into calls for many. It knows no imports. */

/** What an entry of a call got: an answer, or why there is none. */
export type Told<Answer> = { readonly answer: Answer } | { readonly error: unknown }

/** Asks for entries in the order in which they came, at most so many at once. What comes while a call is under way goes with the next. */
export function gathered<Entry, Answer>(
  ask: (entries: readonly Entry[]) => Promise<readonly Told<Answer>[]>,
  max: number,
): (entry: Entry) => Promise<Answer> {
  type Waiting = { entry: Entry; resolve: (answer: Answer) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let isAsking = false
  const askAll = async () => {
    isAsking = true
    while (waiting.length > 0) {
      // What is asked in the same turn goes together.
      await new Promise(resolve => setTimeout(resolve))
      const part = waiting.slice(0, max)
      waiting = waiting.slice(max)
      const told = await ask(part.map(({ entry }) => entry)).catch(error => part.map(() => ({ error })))
      for (const [at, { resolve, reject }] of part.entries()) {
        const one = told[at] ?? { error: new Error('no answer') }
        if ('answer' in one) resolve(one.answer)
        else reject(one.error)
      }
    }
    isAsking = false
  }
  return entry =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, resolve, reject })
      if (!isAsking) void askAll()
    })
}
