/** Decides on holds: new ones, changed ones and ended ones, and what of the stock they reserve (docs/rules/holds.md). Pure. */
import { decideEach, invalid, isRefusal, type Refusal, refuse } from '../../../kit/api/errors.ts'
import type { Micro } from '../../../platform/decimal.ts'
import { nameOf } from '../../stock/line-rules.ts'
import { holdsStock } from '../../stock/order-line.ts'
import { adjustPlanned } from '../../stock/posting-rules.ts'
import { notEnough } from '../../stock/shortage-rules.ts'
import { positionKey, positionOf, type Stock, type Where } from '../../stock/stock.ts'
import { type LineFacts, sellableAt } from '../orders/line-rules.ts'
import { shortIn } from '../orders/reservation-rules.ts'
import { type Hold, type HoldLine, type NewHoldItem, notHeld } from './noun.ts'

const AHEAD_DAYS_MAX = 30
const DAY_MS = 86_400_000

/** Refuses `validation_failed` for an end that is not after `now`, or more than 30 days ahead. */
export function refuseEnd(end: string, now: string): Refusal | null {
  const aheadMs = Date.parse(end) - Date.parse(now)
  if (aheadMs <= 0) return invalid('expires_at', 'must be later than now')
  return aheadMs > AHEAD_DAYS_MAX * DAY_MS
    ? invalid('expires_at', `must be at most ${AHEAD_DAYS_MAX} days ahead`)
    : null
}

/** Refuses `reservation_not_held` for a hold that has ended: by its status, or by its time. */
export function refuseEnded({ number, status, expires_at: end }: Hold, now: string): Refusal | null {
  if (status !== 'HELD') return refuse(notHeld, `the reservation ${number} is ${status}`)
  return end <= now ? refuse(notHeld, `the reservation ${number} ended at ${end}`) : null
}

/** The lines of a new hold. Refuses `validation_failed` as lines of a sales order are refused, and for services. */
export function newLines(facts: LineFacts, items: readonly NewHoldItem[]): readonly HoldLine[] | Refusal {
  return decideEach(items, (item, index): HoldLine | Refusal => {
    const at = `items[${index}]`
    const named = sellableAt(facts, { at, item })
    if (isRefusal(named)) return named
    const { variant, storagePlaceId } = named
    if (!holdsStock(variant))
      return invalid(`${at}.item_variant_id`, `${nameOf(variant)} is a service and holds no stock`)
    return {
      id: facts.stock.takeId(),
      item_id: variant.itemId,
      item_variant_id: variant.id,
      sku: variant.sku,
      title: variant.title,
      storage_place_id: storagePlaceId,
      quantity: item.quantity,
      is_open: true,
    }
  })
}

/** Where the line reserves. */
export const whereOf = (line: Pick<HoldLine, 'item_variant_id' | 'storage_place_id'>): Where => ({
  itemVariantId: line.item_variant_id,
  storagePlaceId: line.storage_place_id,
})

/**
 * Reserves the lines. Lines of one variant and place count together. Refuses `insufficient_stock` where not all of it is available, with
 * nothing reserved; `validation_failed` where more would be reserved than can be kept.
 */
export function reserveLines(stock: Stock, items: readonly HoldLine[]): Refusal | null {
  const needs = new Map<string, { readonly line: HoldLine; readonly field: string; needed: Micro }>()
  for (const [index, line] of items.entries()) {
    const key = positionKey(whereOf(line))
    const need = needs.get(key) ?? { line, field: `items[${index}].quantity`, needed: 0n }
    need.needed += line.quantity
    needs.set(key, need)
  }
  const all = [...needs.values()].map(need => ({ ...need, position: positionOf(stock, whereOf(need.line)) }))
  const short = all.flatMap(({ position, ...need }) => shortIn(position, { ...need, own: 0n }))
  if (short.length > 0) return notEnough('insufficient_stock', short)
  for (const { position, line, field, needed } of all)
    if (adjustPlanned(stock, { position, reserved: needed }) !== null)
      return invalid(field, `${nameOf(line)}: more would be reserved than can be kept`)
  return null
}

/** How a hold ends. */
type End = { readonly status: 'RELEASED' | 'EXPIRED' } | { readonly status: 'CONSUMED'; readonly salesOrderId: string }

/** The hold as it ended. Its goods are reserved no more. */
export function endHold(stock: Stock, hold: Hold, end: End): Hold {
  for (const line of hold.items)
    adjustPlanned(stock, { position: positionOf(stock, whereOf(line)), reserved: -line.quantity })
  return {
    ...hold,
    status: end.status,
    sales_order_id: end.status === 'CONSUMED' ? end.salesOrderId : null,
    items: hold.items.map(line => ({ ...line, is_open: false })),
  }
}
