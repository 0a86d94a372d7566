/** Tells a Redis that is there and refuses writes, since its memory or its disk is full, from one that is away. */

const refused = /OOM command not allowed|MISCONF/

/** Whether the server refused to write. It answers what only reads, and goes on by itself once it has room. */
export const refusesWrites = (error: unknown): boolean => error instanceof Error && refused.test(error.message)
