/**
 * The totals of a sales order: taxes that are rounded once for the whole order, the sums, and the total that a caller expects. Pure: no I/O
 * and no clock (docs/rules/sales.md, "Amounts").
 */
import { invalid, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { formatCost, formatMicro, type Micro } from '../../../platform/decimal.ts'
import { orderTaxes } from '../../accounting/amounts-rules.ts'
import { type Amount, asAmount, asPrice } from '../../accounting/money.ts'
import { lineTotals } from '../../stock/order-line.ts'
import { type Charge, type Line, type Order, totalMismatch } from './noun.ts'
import { ruleOf, type Terms } from './tax-rules.ts'

type Entries = Pick<Order, 'items' | 'charges'>

/** An order's lines and charges with their taxes, and the order's totals. An entry that does not change is the same object. */
export function withTotals(terms: Terms, entries: Entries) {
  const { items, charges } = terms.tax_rounding === 'ORDER' ? roundedTogether(terms, entries) : entries
  return { items, charges, ...lineTotals([...items, ...charges.map(amountsOfCharge)]) }
}

const amountsOfCharge = ({ amount, tax_amount }: Charge) => ({
  line_amount: asAmount(amount),
  line_tax_amount: asAmount(tax_amount),
})

function roundedTogether(terms: Terms, { items, charges }: Entries): Entries {
  const all = [...items, ...charges.map(charge => ({ ...amountsOfCharge(charge), tax_rate: charge.tax_rate }))]
  const entries = all.map(({ line_amount: amount, line_tax_amount: tax, tax_rate: rate }) => ({
    price: terms.prices_include_tax ? amount + tax : amount,
    rate,
  }))
  const taxes = orderTaxes(entries, ruleOf(terms))
  const amountsAt = (index: number) => {
    const [price, tax] = [entries[index]?.price ?? 0n, taxes[index] ?? 0n]
    return { amount: terms.prices_include_tax ? price - tax : price, tax }
  }
  return {
    items: items.map((line, index) => withTax(line, amountsAt(index))),
    charges: charges.map((charge, index) => chargeWithTax(charge, amountsAt(items.length + index))),
  }
}

type Counted = { readonly amount: Amount; readonly tax: Amount }

const withTax = (line: Line, { amount, tax }: Counted): Line =>
  tax === line.line_tax_amount ? line : { ...line, line_amount: amount, line_tax_amount: tax }

const chargeWithTax = (charge: Charge, { amount, tax }: Counted): Charge =>
  asPrice(tax) === charge.tax_amount
    ? charge
    : { ...charge, amount: asPrice(amount), tax_amount: asPrice(tax), amount_with_tax: asPrice(amount + tax) }

/**
 * Refuses `validation_failed` for a total below 0, and `total_mismatch` for a total other than `expected` (null or undefined: the caller
 * expects none).
 */
export function refuseTotal(
  order: Entries & Pick<Order, 'total_amount' | 'tax_amount'>,
  expected: Micro | null | undefined,
): Refusal | null {
  const total = order.total_amount + order.tax_amount
  if (total < 0n)
    return invalid('charges', `the order would come to ${formatCost(total)} with tax: it must be 0 or more`)
  if (expected == null || expected === asPrice(total)) return null
  const parts = [
    ...order.items.map((line, at) => `items[${at}] ${formatCost(line.line_amount + line.line_tax_amount)}`),
    ...order.charges.map((charge, at) => `charges[${at}] ${formatMicro(charge.amount_with_tax)}`),
  ]
  return refuse(
    totalMismatch,
    `expected_total_amount_with_tax: the order comes to ${formatCost(total)}, not to ${formatMicro(expected)}: ${parts.join(', ')}`,
  )
}
