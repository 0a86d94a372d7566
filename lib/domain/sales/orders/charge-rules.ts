/** The charges of a sales order, such as shipping. Pure: no I/O and no clock (docs/rules/sales.md, "Charges"). */
import { decideEach, invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { rounded } from '../../accounting/amounts-rules.ts'
import { asPrice } from '../../accounting/money.ts'
import { type Charge, type NewCharge, SalesOrderCharge } from './noun.ts'
import { sentTaxes, type Terms, taxed } from './tax-rules.ts'

/** The body's field for the amount of a charge, which follows from the price mode of the order. */
const amountFields = (terms: Terms) =>
  terms.prices_include_tax
    ? ({ own: 'amount_with_tax', other: 'amount', prices: 'with' } as const)
    : ({ own: 'amount', other: 'amount_with_tax', prices: 'without' } as const)

/**
 * The charges of a body, in its order, each with a new id. Refuses `validation_failed` for an amount that is missing or of the other price
 * mode, and as `taxed` does.
 */
export const newCharges = (
  charges: readonly NewCharge[],
  { terms, takeId }: { readonly terms: Terms; readonly takeId: () => string },
): readonly Charge[] | Refusal =>
  decideEach(charges, (charge, index) => {
    const at = `charges[${index}]`
    const { own, other, prices } = amountFields(terms)
    if (charge[other] !== undefined)
      return invalid(`${at}.${other}`, `the prices of the order are ${prices} tax: give ${own}`)
    const asked = charge[own]
    if (asked === undefined) return invalid(`${at}.${own}`, 'is required')
    const price = rounded(asked, terms.currency)
    const said = sentTaxes(charge) ?? { tax_rate: 0n, taxes: [] }
    const amounts = taxed({ at, price, terms }, said)
    if (isRefusal(amounts)) return amounts
    return {
      id: takeId(),
      title: charge.title,
      amount: asPrice(amounts.amount),
      tax_rate: said.tax_rate,
      taxes: amounts.taxes,
      tax_amount: asPrice(amounts.taxAmount),
      amount_with_tax: asPrice(amounts.amount + amounts.taxAmount),
      external_ref: charge.external_ref,
    }
  })

/** The charges after a change, which replaces all of them. Returns the same list if they do not change. Refuses as `newCharges` does. */
export function changedCharges(
  before: readonly Charge[],
  charges: readonly NewCharge[] | undefined,
  task: { readonly terms: Terms; readonly takeId: () => string },
): readonly Charge[] | Refusal {
  if (charges === undefined) return before
  const after = newCharges(charges, task)
  if (isRefusal(after)) return after
  const { own } = amountFields(task.terms)
  const isSame = (one: Charge, other: Charge | undefined): boolean =>
    other !== undefined &&
    one.title === other.title &&
    one[own] === other[own] &&
    one.tax_rate === other.tax_rate &&
    one.external_ref === other.external_ref &&
    SalesOrderCharge.fields.taxes.same?.(one.taxes, other.taxes) !== false
  return after.length === before.length && after.every((charge, at) => isSame(charge, before[at])) ? before : after
}
