/**
 * How the time of a piece of work grows with its input, for tests that nobody outside can make it grow faster than what they
 * send. It takes the processor time of this thread, which other processes do not change, and compares it with itself.
 */

/** Shorter times are not compared: the system counts processor time in steps of up to 4 ms. */
const FLOOR_MS = 10
/** Twice the input may take so many times as long: 2 by itself, the rest is for caches and the garbage collector. */
const RATIO_MAX = 2.5
const REPEATS = 5
/** A suspicious measurement is made again, so often. */
const TRIES = 3

export type Work<Input> = {
  /** An input of about this size; it is made outside the measurement. */
  readonly input: (size: number) => Input
  readonly run: (input: Input) => unknown
  /** Where to begin; 64 when it is not given. */
  readonly sizeMin?: number
  /** The greatest input that can come, or that is worth the time. */
  readonly sizeMax: number
}

/**
 * Goes up to a quarter of the greatest size, and from the size on that takes 10 ms compares each with twice of it, and that
 * with twice of it again: what merely meets a limit of a cache on its way does not do so twice.
 * @returns what grew faster, in words; undefined when twice the input takes at most about twice as long, or even the
 * greatest no time to speak of.
 */
export async function overgrowth<Input>(work: Work<Input>): Promise<string | undefined> {
  for (let size = work.sizeMin ?? 64; size <= work.sizeMax / 4; size *= 2) {
    if ((await onceMs(work, size)) < FLOOR_MS) continue
    const seen: string[] = []
    for (let tried = 0; tried < TRIES; tried++) {
      const times = [
        await medianMs(work, size),
        await medianMs(work, 2 * size),
        await medianMs(work, 4 * size),
      ] as const
      if (times[1] <= RATIO_MAX * times[0] || times[2] <= RATIO_MAX * times[1]) break
      seen.push(times.map(ms => `${ms.toFixed(1)} ms`).join(', '))
    }
    if (seen.length === TRIES) return `${size}, ${2 * size}, ${4 * size}: ${seen.join('; ')}`
  }
  return undefined
}

async function medianMs<Input>(work: Work<Input>, size: number): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < REPEATS; n++) times.push(await onceMs(work, size))
  return times.sort((a, b) => a - b)[Math.floor(REPEATS / 2)] ?? 0
}

async function onceMs<Input>({ input, run }: Work<Input>, size: number): Promise<number> {
  const made = input(size)
  const before = process.threadCpuUsage()
  await run(made)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
