/**
 * The endpoints of operations. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../api/endpoint.ts'
import { sameKey } from '../../api/list-page.ts'
import { listOf, readOf } from '../../documents/reads.ts'
import { changeOperationEndpoint, createOperationEndpoint } from './commands.ts'
import { Operation } from './document.ts'
import { OperationFilters } from './schemas.ts'

const words = { tag: 'Operations', scope: 'read:manufacturing' }

export const listOperationsEndpoint = listOf(Operation, {
  ...words,
  id: 'listOperations',
  path: '/operations',
  summary: 'List operations',
  filters: OperationFilters,
  where: ({ external_ref }) => ({ same: sameKey('external_ref', external_ref) }),
})

export const getOperationEndpoint = readOf(Operation, {
  ...words,
  id: 'getOperation',
  path: '/operations/{id}',
  summary: 'Read an operation',
})

export { changeOperationEndpoint, createOperationEndpoint }

export const operationEndpoints: readonly Endpoint[] = [
  listOperationsEndpoint,
  getOperationEndpoint,
  createOperationEndpoint,
  changeOperationEndpoint,
]
