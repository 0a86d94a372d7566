/**
 * Decides on lines of sales orders: new ones and changed ones, with their defaults and amounts. Pure: no I/O and no clock
 * (docs/rules/sales.md).
 */

import { decideEach, invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { merged } from '../../../kit/documents/merging.ts'
import { formatMicro } from '../../../platform/decimal.ts'
import type { Place } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import { amountsOf, orderedVariant, pricedLine } from '../../stock/order-line.ts'
import type { Stock, Variant } from '../../stock/stock.ts'
import { type Line, type NewOrderItem, type OrderItemChange, SalesOrderItem } from './noun.ts'
import { lesser } from './quantity-rules.ts'

/** What lines meet: the stock with their variants, and the places that the body names. */
export type LineFacts = {
  readonly stock: Stock
  readonly places: ReadonlyMap<string, Place>
  readonly mainPlace: Place | null
}

/** `at` is where the body speaks of the line: `items[3]`. */
type Standing = { readonly at: string; readonly storagePlaceId: string | null }

function refuseStanding({ places, mainPlace }: LineFacts, { at, storagePlaceId }: Standing): Refusal | null {
  if (storagePlaceId === null) return null
  const place = storagePlaceId === mainPlace?.id ? mainPlace : places.get(storagePlaceId)
  return refusePlace(`${at}.storage_place_id`, place, 'sales')
}

/** What a new line of an order or of a hold names: `at` is where the body speaks of it. */
type Named = {
  readonly at: string
  readonly item: { readonly item_variant_id: string; readonly storage_place_id?: string | null | undefined }
}

/**
 * The variant of a new line, and the place where it stands: the main one unless the line names another.
 * Refuses `validation_failed` for an absent, archived or non-sellable variant, and for a place that is absent, archived or sells nothing.
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

/** A new line with its defaults: the main place, the variant's price. Takes a fresh id. Refuses as `sellableAt` does. */
export function newLine(
  facts: LineFacts,
  task: { readonly at: string; readonly item: NewOrderItem; readonly currency: string },
): Line | Refusal {
  const { item, currency } = task
  const named = sellableAt(facts, task)
  if (isRefusal(named)) return named
  const { variant, storagePlaceId } = named
  return {
    ...pricedLine(variant, { item, listPrice: variant.price, currency }),
    id: facts.stock.takeId(),
    storage_place_id: storagePlaceId,
    is_open: true,
    was_shipped: false,
    packed_quantity: 0n,
    shipped_quantity: 0n,
    shipped_value: 0n,
  }
}

/** The new lines of a body, in its order. Refuses as `newLine` does. */
export function newLines(
  facts: LineFacts,
  task: { readonly items: readonly NewOrderItem[]; readonly currency: string },
): readonly Line[] | Refusal {
  return decideEach(task.items, (item, index) =>
    newLine(facts, { at: `items[${index}]`, item, currency: task.currency }),
  )
}

/**
 * A line after its change, or the same one where nothing changes. What is packed beyond the new quantity is unpacked.
 * Refuses `validation_failed` for a quantity below what is shipped, and for a new place that is absent, archived or sells nothing.
 */
export function changedLine(
  facts: LineFacts,
  task: { readonly at: string; readonly line: Line; readonly change: OrderItemChange; readonly currency: string },
): Line | Refusal {
  const { at, line, change, currency } = task
  const next = merged(SalesOrderItem, line, change)
  if (next.quantity < line.shipped_quantity)
    return invalid(`${at}.quantity`, `must be ${formatMicro(line.shipped_quantity)} or more: so much is shipped`)
  const storagePlaceId = next.storage_place_id
  const refused = storagePlaceId === line.storage_place_id ? null : refuseStanding(facts, { at, storagePlaceId })
  if (refused !== null) return refused
  if (next === line) return line
  return {
    ...next,
    ...amountsOf({ ...next, currency }),
    packed_quantity: lesser(line.packed_quantity, next.quantity),
  }
}
