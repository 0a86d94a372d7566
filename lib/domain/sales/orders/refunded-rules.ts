/**
 * The limit of a change of an order: returns have refunded parts of its lines and charges. Pure: no I/O and no clock (docs/rules/sales.md,
 * "Refunds").
 */
import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import { formatCost } from '../../../platform/decimal.ts'
import type { Amount } from '../../accounting/money.ts'
import type { Refund } from '../../accounting/refund-rules.ts'
import { chargedFor, type Refunded } from '../returns/refunded.ts'
import type { Line, Order, OrderChange } from './noun.ts'

type Change = { readonly before: Order; readonly after: Order; readonly body: OrderChange }

/**
 * Refuses `validation_failed` if a change leaves a line, or the order, with less than its returns refunded, and for other charges while a
 * return refunds one. Cancelled returns do not count.
 */
export function refuseBelowRefunds(refunded: Refunded, change: Change): Refusal | null {
  const { before, after } = change
  if (refunded.namesCharge !== null && isReplaced(change))
    return invalid(
      'charges',
      `the sales return ${refunded.namesCharge} refunds some of them: they must stay as they are`,
    )
  for (const line of before.items) {
    const held = refunded.lines.get(line.id)
    const next = after.items.find(({ id }) => id === line.id)
    const refused = held === undefined ? null : refuseLine(change, { line, next, held })
    if (refused !== null) return refused
  }
  // Without charges below 0 the total is never less than the lines and charges, which are checked above.
  const total = after.total_amount + after.tax_amount
  if (total >= refunded.total || after.charges.every(({ amount }) => amount >= 0n)) return null
  return invalid(
    'charges',
    `the order would come to ${formatCost(total)}: returns refund ${formatCost(refunded.total)}`,
  )
}

/** Charges that stay keep their ids, also if their taxes are rounded again. */
const isReplaced = ({ before, after }: Change): boolean =>
  after.charges.length !== before.charges.length || after.charges.some(({ id }, at) => id !== before.charges[at]?.id)

function refuseLine(
  { before, after, body }: Change,
  { line, next, held }: { readonly line: Line; readonly next: Line | undefined; readonly held: Refund },
): Refusal | null {
  const left = next === undefined ? { amount: 0n, taxAmount: 0n } : chargedFor(next)
  const [least, most] = [counted(held), counted(left)]
  if (least.every((amount, at) => amount <= (most[at] ?? 0n))) return null
  const entry = body.items?.findIndex(({ id }) => id === line.id) ?? -1
  const words = ({ amount, taxAmount }: Refund) => `${formatCost(amount)} and ${formatCost(taxAmount)} of tax`
  return invalid(
    entry === -1 ? 'items' : `items[${entry}]`,
    `leaves ${words(left)} of the line: returns refund ${words(held)}`,
  )

  /** A tax that is rounded together with others may fall below the refunded tax. */
  function counted({ amount, taxAmount }: Refund): readonly Amount[] {
    const isMoved = after.tax_rounding === 'ORDER' && next?.tax_rate === line.tax_rate
    if (!isMoved) return [amount, taxAmount]
    return [before.prices_include_tax ? amount + taxAmount : amount]
  }
}
