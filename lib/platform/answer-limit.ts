/**
 * Limits how long an answer of PostgreSQL or Redis may be due, and tells of connections that were thrown away for it. One timer of the
 * process looks at all connections. It throws no connection away itself.
 */

/** A limit is overrun at the first look after it: at most this much later. */
export const LOOK_EVERY_MS = 250

/** Looks once; false: there is nothing to look at any more. */
type Look = () => boolean

const looks = new Set<Look>()
let timer: NodeJS.Timeout | undefined

/** Looks again and again until `look` says false. */
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
  /** For each answer of those that are due together, and for all of them once more. */
  readonly limitMs: number
  readonly marginMs: number
  /** Told when they are due for longer, at each look. */
  readonly onOverrun: () => void
}

/**
 * The limit of the answers on one connection. It counts looks instead of time: while the process itself stood still it read nothing,
 * and the answers may lie in its socket.
 */
export class AnswerLimit {
  readonly #options: AnswerLimitOptions
  #due = 0
  #looks = 0
  #isLookedAt = false

  constructor(options: AnswerLimitOptions) {
    this.#options = options
  }

  /** So many more answers are due. Needs one `end`. */
  begin(answers: number): void {
    this.#due += answers
    if (this.#isLookedAt) return
    this.#isLookedAt = true
    this.#looks = 0
    lookAgain(() => this.#look())
  }

  /** They have come, or never will. */
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

/** Why a connection was thrown away. The request that waited for it may work in a moment. */
export class SilentConnection extends Error {
  override name = 'SilentConnection'
}

export type ThrownAway = {
  readonly store: 'postgres' | 'redis'
  readonly error: SilentConnection
  /** Idle connections that were closed with it, since they may be as silent. */
  readonly idle: number
}

const listeners = new Set<(thrownAway: ThrownAway) => void>()

/** `listener` is told of each connection of this process that is thrown away. */
export function onThrownAway(listener: (thrownAway: ThrownAway) => void): void {
  listeners.add(listener)
}

export function reportThrownAway(thrownAway: ThrownAway): void {
  for (const listener of listeners) listener(thrownAway)
}
