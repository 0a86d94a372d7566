/**
 * Limits how long answers of PostgreSQL or Redis may take, and reports connections that were thrown away for it. One timer of the process
 * looks at all connections. It throws no connection away itself.
 */

/** An overrun is noticed at the next look: at most this much later. */
export const LOOK_EVERY_MS = 250

/** Looks once. False: nothing is left to look at. */
type Look = () => boolean

const looks = new Set<Look>()
let timer: NodeJS.Timeout | undefined

/** Calls `look` again and again until it returns false. */
export function lookAgain(look: Look): void {
  looks.add(look)
  timer ??= setInterval(lookAtAll, LOOK_EVERY_MS).unref()
}

function lookAtAll(): void {
  for (const look of looks) if (!look()) looks.delete(look)
  if (looks.size > 0) return
  clearInterval(timer)
  timer = undefined
}

export const looksIn = (ms: number): number => Math.ceil(ms / LOOK_EVERY_MS)

type AnswerLimitOptions = {
  /** The limit for each of the answers that are due together, and a margin for all of them. */
  readonly limitMs: number
  readonly marginMs: number
  /** Called at each look while answers are overdue. */
  readonly onOverrun: () => void
}

/**
 * The limit for answers on one connection. It counts looks instead of time: while the process stood still it read nothing, and the answers
 * may already be in its socket.
 */
export class AnswerLimit {
  readonly #options: AnswerLimitOptions
  #due = 0
  #looks = 0
  #isLookedAt = false

  constructor(options: AnswerLimitOptions) {
    this.#options = options
  }

  /** So many more answers are due. Each call needs one `end`. */
  begin(answers: number): void {
    this.#due += answers
    if (this.#isLookedAt) return
    this.#isLookedAt = true
    this.#looks = 0
    lookAgain(() => this.#look())
  }

  /** So many answers have come, or never will. */
  end(answers: number): void {
    this.#due -= answers
    this.#looks = 0
  }

  #look(): boolean {
    const { limitMs, marginMs, onOverrun } = this.#options
    this.#isLookedAt = this.#due > 0
    if (!this.#isLookedAt) return false
    // The first look may come right after the beginning.
    if (this.#looks++ > looksIn(this.#due * limitMs + marginMs)) onOverrun()
    return true
  }
}

/** Why a connection was thrown away. Its request may work in a moment. */
export class SilentConnection extends Error {
  override name = 'SilentConnection'
}

export type ThrownAway = {
  readonly store: 'postgres' | 'redis'
  readonly error: SilentConnection
  /** Idle connections that were closed with it, because they may be silent, too. */
  readonly idle: number
}

const listeners = new Set<(thrownAway: ThrownAway) => void>()

/** Calls `listener` for each connection of this process that is thrown away. */
export function onThrownAway(listener: (thrownAway: ThrownAway) => void): void {
  listeners.add(listener)
}

export function reportThrownAway(thrownAway: ThrownAway): void {
  for (const listener of listeners) listener(thrownAway)
}
