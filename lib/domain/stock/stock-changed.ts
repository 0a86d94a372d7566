/** Words the `stock.changed` events of a command from the stock that it posted to. */
import type { DomainEvent, Json } from '../../kit/api/endpoint.ts'
import { formatCost, formatMicro, type Micro } from '../../platform/decimal.ts'
import { averageCost } from './cost-rules.ts'
import { type Position, type Stock, type Totals, totalsOf } from './stock.ts'

/** One event per variant and place whose quantities differ from those before the command, in the order in which it changed them. */
export function stockChanges(stock: Stock): DomainEvent[] {
  return [...stock.touched].flatMap(([position, totals]) => {
    const [before, after] = [levelsOf(totals), levelsOf(totalsOf(position))]
    const changed = Object.entries(before).filter(([name, quantity]) => after[name] !== quantity)
    if (changed.length === 0) return []
    const previous = jsonNumbers(Object.fromEntries(changed))
    return [{ type: 'stock.changed', data: documentOf(stock, position, after), previous: `{${previous}}` }]
  })
}

type Levels = Readonly<Record<string, Micro>>

const levelsOf = ({ quantity, quarantine, reserved, expected }: Totals): Levels => ({
  quantity,
  quarantine_quantity: quarantine,
  reserved_quantity: reserved,
  expected_quantity: expected,
  available_quantity: quantity - quarantine - reserved,
})

/** Numbers go in as exact text, which JSON.stringify cannot do. */
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
  })
  return `${head.slice(0, -1)},${jsonNumbers(levels)},"average_cost":${average === null ? 'null' : formatCost(average)}}`
}
