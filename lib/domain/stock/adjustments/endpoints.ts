/** The endpoints of stock adjustments. */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { readsOf } from '../../../kit/documents/noun.ts'
import { createAdjustment } from './commands.ts'
import { StockAdjustment } from './noun.ts'

export const [listAdjustments, getAdjustment] = readsOf(StockAdjustment)

export const adjustmentEndpoints: readonly Endpoint[] = [listAdjustments, getAdjustment, createAdjustment]
