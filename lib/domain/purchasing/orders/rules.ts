/** Decides on new purchase orders: the amounts of their lines, and the stock that they expect. Pure (docs/rules/purchasing.md). */

import { decideEach, invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { type ExchangeRate, parseExchangeRate } from '../../../platform/decimal.ts'
import { refuseCurrency } from '../../accounting/currencies.ts'
import { overflow } from '../../stock/line-rules.ts'
import { adjustPlanned } from '../../stock/posting-rules.ts'
import { positionOf } from '../../stock/stock.ts'
import { type LineFacts, newLine } from './line-rules.ts'
import type { Line, NewOrder, NewOrderItem } from './noun.ts'

/** The currency of an order, and the tenant's currency per unit of it. */
type OrderMoney = { readonly currency: string; readonly exchangeRate: ExchangeRate }

const ONE = parseExchangeRate('1')

/**
 * The order's money. Refuses `validation_failed` for an unknown currency, for a foreign currency without a rate, and for a rate other than
 * 1 with the tenant's own currency.
 */
export function decideMoney(
  { currency = '', exchange_rate: given }: Pick<NewOrder, 'currency' | 'exchange_rate'>,
  tenantCurrency: string,
): OrderMoney | Refusal {
  if (currency === '' || currency === tenantCurrency) {
    if (given !== undefined && given !== ONE)
      return invalid('exchange_rate', `must be 1 in the tenant's own currency, ${tenantCurrency}`)
    return { currency: tenantCurrency, exchangeRate: ONE }
  }
  const unknown = refuseCurrency(currency)
  if (unknown) return unknown
  if (given === undefined)
    return invalid('exchange_rate', `is required, since the tenant's currency is ${tenantCurrency}`)
  return { currency, exchangeRate: given }
}

/**
 * The lines with their amounts. Their quantities are expected at `storagePlaceId` (null: without a place). Refuses `validation_failed` as
 * `newLine` does, and for a stock beyond the limit.
 */
export function decideLines(
  facts: LineFacts,
  order: {
    readonly currency: string
    readonly storagePlaceId: string | null
    readonly items: readonly NewOrderItem[]
  },
): readonly Line[] | Refusal {
  return decideEach(order.items, (item, index) => {
    const at = `items[${index}]`
    const line = newLine(facts, { at, item, currency: order.currency })
    if (isRefusal(line)) return line
    if (line.holds_stock) {
      const position = positionOf(facts.stock, {
        itemVariantId: line.item_variant_id,
        storagePlaceId: order.storagePlaceId,
      })
      if (adjustPlanned(facts.stock, { position, expected: line.quantity }) !== null) return overflow(`${at}.quantity`)
    }
    return line
  })
}
