/** The endpoint of balances. balance-queries.ts has its SQL, balance-rules.ts the calculation. */
import { defineRead, type Json } from '../../../kit/api/endpoint.ts'
import { invalid } from '../../../kit/api/errors.ts'
import { formatCost } from '../../../platform/decimal.ts'
import { readCodes } from '../../accounting/codes/endpoints.ts'
import { type Codes, codeOf } from '../../accounting/codes/rules.ts'
import { minorUnitDigits } from '../../accounting/currencies.ts'
import { booksTag } from '../../accounting/tag.ts'
import { lastCommandAt } from '../valuation/queries.ts'
import { currencyOf, turnoversOf } from './balance-queries.ts'
import { type Balance, balancesOf, type Sums, sums } from './balance-rules.ts'
import { AccountBalances, BalanceQuery } from './balance-schemas.ts'
import type { Split } from './lines.ts'

export const getAccountBalances = defineRead({
  id: 'getAccountBalances',
  path: '/account-balances',
  tag: booksTag,
  scope: 'read:accounting',
  summary: 'Read what the accounts have',
  description:
    'What each account had before `from`, what the period debited and credited, and what it has: exact, and in the minor unit of the ' +
    'currency. Each rounded column adds up to 0, because VALUATION_DIFFERENCE takes what is left. Whoever books `net_rounded` of one period ' +
    'after another has balanced books that are never further than half a minor unit from the exact ones, in any other row. Rounded rows of ' +
    'two different `by` do not add up: keep to one. Documents dated out of order may make the balance of a day negative. INVENTORY ' +
    '`posted_through` a moment is the sum of `GET /stock-valuation` as of it, WORK_IN_PROGRESS that of the `wip_cost` of the orders.',
  query: BalanceQuery,
  exampleQuery: { through: '2026-10-31' },
  refusals: [],
  reply: AccountBalances,
  tagged: true,
  handle: async ({ pool, tenantId, now }, { query }) => {
    const { through, posted_through: moment, from, by = 'account' } = query
    if ((through === undefined) === (moment === undefined))
      return invalid('through', 'name it, or posted_through, and not both')
    if (from !== undefined && through === undefined) return invalid('from', 'goes with through')
    if (from !== undefined && through !== undefined && from > through)
      return invalid('from', 'must not be after through')
    // The database's clock, which dates commands, may be ahead of this server's clock. A time up to the last command is allowed.
    if (moment !== undefined && moment > now && moment > ((await lastCommandAt(pool, tenantId)) ?? now))
      return invalid('posted_through', 'must not be in the future')
    const until = through === undefined ? { moment: moment ?? now } : { day: through }
    const currency = await currencyOf(pool, tenantId)
    const codes = await readCodes(pool, tenantId)
    const moved = await turnoversOf(pool, { tenantId, split: by, from, until })
    const { rows, totals } = balancesOf(moved, minorUnitDigits(currency))
    const head = { currency, from: from ?? null, through: through ?? null, posted_through: moment ?? null }
    return `{${textsOf(head)},"rows":[${rows.map(row => rowJson(row, by, codes)).join(',')}],"totals":{${sumsOf(totals)}}}`
  },
})

const textsOf = (texts: Readonly<Record<string, string | null>>): string =>
  Object.entries(texts)
    .map(([name, text]) => `${JSON.stringify(name)}:${JSON.stringify(text)}`)
    .join(',')

const sumsOf = (of: Sums): string => sums.map(name => `"${name}":${formatCost(of[name])}`).join(',')

function rowJson(row: Balance, by: Split, codes: Codes): Json {
  const part = (split: Split) => (by === split && row.part !== '' ? row.part : null)
  const names = {
    account: row.account,
    account_code: codeOf(codes, row.account, part('category')),
    category: part('category'),
    storage_place_id: part('place'),
    reason: part('reason'),
  }
  return `{${textsOf(names)},${sumsOf(row)}}`
}
