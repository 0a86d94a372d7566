/**
 * The error of a machine or a setting that does not allow a start, with a message for the person who started it. It must not be thrown for
 * our own faults.
 */

/** `message` is one clear line that says what to do. It is shown without a stack trace. */
export class SetupError extends Error {
  override name = 'SetupError'
}
