/** Loads what kits need after the positions: the components of kits that commands name, and the kits that contain the loaded variants. */
import type { Load } from '../../../kit/documents/question.ts'
import type { Work } from '../../../kit/documents/work.ts'
import { Levels } from '../level-load.ts'
import { holdsStock } from '../order-line.ts'
import { orderOf } from '../pick-order.ts'
import { Balances, type PositionNeed } from '../position-load.ts'
import { type Position, positionKey, type Stock } from '../stock.ts'
import { stockPart } from '../stock-part.ts'
import { KitLoad } from './kit-load.ts'

export function askKits(load: Load, work: Work): void {
  const part = work.part(stockPart)
  const { stock, kits } = part
  const { id: tenantId } = work.tenant
  const components = [...stock.positions.values()].flatMap(kit => componentsOf(stock, kit))
  for (const need of components) {
    load.source('stock balances', () => new Balances(load)).ask(tenantId, need, stock.today)
    load.source('stock levels', () => new Levels(load.isAlone)).ask(tenantId, need)
  }
  for (const where of [...stock.positions.values(), ...components]) {
    const key = positionKey(where)
    if (kits.asked.has(key) || !part.standsInKits(where)) continue
    kits.asked.add(key)
    load.source('kits', () => new KitLoad()).ask(tenantId, where)
  }
}

/**
 * The positions of a kit's components that are not loaded yet, at the kit's place. What a command may pick of the kit, it may pick of them.
 */
function componentsOf({ variants, positions }: Stock, kit: Position): readonly PositionNeed[] {
  return (variants.get(kit.itemVariantId)?.components ?? []).flatMap(({ itemVariantId }): PositionNeed[] => {
    const variant = variants.get(itemVariantId)
    if (variant === undefined || !holdsStock(variant)) return []
    const where = { itemVariantId, storagePlaceId: kit.storagePlaceId }
    const orders = [...kit.reaches.keys()].map(orderOf)
    if (orders.length > 0) return orders.map(order => ({ ...where, take: { quantity: null, order } }))
    return positions.has(positionKey(where)) ? [] : [where]
  })
}
