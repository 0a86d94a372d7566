/** Why a command cannot be decided now, and when it is decided again. */
import type { Refusal } from '../api/errors.ts'

/**
 * The needed state can only be loaded again: the command runs in the next unit of work. It is thrown, because any rule may find this. The
 * thrower must not have changed anything.
 */
export class NextUnit extends Error {
  override readonly name: string = 'NextUnit'
}

/**
 * The command needs more rows than were loaded for it. If it is the first of its unit, it runs alone with more rows. If these are not
 * enough either, it is refused.
 */
export class NotLoaded extends NextUnit {
  override readonly name = 'NotLoaded'
  readonly refusal: Refusal

  constructor(message: string, refusal: Refusal) {
    super(message)
    this.refusal = refusal
  }
}

/** The command needs more ids than it said. It is decided again with more ids. */
export class OutOfIds extends Error {
  override readonly name = 'OutOfIds'
}
