/** The error of a tool that did nothing, for a reason that its user can do something about. */

/** `message` is for people: the command line shows it as it is. */
export class Refused extends Error {
  override name = 'Refused'
}
