/** What a list is asked for of a time. */

/** A bound on a time, from and until (exclusive). */
export type TimeRange = {
  readonly column: string
  readonly from: string | undefined
  readonly until: string | undefined
}
