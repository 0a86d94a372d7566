/** The list of all kinds of imports, in the order of the help. The command line and the portal both take them. */
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

/** The kind of this name, else products. */
export const kindOf = (name: string | undefined): ImportKind => importKinds.find(kind => kind.name === name) ?? products
