/** The kinds of imports whose rows are records. The command line and the portal both take them. */
import type { RecordKind } from './kind.ts'
import { customers, suppliers } from './partners.ts'
import { products } from './products.ts'
import { supplierItems } from './supplier-items.ts'

export const recordKinds: readonly RecordKind[] = [products, suppliers, customers, supplierItems]
