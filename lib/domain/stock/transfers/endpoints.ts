/** The endpoints of stock transfers. */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { readsOf } from '../../../kit/documents/noun.ts'
import { createTransfer } from './commands.ts'
import { StockTransfer } from './noun.ts'

export const [listTransfers, getTransfer] = readsOf(StockTransfer)

export const transferEndpoints: readonly Endpoint[] = [listTransfers, getTransfer, createTransfer]
