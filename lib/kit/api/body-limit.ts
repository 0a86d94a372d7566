/** The greatest length of bodies. A longer body is refused before it is read to its end. */

/** The greatest length of a body, except a bulk's. */
export const BODY_BYTES_MAX = 1024 * 1024

/** `4 MiB` */
export const bytesInWords = (bytes: number): string => `${bytes / BODY_BYTES_MAX} MiB`

/**
 * The most members of an object (names in a change of metadata) and entries of a list (lines in a change of a purchase order). Beyond them a
 * body's reader keeps only as many more as an answer names faults.
 */
export const MEMBERS_MAX = 100
export const ENTRIES_MAX = 1_000
