/** The error of a tool that did nothing, for a reason that its user can change. */

/** `message` is for people: the command line shows it unchanged. */
export class Refused extends Error {
  override name = 'Refused'
}
