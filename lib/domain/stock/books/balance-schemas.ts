/** The query and the answer of balances. */
import * as v from 'valibot'
import { date, offsetTimestamp, oneOf, optional, shape } from '../../../kit/api/fields.ts'
import * as reply from '../../../kit/api/reply-fields.ts'
import { accounts } from '../../accounting/accounts.ts'

const bys = {
  account: 'the accounts as a whole',
  category: 'by the category of the product, as it was posted',
  place: 'by storage place',
  reason: 'STOCK_ADJUSTMENT by the reason of the adjustment',
} as const

export const BalanceQuery = shape({
  through: optional(reply.explained(date(), 'the last day that counts; this or `posted_through` is required')),
  posted_through: optional(
    reply.explained(
      offsetTimestamp(),
      'instead of `through`: what had been posted by then, inclusive; not in the future',
    ),
  ),
  from: optional(
    reply.explained(date(), 'with `through`: the first day of the period; without it all days before are in it'),
  ),
  by: optional(reply.explained(oneOf(bys), 'how accounts are split; `account` unless given')),
})
export type BalanceQuery = v.InferOutput<typeof BalanceQuery>

const amount = (words: string) => reply.explained(reply.decimal(4), words)
const sums = {
  opening: amount('before `from`; 0 without it. Debit above 0'),
  debit: amount('what the period debited'),
  credit: amount('what the period credited'),
  closing: amount('opening + debit - credit'),
  opening_rounded: amount('the rounded closing of the day before `from`; 0 without it'),
  net_rounded: amount('closing_rounded - opening_rounded: what to book for the period'),
  closing_rounded: amount('closing in the minor unit of the currency; VALUATION_DIFFERENCE takes what is left'),
}

export const AccountBalances = reply.named(
  'AccountBalances',
  shape({
    currency: reply.explained(reply.plainText(), 'of the tenant'),
    from: reply.orNull(reply.explained(reply.day(), 'as asked')),
    through: reply.orNull(reply.explained(reply.day(), 'as asked')),
    posted_through: reply.orNull(reply.explained(reply.instant(), 'as asked')),
    rows: reply.explained(
      v.array(
        shape({
          account: reply.choice(accounts),
          account_code: reply.orNull(
            reply.explained(reply.plainText(), "the accountant's, that of the category where there is one"),
          ),
          category: reply.orNull(reply.explained(reply.plainText(), 'with `by=category`; null: none')),
          storage_place_id: reply.orNull(reply.explained(reply.idText(), 'with `by=place`; null: none')),
          reason: reply.orNull(reply.explained(reply.plainText(), 'with `by=reason`, of STOCK_ADJUSTMENT')),
          ...sums,
        }),
      ),
      'in the order of the accounts, then of category, place or reason, null first; VALUATION_DIFFERENCE is always there',
    ),
    totals: reply.explained(shape(sums), 'the sums of the rows'),
  }),
)
