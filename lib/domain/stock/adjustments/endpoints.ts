/** The endpoints of stock adjustments. */

import { readsOf } from '../../../kit/documents/noun.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { changeAdjustment, createAdjustment, reverseAdjustment } from './commands.ts'
import { examples } from './examples.ts'
import { StockAdjustment } from './noun.ts'

export const [listAdjustments, getAdjustment] = readsOf(StockAdjustment)

export const stockAdjustments = resource(
  [StockAdjustment],
  [listAdjustments, getAdjustment, createAdjustment, changeAdjustment, reverseAdjustment],
  { examples },
)
