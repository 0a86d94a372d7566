/** What a command books without movements, and the accounts of each command's entry. Pure: no I/O and no clock (docs/rules/books.md). */

import type { Cost } from '../../platform/decimal.ts'
import { type Account, bitOf, otherSides } from '../accounting/accounts.ts'
import { type BookLine, type Cause, positionKey, type Stock, type Where } from './stock.ts'

/** Debits an amount (credits it below 0) to an account, in the entry of the current command. An amount of 0 makes no line. */
function line(stock: Stock, line: Omit<BookLine, 'command'>): void {
  if (line.amount === 0n) return
  stock.bookLines.push({ ...line, command: stock.command })
  stock.undo(() => stock.bookLines.pop())
}

/** Debits one account and credits the other, for a variant at a place. An amount below 0 swaps the sides. */
export function book(
  stock: Stock,
  cause: Cause,
  entry: { readonly debit: Account; readonly credit: Account; readonly where: Where; readonly amount: Cost },
): void {
  const { debit, credit, where, amount } = entry
  line(stock, { cause, account: debit, where, amount })
  line(stock, { cause, account: credit, where, amount: -amount })
}

/**
 * Books the value that a reversal moved otherwise than its document. The other side gets the document's value, VALUATION_DIFFERENCE the
 * rest.
 * @param amount the value that was to leave, less the value that left
 */
export function bookDifference(stock: Stock, cause: Cause, { where, amount }: { where: Where; amount: Cost }): void {
  const account = otherSides[cause.sourceType]
  if (account === undefined) return
  line(stock, { cause, account, where, amount })
  line(stock, { cause, account: 'VALUATION_DIFFERENCE', where: null, amount: -amount })
}

/** Of an entry: its accounts as bits, and the number of its movements. */
export type Entry = { readonly accounts: number; readonly movements: number }

/** The entry of each command that has lines. Debit and credit of an account are netted by variant and place, as readers see them. */
export function entriesOf({ movements, bookLines }: Stock): ReadonlyMap<number, Entry> {
  const sums = new Map<number, Map<string, { readonly account: Account; amount: Cost }>>()
  const counts = new Map<number, number>()
  const add = (command: number, account: Account, where: Where | null, amount: Cost) => {
    const lines = sums.get(command) ?? new Map<string, { readonly account: Account; amount: Cost }>()
    sums.set(command, lines)
    const key = `${account} ${where === null ? '' : positionKey(where)}`
    const line = lines.get(key) ?? { account, amount: 0n }
    lines.set(key, line)
    line.amount += amount
  }
  for (const { command, cause, position, value } of movements) {
    counts.set(command, (counts.get(command) ?? 0) + 1)
    add(command, 'INVENTORY', position, value)
    const other = otherSides[cause.sourceType]
    if (other !== undefined) add(command, other, position, -value)
  }
  for (const { command, account, where, amount } of bookLines) add(command, account, where, amount)
  const entries = new Map<number, Entry>()
  for (const [command, lines] of sums) {
    const accounts = [...lines.values()].reduce(
      (bits, { account, amount }) => (amount === 0n ? bits : bits | bitOf(account)),
      0,
    )
    if (accounts !== 0) entries.set(command, { accounts, movements: counts.get(command) ?? 0 })
  }
  return entries
}
