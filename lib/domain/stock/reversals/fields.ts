/** The fields of documents that can be reversed, and the filters of their lists (docs/rules/stock.md, "Reversals"). */
import { queryFlag } from '../../../kit/api/fields.ts'
import { changes, flagged } from '../../../kit/api/list-filters.ts'
import { explained } from '../../../kit/api/reply-fields.ts'
import { flag, instant, text } from '../../../kit/fields/kinds.ts'

export const reversalFields = {
  updated_at: instant(),
  /** Follows from `reversed_at`. The filter uses it. */
  reversed: flag().hidden(),
  reversed_at: instant().words('the date of its reversal; null: it is not reversed').orNull(),
  reversal_reason: text().words('why it was reversed').orNull(),
  reversed_by_user_name: text()
    .words('the user named by the key that reversed it; null for a key issued without a name')
    .orNull(),
}

export const reversalFilters = {
  reversed: { ...flagged(), schema: explained(queryFlag(), 'whether it was reversed') },
  ...changes,
}

/** The fields of a new document. */
export const notReversed = (now: string) => ({
  updated_at: now,
  reversed: false,
  reversed_at: null,
  reversal_reason: null,
  reversed_by_user_name: null,
})

/** Every document that can be reversed declares this kind of movement. */
export const REVERSAL = { REVERSAL: 'the document was reversed' } as const
