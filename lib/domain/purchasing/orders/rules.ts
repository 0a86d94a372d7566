/**
 * Decides on new purchase orders: what their lines cost, and what they expect. Pure (docs/rules/purchasing.md).
 */

import { decideEach, invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { type ExchangeRate, parseExchangeRate } from '../../../platform/decimal.ts'
import { refuseCurrency } from '../../accounting/currencies.ts'
import { dateFault } from '../../stock/batch-rules.ts'
import { nameOf, overflow } from '../../stock/line-rules.ts'
import { holdsStock, orderedVariant, pricedLine } from '../../stock/order-line.ts'
import { adjustPlanned } from '../../stock/posting-rules.ts'
import { batchByNumber, positionOf, type Stock, type Variant } from '../../stock/stock.ts'
import type { Line, NewOrder, NewOrderItem } from './noun.ts'

/** The currency of an order, and the tenant's currency per unit of it. */
type OrderMoney = { readonly currency: string; readonly exchangeRate: ExchangeRate }

const ONE = parseExchangeRate('1')

/**
 * The order's money. Refuses `validation_failed` for an unknown currency, for a rate that is missing with a foreign one, and
 * for a rate other than 1 with the tenant's own.
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
 * The lines with their amounts; what they order is expected at `storagePlaceId` (null: without a place).
 * Refuses `validation_failed`: absent, archived and non-purchasable variants, batches where there are none, other dates than
 * a known batch has.
 */
export function decideLines(
  stock: Stock,
  order: {
    readonly currency: string
    readonly storagePlaceId: string | null
    readonly items: readonly NewOrderItem[]
  },
): readonly Line[] | Refusal {
  return decideEach(order.items, (item, index) => {
    const at = `items[${index}]`
    const variant = orderedVariant(stock, 'purchasable', { at, itemVariantId: item.item_variant_id })
    if (isRefusal(variant)) return variant
    const misplaced = refuseBatch(stock, { at, item, variant })
    if (misplaced !== null) return misplaced
    const line = {
      ...pricedLine(variant, { item, listPrice: variant.purchasePrice, currency: order.currency }),
      id: stock.takeId(),
      batch_number: item.batch_number,
      expiry_date: item.expiry_date,
      // Absent in a command that a server of the version before queued.
      expected_date: item.expected_date ?? null,
      is_open: true,
      received_quantity: 0n,
    }
    if (line.holds_stock) {
      const position = positionOf(stock, { itemVariantId: variant.id, storagePlaceId: order.storagePlaceId })
      if (adjustPlanned(stock, { position, expected: line.quantity }) !== null) return overflow(`${at}.quantity`)
    }
    return line
  })
}

/** A batch that is known already keeps its dates: better to say so now than when the goods are at the door. */
function refuseBatch(
  stock: Stock,
  { at, item, variant }: { readonly at: string; readonly item: NewOrderItem; readonly variant: Variant },
): Refusal | null {
  const { batch_number: number, expiry_date: expiryDate } = item
  if (!variant.batchTracked || !holdsStock(variant)) {
    if (number !== null) return invalid(`${at}.batch_number`, `${nameOf(variant)} is not batch-tracked`)
    if (expiryDate !== null) return invalid(`${at}.expiry_date`, 'is only for a batch')
    return null
  }
  const known = number === null ? undefined : batchByNumber(stock, variant.id, number)
  const fault = known === undefined ? null : dateFault(known, { manufactureDate: null, expiryDate })
  return fault === null ? null : invalid(`${at}.${fault.field}`, fault.reason)
}
