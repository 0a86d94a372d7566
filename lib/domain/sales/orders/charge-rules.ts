/** What a sales order costs beside its goods, and what it comes to in all. Pure: no I/O and no clock (docs/rules/sales.md, "Charges"). */
import { asAmount, asPrice, chargeAmounts } from '../../accounting/money.ts'
import { lineTotals } from '../../stock/order-line.ts'
import type { Charge, Line, NewCharge, Order } from './noun.ts'

/** The charges of a body, in its order, each with a fresh id. */
export const newCharges = (
  charges: readonly NewCharge[],
  { currency, takeId }: { readonly currency: string; readonly takeId: () => string },
): readonly Charge[] =>
  charges.map(({ title, amount: asked, tax_rate }) => {
    const { amount, taxAmount } = chargeAmounts({ amount: asked, taxRate: tax_rate, currency })
    return { id: takeId(), title, amount: asPrice(amount), tax_rate, tax_amount: asPrice(taxAmount) }
  })

/** The charges after a change, which replaces all of them; the same ones where the change names what is there. */
export function changedCharges(
  { charges: before, currency }: Order,
  charges: readonly NewCharge[] | undefined,
  takeId: () => string,
): readonly Charge[] {
  if (charges === undefined) return before
  const after = newCharges(charges, { currency, takeId })
  const isSame = after.length === before.length && after.every((charge, at) => isSameCharge(charge, before[at]))
  return isSame ? before : after
}

const isSameCharge = (one: Charge, other: Charge | undefined): boolean =>
  one.title === other?.title && one.amount === other.amount && one.tax_rate === other.tax_rate

/** The totals of an order: sums over its lines and charges. */
export const orderTotals = ({
  items,
  charges,
}: {
  readonly items: readonly Line[]
  readonly charges: readonly Charge[]
}) =>
  lineTotals([
    ...items,
    ...charges.map(({ amount, tax_amount }) => ({
      line_amount: asAmount(amount),
      line_tax_amount: asAmount(tax_amount),
    })),
  ])
