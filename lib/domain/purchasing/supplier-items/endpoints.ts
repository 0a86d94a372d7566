/** The endpoints of supplier items. */
import { readsOf } from '../../../kit/documents/noun.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { changeSupplierItem, createSupplierItem } from './commands.ts'
import { examples } from './examples.ts'
import { SupplierItem } from './noun.ts'

export const [listSupplierItems, getSupplierItem] = readsOf(SupplierItem)

export const supplierItems = resource(
  [SupplierItem],
  [listSupplierItems, getSupplierItem, createSupplierItem, changeSupplierItem],
  { examples },
)
