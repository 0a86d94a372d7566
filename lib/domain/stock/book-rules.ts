/**
 * What a command books beside its movements, and which accounts the entry of each command has. Pure: no I/O and no clock
 * (docs/rules/books.md).
 */

import type { Cost } from '../../platform/decimal.ts'
import { type Account, bitOf, otherSides } from '../accounting/accounts.ts'
import { type BookLine, type Cause, positionKey, type Stock, type Where } from './stock.ts'

/** Debits an amount (credits it below 0) to an account, in the entry of the command under way. 0 is no line. */
function line(stock: Stock, line: Omit<BookLine, 'command'>): void {
  if (line.amount === 0n) return
  stock.bookLines.push({ ...line, command: stock.command })
  stock.undo(() => stock.bookLines.pop())
}

/** Debits one account and credits the other, of a variant at a place. Below 0 the sides are swapped. */
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
 * Books what a reversal moved otherwise than its document: the other side gets what the document's had, and VALUATION_DIFFERENCE the rest.
 * @param amount the value that was to leave less the value that left
 */
export function bookDifference(stock: Stock, cause: Cause, { where, amount }: { where: Where; amount: Cost }): void {
  const account = otherSides[cause.sourceType]
  if (account === undefined) return
  line(stock, { cause, account, where, amount })
  line(stock, { cause, account: 'VALUATION_DIFFERENCE', where: null, amount: -amount })
}

/** Of an entry: its accounts, one bit each, and how many movements it has. */
export type Entry = { readonly accounts: number; readonly movements: number }

/** The entry of each command that has lines. Both sides of an account are netted by variant and place, as readers see them. */
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
