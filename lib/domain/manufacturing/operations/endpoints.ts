/**
 * The endpoints of operations. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { changes, filtersOf, uniqueText } from '../../../kit/api/list-filters.ts'
import { listOf, readOf } from '../../../kit/documents/reads.ts'
import { changeOperationEndpoint, createOperationEndpoint } from './commands.ts'
import { Operation } from './document.ts'

const words = { tag: 'Operations', scope: 'read:manufacturing' }

export const listOperationsEndpoint = listOf(Operation, {
  ...words,
  id: 'listOperations',
  path: '/operations',
  summary: 'List operations',
  filters: filtersOf({
    external_ref: uniqueText(),
    ...changes,
  }),
})

export const getOperationEndpoint = readOf(Operation, {
  ...words,
  id: 'getOperation',
  path: '/operations/{id}',
  summary: 'Read an operation',
})

export const operationEndpoints: readonly Endpoint[] = [
  listOperationsEndpoint,
  getOperationEndpoint,
  createOperationEndpoint,
  changeOperationEndpoint,
]
