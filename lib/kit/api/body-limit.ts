/** How long a body can be: what is longer is refused before it is read to its end. */

/** No body is longer but that of a bulk. */
export const BODY_BYTES_MAX = 1024 * 1024

/** `4 MiB` */
export const bytesInWords = (bytes: number): string => `${bytes / BODY_BYTES_MAX} MiB`

/**
 * No object of a body has more members (names in a change of metadata), and no list more entries (lines in a change of a purchase
 * order). What stands behind them, and behind as many faults as an answer names, is not kept while a body is read.
 */
export const MEMBERS_MAX = 100
export const ENTRIES_MAX = 1_000
