/** The list of all kinds that `bin/millrace import` takes, in the order of the help. */
import type { ImportKind } from '../../../imports/kind.ts'
import { customers, suppliers } from '../../../imports/partners.ts'
import { products } from '../../../imports/products.ts'
import { supplierItems } from '../../../imports/supplier-items.ts'
import { openingStock } from './opening-stock.ts'
import { recipes } from './recipes.ts'

export const importKinds: readonly ImportKind[] = [
  ...[products, suppliers, customers],
  ...[openingStock, recipes, supplierItems],
]
