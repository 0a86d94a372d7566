/** The filters of the journal. */
import type * as v from 'valibot'
import { type Choices, date, oneOf, optional, shape, someIds, timestamp } from '../../../kit/api/fields.ts'
import { explained } from '../../../kit/api/reply-fields.ts'
import { accounts } from '../../accounting/accounts.ts'

export const journalFilters = (sources: Choices) =>
  shape({
    day_from: optional(explained(date(), 'that count on this day or later')),
    day_to: optional(explained(date(), 'that count on this day or earlier')),
    created_after: optional(explained(timestamp(), 'created at or after this')),
    created_before: optional(explained(timestamp(), 'created before this')),
    source_type: optional(oneOf(sources)),
    source_id: optional(someIds()),
    account: optional(explained(oneOf(accounts), 'entries with a line of this account; they are shown whole')),
  })
export type JournalFilters = v.InferOutput<ReturnType<typeof journalFilters>>
