/** Gathers single calls into calls for many. It knows nothing of imports. */

/** The result of an entry: its answer, or the error. */
export type Told<Answer> = { readonly answer: Answer } | { readonly error: unknown }

/** Calls `ask` with the entries in their order, at most `max` at once. Entries that come during a call go into the next one. */
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
      // Entries of the same turn of the event loop go together.
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
