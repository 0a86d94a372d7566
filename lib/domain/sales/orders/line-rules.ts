/** Decides on new and changed lines of sales orders: their defaults and amounts. Pure: no I/O and no clock (docs/rules/sales.md). */

import { decideEach, invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { merged } from '../../../kit/documents/merging.ts'
import { isGiven } from '../../../kit/fields/taxes.ts'
import { each, formatMicro } from '../../../platform/decimal.ts'
import { discountAmountMax, priceOf } from '../../accounting/amounts-rules.ts'
import { asPrice } from '../../accounting/money.ts'
import type { Place } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import { orderedVariant, variantFields } from '../../stock/order-line.ts'
import type { Stock, Variant } from '../../stock/stock.ts'
import { changedComponents, newComponents } from './component-rules.ts'
import { type Line, type NewOrderItem, type OrderItemChange, SalesOrderItem } from './noun.ts'
import { lesser } from './quantity-rules.ts'
import { refuseTaxes, sentTaxes, type Terms, taxed } from './tax-rules.ts'

/** The data that lines depend on: the stock with their variants, and the places that the body names. */
export type LineFacts = {
  readonly stock: Stock
  readonly places: ReadonlyMap<string, Place>
  readonly mainPlace: Place | null
}

/** `at` is the line's place in the body: `items[3]`. */
type Standing = { readonly at: string; readonly storagePlaceId: string | null }

function refuseStanding({ places, mainPlace }: LineFacts, { at, storagePlaceId }: Standing): Refusal | null {
  if (storagePlaceId === null) return null
  const place = storagePlaceId === mainPlace?.id ? mainPlace : places.get(storagePlaceId)
  return refusePlace(`${at}.storage_place_id`, place, 'sales')
}

/** A new line of an order or of a hold. `at` is its place in the body. */
type Named = {
  readonly at: string
  readonly item: { readonly item_variant_id: string; readonly storage_place_id?: string | null | undefined }
}

/**
 * The variant of a new line, and its place: the one that the line names, else the main place. Refuses `validation_failed` for an absent,
 * archived or non-sellable variant, and for a place that is absent, archived or not for sales.
 */
export function sellableAt(
  facts: LineFacts,
  { at, item }: Named,
): { readonly variant: Variant; readonly storagePlaceId: string | null } | Refusal {
  const variant = orderedVariant(facts.stock, 'sellable', { at, itemVariantId: item.item_variant_id })
  if (isRefusal(variant)) return variant
  const storagePlaceId = item.storage_place_id === undefined ? (facts.mainPlace?.id ?? null) : item.storage_place_id
  return refuseStanding(facts, { at, storagePlaceId }) ?? { variant, storagePlaceId }
}

/** `at` is the line's place in the body. */
type Task = { readonly at: string; readonly terms: Terms }

/** Checks a new line alone: it has a variant or a title, and its taxes fit. Refuses `validation_failed`. */
export function refuseLine(at: string, line: OrderItemChange | NewOrderItem): Refusal | null {
  const { item_variant_id: variantId, title, storage_place_id: placeId } = line
  if (variantId == null && title === undefined)
    return invalid(`${at}.item_variant_id`, 'is required, or sku, or the title of a line without a variant')
  if (variantId != null && title !== undefined)
    return invalid(`${at}.title`, 'is only for a line without a variant: must not stand beside item_variant_id or sku')
  if (variantId == null && placeId != null)
    return invalid(`${at}.storage_place_id`, 'must not stand in a line without a variant, which holds no stock')
  return refuseTaxes(at, line)
}

/** A new line with its defaults: the main place and the variant's price. Takes a new id. Refuses as `sellableAt` and `amountsOf` do. */
export function newLine(facts: LineFacts, task: Task & { readonly item: NewOrderItem }): Line | Refusal {
  const { at, terms, item } = task
  const { item_variant_id: variantId } = item
  const named = variantId == null ? null : sellableAt(facts, { at, item: { ...item, item_variant_id: variantId } })
  if (isRefusal(named)) return named
  const priced = {
    quantity: item.quantity,
    price: item.price ?? named?.variant.price ?? 0n,
    discount_percent: item.discount_percent,
    discount_amount: item.discount_amount,
    ...(sentTaxes(item) ?? { tax_rate: 0n, taxes: [] }),
  }
  const amounts = amountsOf(priced, { at, terms })
  if (isRefusal(amounts)) return amounts
  const id = facts.stock.takeId()
  const components =
    named === null ? [] : newComponents(facts.stock, { at, kit: named.variant, quantity: item.quantity })
  if (isRefusal(components)) return components
  return {
    ...(named === null ? withoutVariant(item) : variantFields(named.variant)),
    ...priced,
    ...amounts,
    id,
    components,
    storage_place_id: named?.storagePlaceId ?? null,
    external_ref: item.external_ref,
    metadata: item.metadata,
    is_open: true,
    was_shipped: false,
    packed_quantity: 0n,
    shipped_quantity: 0n,
    shipped_value: 0n,
  }
}

/** A line without a variant, such as gift wrapping or a tip. It is packed, shipped and returned as a service is. */
const withoutVariant = ({ title = '' }: NewOrderItem) => ({
  item_id: null,
  item_variant_id: null,
  sku: null,
  title,
  holds_stock: false,
})

type Priced = Pick<Line, 'quantity' | 'price' | 'discount_percent' | 'discount_amount' | 'tax_rate' | 'taxes'>

/** The amounts of a line. Refuses `validation_failed` for a discount above the price of the line, and as `taxed` does. */
function amountsOf(
  line: Priced,
  { at, terms }: Task,
): Pick<Line, 'line_amount' | 'line_tax_amount' | 'taxes'> | Refusal {
  const { quantity, price, discount_percent: discount, discount_amount: discountAmount } = line
  const goods = { ...each(price), quantity, discount, discountAmount }
  const most = discountAmount === 0n ? 0n : asPrice(discountAmountMax(goods, terms.currency))
  if (discountAmount > most)
    return invalid(`${at}.discount_amount`, `must be ${formatMicro(most)} or less: so much the line costs`)
  const amounts = taxed({ at, price: priceOf(goods, terms.currency), terms }, line)
  if (isRefusal(amounts)) return amounts
  return { line_amount: amounts.amount, line_tax_amount: amounts.taxAmount, taxes: amounts.taxes }
}

/** The new lines of a body, in its order. Refuses as `newLine` does. */
export function newLines(
  facts: LineFacts,
  { items, terms }: { readonly items: readonly NewOrderItem[]; readonly terms: Terms },
): readonly Line[] | Refusal {
  return decideEach(items, (item, index) => newLine(facts, { at: `items[${index}]`, item, terms }))
}

/**
 * A line after its change, or the same line if nothing changes. A packed quantity beyond the new quantity is unpacked. Refuses
 * `validation_failed` for a quantity below the shipped one, for a new place that is absent, archived or not for sales, for a title of a
 * line with a variant, and for a new price while the shop's own tax amounts stay; also as `amountsOf` does.
 */
export function changedLine(
  facts: LineFacts,
  task: Task & { readonly line: Line; readonly change: OrderItemChange },
): Line | Refusal {
  const { at, line, change } = task
  const next = merged(SalesOrderItem, line, { ...change, ...sentTaxes(change) })
  if (line.item_variant_id !== null && change.title !== undefined)
    return invalid(`${at}.title`, 'is only for a line without a variant')
  if (line.item_variant_id === null && next.storage_place_id !== null)
    return invalid(`${at}.storage_place_id`, 'must not stand in a line without a variant, which holds no stock')
  if (next.quantity < line.shipped_quantity)
    return invalid(`${at}.quantity`, `must be ${formatMicro(line.shipped_quantity)} or more: so much is shipped`)
  const storagePlaceId = next.storage_place_id
  const refused = storagePlaceId === line.storage_place_id ? null : refuseStanding(facts, { at, storagePlaceId })
  if (refused !== null) return refused
  if (next === line) return line
  if (sentTaxes(change) === undefined && line.taxes.some(isGiven) && isPricedAnew(line, next))
    return invalid(`${at}.taxes`, 'must be given anew: the tax amounts of the line are those that were given')
  const amounts = amountsOf(next, task)
  if (isRefusal(amounts)) return amounts
  const components = next.quantity === line.quantity ? line.components : changedComponents(at, next)
  if (isRefusal(components)) return components
  return { ...next, ...amounts, components, packed_quantity: lesser(line.packed_quantity, next.quantity) }
}

const isPricedAnew = (before: Line, after: Line): boolean =>
  before.quantity !== after.quantity ||
  before.price !== after.price ||
  before.discount_percent !== after.discount_percent ||
  before.discount_amount !== after.discount_amount
