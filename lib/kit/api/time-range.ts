/** The time bounds of a list. */

/** Bounds on a time: from (inclusive) and until (exclusive). */
export type TimeRange = {
  readonly column: string
  readonly from: string | undefined
  readonly until: string | undefined
}
