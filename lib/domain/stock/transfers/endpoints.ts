/** The endpoints of stock transfers. */

import { readsOf } from '../../../kit/documents/noun.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { changeTransfer, createTransfer, reverseTransfer } from './commands.ts'
import { examples } from './examples.ts'
import { StockTransfer } from './noun.ts'

export const [listTransfers, getTransfer] = readsOf(StockTransfer)

export const stockTransfers = resource(
  [StockTransfer],
  [listTransfers, getTransfer, createTransfer, changeTransfer, reverseTransfer],
  { examples },
)
