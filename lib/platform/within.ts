/** Waits for an answer up to a limit. Work that is too late continues. */

export class NoAnswerInTime extends Error {
  override name = 'NoAnswerInTime'
}

/** @throws NoAnswerInTime, or what the work throws */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new NoAnswerInTime(`no answer within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
