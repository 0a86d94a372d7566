/** Decides on the units of a purchase order's line, and on its default price. Pure (docs/rules/purchasing.md, "Purchase units"). */
import { invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import type { ConversionRate, Micro } from '../../../platform/decimal.ts'
import { nameOf } from '../../stock/line-rules.ts'
import type { Variant } from '../../stock/stock.ts'
import type { SupplierItem } from '../supplier-items/noun.ts'
import { ONE, priceOfOne, priceOfUnit, refusePrice, stockQuantity } from '../unit-rules.ts'
import type { Line, NewOrderItem, OrderItemChange } from './noun.ts'

/** Quantity and price of a line, in stock units and, for a line in purchase units, in those too. */
type Units = Pick<
  Line,
  'quantity' | 'purchase_quantity' | 'purchase_unit_name' | 'conversion_rate' | 'price' | 'purchase_price'
>

type Task = {
  /** The line's place in the body: `items[3]`. */
  readonly at: string
  readonly item: NewOrderItem
  readonly variant: Variant
  /** The supplier's item of the variant. */
  readonly supplied: SupplierItem | null
  readonly currency: string
}

const STOCK_UNITS = ['quantity', 'price'] as const
const PURCHASE_UNITS = ['purchase_quantity', 'purchase_price', 'conversion_rate', 'purchase_unit_name'] as const

/**
 * The units of a new line: stock units or purchase units. Refuses `validation_failed` for fields of both, no quantity, a quantity that
 * rounds to 0, and values beyond the limit.
 */
export function newUnits(task: Task): Units | Refusal {
  const { at, item } = task
  const own = STOCK_UNITS.find(name => item[name] !== undefined)
  const other = PURCHASE_UNITS.find(name => item[name] !== undefined)
  if (own !== undefined && other !== undefined)
    return invalid(`${at}.${other}`, `must not stand beside ${own}: a line is in stock units or in purchase units`)
  if (item.purchase_quantity != null) return inPurchaseUnits(task, item.purchase_quantity)
  if (other !== undefined) return invalid(`${at}.purchase_quantity`, `is required beside ${other}`)
  if (item.quantity === undefined) return invalid(`${at}.quantity`, 'is required, or purchase_quantity')
  return inStockUnits(task, item.quantity)
}

function inStockUnits({ at, item, variant, supplied, currency }: Task, quantity: Micro): Units | Refusal {
  const listed = priceOfItem(supplied, currency)
  const ofItem = supplied === null || listed === null ? null : priceOfOne(listed, supplied.conversion_rate)
  const price = item.price ?? ofItem ?? variant.purchasePrice ?? 0n
  const refused = refusePrice(price, `${at}.price`, nameOf(variant))
  if (refused) return refused
  return {
    quantity,
    purchase_quantity: null,
    purchase_unit_name: null,
    conversion_rate: ONE,
    price,
    purchase_price: null,
  }
}

function inPurchaseUnits({ at, item, variant, supplied, currency }: Task, units: Micro): Units | Refusal {
  const rate = item.conversion_rate ?? supplied?.conversion_rate ?? ONE
  const { purchase_unit_name: unitName = supplied?.purchase_unit_name ?? null } = item
  const quantity = stockQuantity(units, { rate, field: `${at}.purchase_quantity`, name: nameOf(variant) })
  if (isRefusal(quantity)) return quantity
  const ofItem = supplied?.conversion_rate === rate ? priceOfItem(supplied, currency) : null
  const ofVariant = variant.purchasePrice === null ? null : priceOfUnit(variant.purchasePrice, rate)
  const whole = item.purchase_price ?? ofItem ?? ofVariant ?? 0n
  const prices = pricesOf(whole, rate, { at, name: nameOf(variant) })
  if (isRefusal(prices)) return prices
  return { quantity, purchase_quantity: units, purchase_unit_name: unitName, conversion_rate: rate, ...prices }
}

type Named = { readonly at: string; readonly name: string }

/** The price of a purchase unit, with the price of one stock unit. */
function pricesOf(
  whole: Micro,
  rate: ConversionRate,
  { at, name }: Named,
): Pick<Line, 'price' | 'purchase_price'> | Refusal {
  const price = priceOfOne(whole, rate)
  const field = `${at}.purchase_price`
  return refusePrice(whole, field, name) ?? refusePrice(price, field, name) ?? { price, purchase_price: whole }
}

/** The item's price. It counts only in the item's currency, or in any currency if the item has none. */
const priceOfItem = (item: SupplierItem | null, currency: string): Micro | null =>
  item === null || (item.currency !== null && item.currency !== currency) ? null : item.price

/**
 * Quantity and price of a line after a change. `next` is the line with the changed fields, `change` is the body's entry. Rate and unit
 * stay. Refuses `validation_failed` for fields of the other kind of unit, and as `newUnits` does.
 */
export function changedUnits(
  next: Line,
  { at, change }: { readonly at: string; readonly change: OrderItemChange },
): Pick<Line, 'quantity' | 'price' | 'purchase_price'> | Refusal {
  const { quantity, price, purchase_quantity: units, purchase_price: whole, conversion_rate: rate } = next
  const isInPurchaseUnits = units !== null && whole !== null
  const [own, foreign] = isInPurchaseUnits
    ? (['purchase_quantity and purchase_price', ['quantity', 'price']] as const)
    : (['quantity and price', ['purchase_quantity', 'purchase_price']] as const)
  const wrong = foreign.find(name => change[name] !== undefined)
  if (wrong !== undefined)
    return invalid(
      `${at}.${wrong}`,
      `the line is in ${isInPurchaseUnits ? 'purchase' : 'stock'} units: ${own} change it`,
    )
  if (!isInPurchaseUnits) return { quantity, price, purchase_price: null }
  const name = nameOf(next)
  const changed = stockQuantity(units, { rate, field: `${at}.purchase_quantity`, name })
  if (isRefusal(changed)) return changed
  const prices = pricesOf(whole, rate, { at, name })
  return isRefusal(prices) ? prices : { quantity: changed, ...prices }
}
