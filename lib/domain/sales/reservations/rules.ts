/** Decides on new, changed and ended holds, and on the stock that they reserve (docs/rules/holds.md). Pure. */
import { decideEach, invalid, isRefusal, type Refusal, refuse } from '../../../kit/api/errors.ts'
import type { Micro } from '../../../platform/decimal.ts'
import { nameOf } from '../../stock/line-rules.ts'
import { holdsStock } from '../../stock/order-line.ts'
import { adjustPlanned } from '../../stock/posting-rules.ts'
import { notEnough } from '../../stock/shortage-rules.ts'
import { positionKey, positionOf, type Stock, type Where } from '../../stock/stock.ts'
import { componentName, placesOfLine, sharesOf } from '../orders/component-rules.ts'
import { type LineFacts, sellableAt } from '../orders/line-rules.ts'
import { shortIn } from '../orders/reservation-rules.ts'
import { type Hold, type HoldLine, type NewHoldItem, notHeld } from './noun.ts'

const AHEAD_DAYS_MAX = 30
const DAY_MS = 86_400_000

/** Refuses `validation_failed` for an end that is not after `now`, or more than 30 days after it. */
export function refuseEnd(end: string, now: string): Refusal | null {
  const aheadMs = Date.parse(end) - Date.parse(now)
  if (aheadMs <= 0) return invalid('expires_at', 'must be later than now')
  return aheadMs > AHEAD_DAYS_MAX * DAY_MS
    ? invalid('expires_at', `must be at most ${AHEAD_DAYS_MAX} days ahead`)
    : null
}

/** Refuses `reservation_not_held` for a hold that has ended, by its status or by its time. */
export function refuseEnded({ number, status, expires_at: end }: Hold, now: string): Refusal | null {
  if (status !== 'HELD') return refuse(notHeld, `the reservation ${number} is ${status}`)
  return end <= now ? refuse(notHeld, `the reservation ${number} ended at ${end}`) : null
}

/** The lines of a new hold. Refuses `validation_failed` as for lines of a sales order, and for services. */
export function newLines(facts: LineFacts, items: readonly NewHoldItem[]): readonly HoldLine[] | Refusal {
  return decideEach(items, (item, index): HoldLine | Refusal => {
    const at = `items[${index}]`
    const named = sellableAt(facts, { at, item })
    if (isRefusal(named)) return named
    const { variant, storagePlaceId } = named
    const shares = sharesOf(facts.stock, { at, kit: variant, quantity: item.quantity })
    if ('refusal' in shares) return shares
    if (!holdsStock(variant) && !shares.some(({ part }) => holdsStock(part)))
      return invalid(
        `${at}.item_variant_id`,
        `${nameOf(variant)} is a ${shares.length === 0 ? 'service' : 'kit of services'} and holds no stock`,
      )
    return {
      id: facts.stock.takeId(),
      item_id: variant.itemId,
      item_variant_id: variant.id,
      sku: variant.sku,
      title: variant.title,
      storage_place_id: storagePlaceId,
      quantity: item.quantity,
      components: shares.map(({ part, each, quantity }) => ({
        item_variant_id: part.id,
        sku: part.sku,
        title: part.title,
        quantity_per_kit: each,
        quantity,
        holds_stock: holdsStock(part),
      })),
      is_open: true,
    }
  })
}

/** The positions of a hold: of its lines' variants, and of the components of kits. */
export const placesHeld = ({ items }: Pick<Hold, 'items'>): Where[] => items.flatMap(placesOfLine)

/** What a line reserves, and its name in messages. */
type Held = {
  readonly where: Where
  readonly named: { readonly sku: string | null; readonly title: string }
  readonly quantity: Micro
}

function heldBy(line: HoldLine): readonly Held[] {
  const storagePlaceId = line.storage_place_id
  if (line.components.length === 0)
    return [{ where: { itemVariantId: line.item_variant_id, storagePlaceId }, named: line, quantity: line.quantity }]
  return line.components
    .filter(part => part.holds_stock && part.quantity > 0n)
    .map(part => ({
      where: { itemVariantId: part.item_variant_id, storagePlaceId },
      named: componentName(line, part),
      quantity: part.quantity,
    }))
}

/**
 * Reserves the lines. Lines of one variant and place count together. Refuses `insufficient_stock` if not all of it is available; then
 * nothing is reserved. Refuses `validation_failed` for a reserved quantity beyond the limit.
 */
export function reserveLines(stock: Stock, items: readonly HoldLine[]): Refusal | null {
  const needs = new Map<string, Held & { readonly field: string; needed: Micro }>()
  for (const [index, line] of items.entries()) {
    for (const held of heldBy(line)) {
      const key = positionKey(held.where)
      const need = needs.get(key) ?? { ...held, field: `items[${index}].quantity`, needed: 0n }
      need.needed += held.quantity
      needs.set(key, need)
    }
  }
  const all = [...needs.values()].map(need => ({ ...need, position: positionOf(stock, need.where) }))
  const short = all.flatMap(({ position, ...need }) => shortIn(position, { ...need, own: 0n }))
  if (short.length > 0) return notEnough('insufficient_stock', short)
  for (const { position, named, field, needed } of all)
    if (adjustPlanned(stock, { position, reserved: needed }) !== null)
      return invalid(field, `${nameOf(named)}: more would be reserved than can be kept`)
  return null
}

type End = { readonly status: 'RELEASED' | 'EXPIRED' } | { readonly status: 'CONSUMED'; readonly salesOrderId: string }

/** The ended hold. Its goods are no longer reserved. */
export function endHold(stock: Stock, hold: Hold, end: End): Hold {
  for (const { where, quantity } of hold.items.flatMap(heldBy))
    adjustPlanned(stock, { position: positionOf(stock, where), reserved: -quantity })
  return {
    ...hold,
    status: end.status,
    sales_order_id: end.status === 'CONSUMED' ? end.salesOrderId : null,
    items: hold.items.map(line => ({ ...line, is_open: false })),
  }
}
