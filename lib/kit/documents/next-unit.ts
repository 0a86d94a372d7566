/** Why a command cannot be decided as things are, and when it is decided again. */
import type { Refusal } from '../api/errors.ts'

/**
 * Only another load can tell: the command runs in the next unit of work. Thrown, since it may show anywhere in a rule; whoever
 * throws it left no trace.
 */
export class NextUnit extends Error {
  override readonly name: string = 'NextUnit'
}

/**
 * The command needs more rows than were loaded for it. As the first of its unit it runs by itself, with more rows. Where these do not
 * suffice either, it is refused.
 */
export class NotLoaded extends NextUnit {
  override readonly name = 'NotLoaded'
  readonly refusal: Refusal

  constructor(message: string, refusal: Refusal) {
    super(message)
    this.refusal = refusal
  }
}

/** The command takes more ids than it said; it is decided again with more of them. */
export class OutOfIds extends Error {
  override readonly name = 'OutOfIds'
}
