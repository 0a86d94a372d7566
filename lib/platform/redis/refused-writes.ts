/** Distinguishes a Redis that answers but refuses writes, because its memory or disk is full, from one that cannot be reached. */

const refused = /OOM command not allowed|MISCONF/

/** Whether the server refused to write. It still answers reads, and takes writes again when it has room. */
export const refusesWrites = (error: unknown): boolean => error instanceof Error && refused.test(error.message)
