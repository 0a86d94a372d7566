/** What a process asks of a database while it starts, and goes on without where no answer comes. */
import { setTimeout as delay } from 'node:timers/promises'

/** A database that is away must not hold up a start for longer. */
const ANSWER_MS_MAX = 3_000

/** The answer; undefined where it does not come in time or is an error, which is told. */
export async function inTime<T>(ask: () => Promise<T>, onUncompared: (error: unknown) => void): Promise<T | undefined> {
  const noAnswer = delay(ANSWER_MS_MAX, undefined, { ref: false }).then(() => {
    throw new Error(`PostgreSQL gave no answer in ${ANSWER_MS_MAX / 1_000} s`)
  })
  return Promise.race([ask(), noAnswer]).catch(error => {
    onUncompared(error)
    return undefined
  })
}
