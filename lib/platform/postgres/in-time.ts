/** Questions to a database during the start of a process, which continues without an answer. */
import { setTimeout as delay } from 'node:timers/promises'

/** The longest that a missing answer may delay the start. */
const ANSWER_MS_MAX = 3_000

/** The answer. Undefined if it does not come in time or is an error; then `onUncompared` is called. */
export async function inTime<T>(ask: () => Promise<T>, onUncompared: (error: unknown) => void): Promise<T | undefined> {
  const noAnswer = delay(ANSWER_MS_MAX, undefined, { ref: false }).then(() => {
    throw new Error(`PostgreSQL gave no answer in ${ANSWER_MS_MAX / 1_000} s`)
  })
  return Promise.race([ask(), noAnswer]).catch(error => {
    onUncompared(error)
    return undefined
  })
}
