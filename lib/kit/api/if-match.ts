/** Reads `If-Match`: the record as its caller knows it (docs/rules/requests.md, "Conditional requests"). */
import { invalid, type Refusal } from './errors.ts'

/** One strong entity tag of RFC 9110, or `*`. */
const pattern = /^(?:\*|"[\x21\x23-\x7e\x80-\xff]*")$/

/** The entity tag, or `*` for any record that is there; else `validation_failed`, which calls it `field`. */
export function readIfMatch(field: string, given: string): string | Refusal {
  const tag = given.trim()
  return pattern.test(tag) ? tag : invalid(field, 'must be one strong ETag, like "x1", or *')
}

/** What a command hears that has no one record to compare: to leave the condition out would be to write without it. */
export const takesNoIfMatch = (field: string): Refusal => invalid(field, 'is not taken by this endpoint')
