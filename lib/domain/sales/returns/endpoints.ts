/** The endpoints of sales returns. */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { readsOf } from '../../../kit/documents/noun.ts'
import { cancelReturn, createReturn, receiveReturn } from './commands.ts'
import { SalesReturn } from './noun.ts'

export const [listReturns, getReturn] = readsOf(SalesReturn)

export const returnEndpoints: readonly Endpoint[] = [listReturns, getReturn, createReturn, receiveReturn, cancelReturn]
