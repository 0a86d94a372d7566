/** An accountant's own codes: how a change of them applies, and which one an account has. Pure. */
import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import { type Account, accountNames } from '../accounts.ts'
import type { AccountingChange } from './schemas.ts'

type Named = { readonly code: string | null; readonly name: string | null }
export type Codes = {
  readonly accounts: Readonly<Record<Account, Named>>
  readonly categories: readonly { readonly category: string; readonly account: Account; readonly code: string }[]
}

const none: Named = { code: null, name: null }

/** The codes from the stored row; no codes where there is no row. */
export function codesOf(stored: { readonly accounts: string; readonly categories: string } | null): Codes {
  const accounts = stored === null ? {} : (JSON.parse(stored.accounts) as Partial<Record<Account, Named>>)
  const each = accountNames.map((account): [Account, Named] => [account, accounts[account] ?? none])
  return {
    accounts: Object.fromEntries(each) as Record<Account, Named>,
    categories: stored === null ? [] : (JSON.parse(stored.categories) as Codes['categories']),
  }
}

/** Refuses `validation_failed` for a category that names an account twice. */
export function changedCodes(before: Codes, { accounts = {}, categories }: AccountingChange): Codes | Refusal {
  const seen = new Set<string>()
  for (const [index, { category, account }] of (categories ?? []).entries()) {
    const key = `${account} ${category}`
    if (seen.has(key)) return invalid(`categories[${index}].category`, `has ${account} twice`)
    seen.add(key)
  }
  const each = accountNames.map((account): [Account, Named] => {
    const { code, name } = accounts[account] ?? {}
    const old = before.accounts[account]
    return [account, { code: code === undefined ? old.code : code, name: name === undefined ? old.name : name }]
  })
  return {
    accounts: Object.fromEntries(each) as Record<Account, Named>,
    categories: (categories ?? before.categories).map(({ category, account, code }) => ({ category, account, code })),
  }
}

/** The code of the category, else the code of the tenant for the account. */
export const codeOf = (codes: Codes, account: Account, category: string | null): string | null =>
  codes.categories.find(each => each.account === account && each.category === category)?.code ??
  codes.accounts[account].code
