/** Reads `If-Match`: the record's version that the caller knows (docs/rules/requests.md, "Conditional requests"). */
import { invalid, type Refusal } from './errors.ts'

/** One strong entity tag of RFC 9110, or `*`. */
const pattern = /^(?:\*|"[\x21\x23-\x7e\x80-\xff]*")$/

/** The entity tag, or `*` for any existing record; else `validation_failed` for the field `field`. */
export function readIfMatch(field: string, given: string): string | Refusal {
  const tag = given.trim()
  return pattern.test(tag) ? tag : invalid(field, 'must be one strong ETag, like "x1", or *')
}

/** The refusal of a command without a single record to compare: to ignore the condition would be to write without it. */
export const takesNoIfMatch = (field: string): Refusal => invalid(field, 'is not taken by this endpoint')
