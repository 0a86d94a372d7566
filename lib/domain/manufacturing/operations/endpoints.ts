/** The endpoints of operations. */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { readsOf } from '../../../kit/documents/noun.ts'
import { changeOperation, createOperation } from './commands.ts'
import { Operation } from './noun.ts'

export const [listOperations, getOperation] = readsOf(Operation)

export const operationEndpoints: readonly Endpoint[] = [listOperations, getOperation, createOperation, changeOperation]
