/** THE list: every noun of the portal, in the order of search results. Links, search, events and routes derive from it. */
import type { Known } from './noun.ts'
import { holds } from './screens/holds/nouns.ts'
import { apiKeys } from './screens/keys/nouns.ts'
import { manufacturingOrders } from './screens/manufacturing/nouns.ts'
import { customers, suppliers } from './screens/partners/nouns.ts'
import { storagePlaces } from './screens/places/nouns.ts'
import { products, variants } from './screens/products/nouns.ts'
import { landedCosts, purchaseOrders, purchaseReceipts, supplierItems } from './screens/purchasing/nouns.ts'
import { operations, recipes } from './screens/recipes/nouns.ts'
import { salesReturns } from './screens/returns/nouns.ts'
import { salesOrders, salesShipments } from './screens/sales/nouns.ts'
import { kits, stock, stockAdjustments, stockCounts, stockTransfers } from './screens/stock/nouns.ts'
import { batches } from './screens/trace/nouns.ts'

export const nouns: readonly Known[] = [
  ...[salesOrders, purchaseOrders, manufacturingOrders, salesReturns],
  ...[products, variants, batches, salesShipments, purchaseReceipts, customers, suppliers],
  ...[stockTransfers, stockAdjustments, stockCounts, stock, kits, holds, landedCosts],
  ...[supplierItems, storagePlaces, recipes, operations, apiKeys],
]

const byKind = new Map(nouns.map(noun => [noun.kind, noun]))

/** The path of a record's page; undefined for kinds without a page. */
export function documentPath(kind: string, id: string): string | undefined {
  const path = byKind.get(kind)?.path
  return path == null ? undefined : `${path}/${id}`
}

/** The resources (first parts of the queries' keys) whose data an event of this kind makes old. */
export function touchedBy(kind: string): readonly string[] {
  const { resource, touches = [] } = byKind.get(kind.toUpperCase()) ?? {}
  return resource === undefined ? [] : [resource, ...touches]
}
