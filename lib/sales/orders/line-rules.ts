/**
 * Decides on lines of sales orders: new ones and changed ones, with their defaults and amounts. Pure: no I/O and no clock
 * (contract 2, "Sales order").
 */
import { lineAmounts, parseTaxRate } from '../../accounting/money.ts'
import { invalid, isRefusal, noSuch, type Refusal } from '../../api/errors.ts'
import { formatMicro, parseMicro } from '../../decimal.ts'
import { type Book, isPlace, takeFreshId } from '../../stock/book.ts'
import { orderedLine, orderedVariant } from '../../stock/order-line.ts'
import { type Line, lesser } from './order.ts'
import type { NewOrderItem, OrderItemChange } from './schemas.ts'

/** What lines meet: the stock book with their variants, and the tenant's places that sell nothing. */
export type Surroundings = { readonly book: Book; readonly closedPlaceIds: ReadonlySet<string> }

/** `at` is where the body speaks of the line: `items[3]`. */
type Place = { readonly at: string; readonly storagePlaceId: string | null }

function refusePlace({ book, closedPlaceIds }: Surroundings, { at, storagePlaceId }: Place): Refusal | null {
  if (!isPlace(book, storagePlaceId)) return noSuch(`${at}.storage_place_id`, 'storage place')
  if (storagePlaceId !== null && closedPlaceIds.has(storagePlaceId))
    return invalid(`${at}.storage_place_id`, 'the storage place does not allow sales')
  return null
}

/**
 * A new line with its defaults: the main place, the variant's price. Takes a fresh id.
 * Refuses `validation_failed` for an absent, archived or non-sellable variant, and for a place that is absent or sells nothing.
 */
export function newLine(
  surroundings: Surroundings,
  task: { readonly at: string; readonly item: NewOrderItem; readonly currency: string },
): Line | Refusal {
  const { book } = surroundings
  const { at, item, currency } = task
  const variant = orderedVariant(book, 'sellable', { at, itemVariantId: item.item_variant_id })
  if (isRefusal(variant)) return variant
  const storagePlaceId = item.storage_place_id === undefined ? book.mainPlaceId : item.storage_place_id
  const refused = refusePlace(surroundings, { at, storagePlaceId })
  if (refused !== null) return refused
  return {
    ...orderedLine(variant, { item, listPrice: variant.price, currency }),
    id: takeFreshId(book),
    storagePlaceId,
    packed: 0n,
    shipped: 0n,
    shippedValue: 0n,
  }
}

/** The new lines of a body, in its order. Refuses as `newLine` does. */
export function newLines(
  surroundings: Surroundings,
  task: { readonly items: readonly NewOrderItem[]; readonly currency: string },
): readonly Line[] | Refusal {
  const lines: Line[] = []
  for (const [index, item] of task.items.entries()) {
    const line = newLine(surroundings, { at: `items[${index}]`, item, currency: task.currency })
    if (isRefusal(line)) return line
    lines.push(line)
  }
  return lines
}

/**
 * A line after its change, or the same one where nothing changes. What is packed beyond the new quantity is unpacked.
 * Refuses `validation_failed` for a quantity below what is shipped, and for a new place that is absent or sells nothing.
 */
export function changedLine(
  surroundings: Surroundings,
  task: { readonly at: string; readonly line: Line; readonly change: OrderItemChange; readonly currency: string },
): Line | Refusal {
  const { at, line, change, currency } = task
  const quantity = change.quantity === undefined ? line.quantity : parseMicro(change.quantity)
  if (quantity < line.shipped)
    return invalid(`${at}.quantity`, `must be ${formatMicro(line.shipped)} or more: so much is shipped`)
  const storagePlaceId = change.storage_place_id === undefined ? line.storagePlaceId : change.storage_place_id
  const refused = storagePlaceId === line.storagePlaceId ? null : refusePlace(surroundings, { at, storagePlaceId })
  if (refused !== null) return refused
  const price = change.price === undefined ? line.price : parseMicro(change.price)
  const taxRate = change.tax_rate === undefined ? line.taxRate : parseTaxRate(change.tax_rate)
  const same = quantity === line.quantity && price === line.price && taxRate === line.taxRate
  if (same && storagePlaceId === line.storagePlaceId) return line
  return {
    ...line,
    storagePlaceId,
    quantity,
    price,
    taxRate,
    amounts: lineAmounts({ quantity, price, taxRate, currency }),
    packed: lesser(line.packed, quantity),
  }
}
