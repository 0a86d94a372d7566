/** Balances of accounts, rounded so that accountants can book them. Pure: no I/O and no clock (docs/rules/books.md). */
import { COST_PLACES, type Cost, divideRounded, powerOfTen } from '../../../platform/decimal.ts'
import { type Account, accountNames } from '../../accounting/accounts.ts'

/** An account or a part of it: its balance before the period, and its movement in the period. Debit is above 0. */
export type Moved = {
  readonly account: Account
  /** Empty: the account is not split. */
  readonly part: string
  /** Whether the part is the id of a place. */
  readonly isPlace?: boolean
  readonly opening: Cost
  readonly debit: Cost
  readonly credit: Cost
}

export const sums = [
  'opening',
  'debit',
  'credit',
  'closing',
  'opening_rounded',
  'net_rounded',
  'closing_rounded',
] as const
export type Sums = Readonly<Record<(typeof sums)[number], Cost>>
export type Balance = Sums & Pick<Moved, 'account' | 'part' | 'isPlace'>

/**
 * The balances by account, then by part. Each is rounded to the minor unit. VALUATION_DIFFERENCE without a part gets the rest, so that each
 * rounded column adds up to 0.
 * @param digits decimals of the currency's minor unit
 */
export function balancesOf(
  moved: readonly Moved[],
  digits: number,
): { readonly rows: readonly Balance[]; readonly totals: Sums } {
  const unit = powerOfTen(COST_PLACES - digits)
  const rounded = (value: Cost): Cost => divideRounded(value, unit) * unit
  const isRest = ({ account, part }: Pick<Moved, 'account' | 'part'>) =>
    account === 'VALUATION_DIFFERENCE' && part === ''
  const rest = moved.find(isRest) ?? { account: 'VALUATION_DIFFERENCE', part: '', opening: 0n, debit: 0n, credit: 0n }
  const others = moved
    .filter(each => !isRest(each))
    .map(each => balanceOf(each, rounded(each.opening), rounded(closingOf(each))))
  const left = (column: 'opening_rounded' | 'closing_rounded'): Cost =>
    -others.reduce((sum, each) => sum + each[column], 0n)
  const rows = [...others, balanceOf(rest, left('opening_rounded'), left('closing_rounded'))].sort(inOrder)
  const total = (column: (typeof sums)[number]): Cost => rows.reduce((sum, each) => sum + each[column], 0n)
  return { rows, totals: Object.fromEntries(sums.map(column => [column, total(column)])) as Sums }
}

const closingOf = ({ opening, debit, credit }: Moved): Cost => opening + debit - credit

const balanceOf = (moved: Moved, opening: Cost, closing: Cost): Balance => ({
  ...moved,
  closing: closingOf(moved),
  opening_rounded: opening,
  net_rounded: closing - opening,
  closing_rounded: closing,
})

/** Ids of places sort by length, then by digits; texts sort by their code units; an empty part is first. */
function inOrder(a: Balance, b: Balance): number {
  const byAccount = accountNames.indexOf(a.account) - accountNames.indexOf(b.account)
  if (byAccount !== 0 || a.part === b.part) return byAccount
  const byLength = a.isPlace && b.isPlace ? a.part.length - b.part.length : 0
  return byLength !== 0 ? byLength : a.part < b.part ? -1 : 1
}
