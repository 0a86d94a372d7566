/**
 * Limits how long answers of PostgreSQL or Redis may take, and reports the connections that were closed because of it. One timer of the
 * process checks all connections. Its users close the connections.
 */

/** An overrun is noticed at the next look: at most this much later. */
export const LOOK_EVERY_MS = 250

/** A check. False ends it. */
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
  /** The limit for each answer that is due, and a margin for all of them together. */
  readonly limitMs: number
  readonly marginMs: number
  /** Called at each check while answers are overdue. */
  readonly onOverrun: () => void
}

/**
 * The limit for answers on one connection. It counts checks instead of time: while the process was stopped it read nothing, so the answers
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

  /** Notes that this many more answers are due. Each call needs one `end`. */
  begin(answers: number): void {
    this.#due += answers
    if (this.#isLookedAt) return
    this.#isLookedAt = true
    this.#looks = 0
    lookAgain(() => this.#look())
  }

  /** Notes that this many answers have come, or will never come. */
  end(answers: number): void {
    this.#due -= answers
    this.#looks = 0
  }

  #look(): boolean {
    const { limitMs, marginMs, onOverrun } = this.#options
    this.#isLookedAt = this.#due > 0
    if (!this.#isLookedAt) return false
    // The first check may come right after the beginning.
    if (this.#looks++ > looksIn(this.#due * limitMs + marginMs)) onOverrun()
    return true
  }
}

/** Why a connection was closed. Its request may succeed if it is sent again. */
export class SilentConnection extends Error {
  override name = 'SilentConnection'
}

export type ThrownAway = {
  readonly store: 'postgres' | 'redis'
  readonly error: SilentConnection
  /** Idle connections that were closed with it, because they may be silent too. */
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
