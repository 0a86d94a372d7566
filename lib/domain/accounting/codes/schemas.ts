/** An accountant's own codes and names of the accounts: what is sent, and what is shown. */
import * as v from 'valibot'
import { clearable, code, list, oneOf, optional, shape, text } from '../../../kit/api/fields.ts'
import * as reply from '../../../kit/api/reply-fields.ts'
import { type Account, accountNames, accounts } from '../accounts.ts'

const CATEGORIES_MAX = 1_000

/** Makes one value for each account. */
const ofEach = <T>(make: (account: Account) => T): Record<Account, T> =>
  Object.fromEntries(accountNames.map(account => [account, make(account)])) as Record<Account, T>

export const AccountingChange = shape({
  accounts: optional(
    reply.explained(
      shape(
        ofEach(account =>
          optional(
            reply.explained(
              shape({
                code: clearable(reply.explained(code(), 'shown as `account_code`')),
                name: clearable(reply.explained(text(), 'as the accountant calls it')),
              }),
              accounts[account],
            ),
          ),
        ),
      ),
      'by account: what is omitted stays, null clears',
    ),
  ),
  categories: optional(
    reply.explained(
      list(
        shape({
          category: reply.explained(text(), 'of products'),
          account: oneOf(accounts),
          code: reply.explained(code(), 'in place of that of the account'),
        }),
        { min: 0, max: CATEGORIES_MAX },
      ),
      'codes of accounts for products of a category, in place of the account; they replace those before',
    ),
  ),
})
export type AccountingChange = v.InferOutput<typeof AccountingChange>

export const Accounting = reply.named(
  'Accounting',
  shape({
    accounts: reply.explained(
      shape(
        ofEach(account =>
          reply.explained(
            shape({
              code: reply.orNull(reply.explained(reply.plainText(), 'shown as `account_code`')),
              name: reply.orNull(reply.explained(reply.plainText(), 'as the accountant calls it')),
            }),
            accounts[account],
          ),
        ),
      ),
      'by account',
    ),
    categories: reply.explained(
      v.array(
        shape({
          category: reply.explained(reply.plainText(), 'of products'),
          account: reply.choice(accounts),
          code: reply.explained(reply.plainText(), 'in place of that of the account'),
        }),
      ),
      'in the order sent',
    ),
  }),
)
