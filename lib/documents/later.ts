/** Why a command cannot be decided as things are, and when it is decided again. */

/**
 * Only another load can tell: the command runs in the next unit of work. Thrown, since it may show anywhere in a rule; whoever
 * throws it left no trace.
 */
export class Later extends Error {
  override readonly name = 'Later'
}

/** The command takes more ids than it said; it is decided again with more of them. */
export class OutOfIds extends Error {
  override readonly name = 'OutOfIds'
}
