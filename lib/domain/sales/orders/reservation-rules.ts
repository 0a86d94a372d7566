/**
 * Keeps reservations equal to what open orders still have to ship, and holds orders without backorder to what is available.
 * Pure: no I/O and no clock (docs/rules/sales.md).
 */
import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import type { Micro } from '../../../platform/decimal.ts'
import { nameOf } from '../../stock/line-rules.ts'
import { adjustPlanned } from '../../stock/posting-rules.ts'
import { notEnough, type Shortage } from '../../stock/shortage-rules.ts'
import { availableOf, type Position, positionKey, positionOf, type Stock, totalsOf } from '../../stock/stock.ts'
import { demandsOf, type LineDemand } from './component-rules.ts'
import type { Line, Order } from './noun.ts'

/** What an order reserves of a variant at a place, and how the first of the lines that do calls it. */
type Need = LineDemand & { readonly line: Line }

/** By position; lines of one variant and place count together. */
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

/** An order before and after a command; `before` null: it is new. */
export type Change = { readonly before: Order | null; readonly after: Order }

/**
 * For orders made with `allow_backorder: false`: wherever the order comes to need more of a variant at a place, all of it
 * must be available. What it reserves already counts as available to itself. Ask before anything is posted.
 * Refuses `insufficient_stock`, naming each short sku with needed and on-hand quantity, and what of it can be reserved.
 */
export function refuseBackorder(stock: Stock, change: Change): Refusal | null {
  if (change.after.allow_backorder) return null
  const short = differences(stock, change).flatMap(({ position, line, named, before, after }) =>
    after < before ? [] : shortIn(position, { named, field: fieldOf(change, line), needed: after, own: before }),
  )
  return short.length === 0 ? null : notEnough('insufficient_stock', short)
}

/** What is short where not all that is needed is available; `own` is reserved for it already. `field`: where the body speaks of it. */
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

/** Lines of a new order stand as in its body. A change may name them in another order, or not at all. */
function fieldOf({ before, after }: Change, line: Line): string | null {
  return before === null ? `items[${after.items.indexOf(line)}].quantity` : null
}

/**
 * Reserves and releases what the change asks for. Refuses `validation_failed` when a variant would be reserved beyond what
 * can be kept.
 */
export function reserve(stock: Stock, change: Change): Refusal | null {
  for (const { position, named, before, after } of differences(stock, change)) {
    if (adjustPlanned(stock, { position, reserved: after - before }) !== null)
      return invalid('items', `${nameOf(named)}: more would be reserved than can be kept`)
  }
  return null
}
