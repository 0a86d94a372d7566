/** The list of all kinds that can be imported, in the order of the help. */
import type { ImportKind } from './kind.ts'
import { openingStock } from './opening-stock.ts'
import { customers, suppliers } from './partners.ts'
import { products } from './products.ts'
import { recipes } from './recipes.ts'
import { supplierItems } from './supplier-items.ts'

export const importKinds: readonly ImportKind[] = [
  ...[products, suppliers, customers],
  ...[openingStock, recipes, supplierItems],
]
