/** How long a body can be: what is longer is refused before it is read to its end. */

/** No body is longer but that of a bulk. */
export const BODY_BYTES_MAX = 1024 * 1024

/** `4 MiB` */
export const bytesInWords = (bytes: number): string => `${bytes / BODY_BYTES_MAX} MiB`
