/** Reads `If-Match`: the record's version that the caller knows (docs/rules/requests.md, "Conditional requests"). */
import { invalid, type Refusal } from './errors.ts'

/** One strong entity tag of RFC 9110, or `*`. */
const pattern = /^(?:\*|"[\x21\x23-\x7e\x80-\xff]*")$/

/** The entity tag, or `*` for any existing record. Else a refusal `validation_failed` of the field `field`. */
export function readIfMatch(field: string, given: string): string | Refusal {
  const tag = given.trim()
  return pattern.test(tag) ? tag : invalid(field, 'must be one strong ETag, like "x1", or *')
}

/** Refuses `If-Match` for a command without a single record to compare. A write that ignores the condition would be unconditional. */
export const takesNoIfMatch = (field: string): Refusal => invalid(field, 'is not taken by this endpoint')
