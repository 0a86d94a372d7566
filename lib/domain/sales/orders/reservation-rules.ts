/**
 * Keeps reservations equal to what open orders still have to ship, and refuses more than is available for orders without backorder. Pure:
 * no I/O and no clock (docs/rules/sales.md).
 */
import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import type { Micro } from '../../../platform/decimal.ts'
import { nameOf } from '../../stock/line-rules.ts'
import { adjustPlanned } from '../../stock/posting-rules.ts'
import { notEnough, type Shortage } from '../../stock/shortage-rules.ts'
import { availableOf, type Position, positionKey, positionOf, type Stock, totalsOf } from '../../stock/stock.ts'
import { demandsOf, type LineDemand } from './component-rules.ts'
import type { Line, Order } from './noun.ts'

/** What an order reserves of a variant at a place. `line` is the first of its lines; its name goes into messages. */
type Need = LineDemand & { readonly line: Line }

/** The needs of an order by position. Lines of one variant and place count together. */
function needsOf(order: Order | null): Map<string, Need> {
  const needs = new Map<string, Need>()
  if (order?.status !== 'OPEN') return needs
  for (const line of order.items) {
    for (const demand of demandsOf(line)) {
      const key = positionKey(demand.where)
      const before = needs.get(key)
      needs.set(key, { ...demand, line, ...before, quantity: (before?.quantity ?? 0n) + demand.quantity })
    }
  }
  return needs
}

type Difference = Pick<Need, 'line' | 'named'> & {
  readonly position: Position
  readonly before: Micro
  readonly after: Micro
}

function differences(stock: Stock, change: Change): Difference[] {
  const [before, after] = [needsOf(change.before), needsOf(change.after)]
  return [...new Map([...before, ...after])].flatMap(([key, { line, named, where }]) => {
    const quantities = { before: before.get(key)?.quantity ?? 0n, after: after.get(key)?.quantity ?? 0n }
    return quantities.before === quantities.after
      ? []
      : [{ position: positionOf(stock, where), line, named, ...quantities }]
  })
}

/** An order before and after a command; `before` null: the order is new. */
export type Change = { readonly before: Order | null; readonly after: Order }

/**
 * The check of orders with `allow_backorder: false`. Wherever the order comes to need more of a variant at a place, all of it must be
 * available. What the order reserves already is available to it. Call it before anything is posted. Refuses `insufficient_stock` and names
 * each short sku with the needed, the on-hand and the reservable quantity.
 */
export function refuseBackorder(stock: Stock, change: Change): Refusal | null {
  if (change.after.allow_backorder) return null
  const short = differences(stock, change).flatMap(({ position, line, named, before, after }) =>
    after < before ? [] : shortIn(position, { named, field: fieldOf(change, line), needed: after, own: before }),
  )
  return short.length === 0 ? null : notEnough('insufficient_stock', short)
}

/** The shortage if less is available than needed. `own` is what the order reserves already. `field` is the field of the body. */
export function shortIn(
  position: Position,
  { named, field, needed, own }: Pick<Shortage, 'field' | 'needed'> & { readonly named: Named; readonly own: Micro },
): readonly Shortage[] {
  const totals = totalsOf(position)
  const available = availableOf(totals) + own
  if (needed <= available) return []
  const takeable = available < 0n ? 0n : available
  return [
    {
      field,
      variant: named,
      batchNumber: null,
      placeId: position.storagePlaceId,
      needed,
      onHand: totals.quantity,
      takeable,
    },
  ]
}
type Named = Shortage['variant']

/** Lines of a new order are in the order of its body. A change may have them in another order, or not at all. */
function fieldOf({ before, after }: Change, line: Line): string | null {
  return before === null ? `items[${after.items.indexOf(line)}].quantity` : null
}

/** Reserves and releases what the change needs. Refuses `validation_failed` for a reserved quantity beyond the limit. */
export function reserve(stock: Stock, change: Change): Refusal | null {
  for (const { position, named, before, after } of differences(stock, change)) {
    if (adjustPlanned(stock, { position, reserved: after - before }) !== null)
      return invalid('items', `${nameOf(named)}: more would be reserved than can be kept`)
  }
  return null
}
