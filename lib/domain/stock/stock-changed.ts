/** Makes the `stock.changed` events of a command from the stock that it posted to. */
import type { DomainEvent, Json } from '../../kit/api/endpoint.ts'
import { formatCost, formatMicro, type Micro } from '../../platform/decimal.ts'
import { averageCost } from './cost-rules.ts'
import { availableOf, type Position, type Stock, type Totals, totalsOf } from './stock.ts'

/** One event for each variant and place whose quantities the command changed, in the order of the changes. */
export function stockChanges(stock: Stock): DomainEvent[] {
  return [...stock.touched].flatMap(([position, totals]) => changeOf(stock, position, totals))
}

function changeOf(stock: Stock, position: Position, totals: Totals): DomainEvent[] {
  const [before, after] = [levelsOf(totals), levelsOf(totalsOf(position))]
  const changed = Object.entries(before).filter(([name, quantity]) => after[name] !== quantity)
  if (changed.length === 0) return []
  const previous = jsonNumbers(Object.fromEntries(changed))
  return [{ type: 'stock.changed', data: documentOf(stock, position, after), previous: `{${previous}}` }]
}

/**
 * One event for each loaded position of which stock has expired, or is good again, since the last event. The expired quantity is stored
 * with the unit of work.
 * @param turned takes these positions, with their totals before
 */
export function turnedChanges(stock: Stock, turned: Map<Position, Totals>): DomainEvent[] {
  return [...stock.positions.values()].flatMap(position => {
    if (position.expired === position.toldExpired) return []
    const totals = { ...totalsOf(position), expired: position.toldExpired }
    position.toldExpired = position.expired
    position.changed = true
    turned.set(position, totals)
    return changeOf(stock, position, totals)
  })
}

type Levels = Readonly<Record<string, Micro>>

const levelsOf = (totals: Totals): Levels => {
  const { quantity, quarantine, expired, reserved, expected } = totals
  return {
    quantity,
    quarantine_quantity: quarantine,
    expired_quantity: expired,
    reserved_quantity: reserved,
    expected_quantity: expected,
    available_quantity: availableOf(totals),
  }
}

/** Numbers are written as exact text, which JSON.stringify cannot do. */
const jsonNumbers = (quantities: Levels): string =>
  Object.entries(quantities)
    .map(([name, quantity]) => `"${name}":${formatMicro(quantity)}`)
    .join(',')

function documentOf(stock: Stock, position: Position, levels: Levels): Json {
  const average = averageCost(position)
  const head = JSON.stringify({
    item_variant_id: position.itemVariantId,
    sku: stock.variants.get(position.itemVariantId)?.sku ?? null,
    storage_place_id: position.storagePlaceId,
    is_kit: false,
  })
  const cost = average === null ? 'null' : formatCost(average)
  return `${head.slice(0, -1)},${jsonNumbers(levels)},"average_cost":${cost},"updated_at":"${stock.now}"}`
}
