/**
 * The endpoints of operations. It declares; what runs is in `commands.ts` and `queries.ts`.
 */
import { defineCommand, defineList, defineRead, type Endpoint } from '../../api/endpoint.ts'
import { changeOperation, createOperation, noSuchOperation } from './commands.ts'
import { findOperation, listOperations } from './queries.ts'
import { NewOperation, Operation, OperationChange, OperationFilters } from './schemas.ts'

const tag = 'Operations'

export const listOperationsEndpoint = defineList({
  id: 'listOperations',
  path: '/operations',
  tag,
  scope: 'read:manufacturing',
  summary: 'List operations',
  filters: OperationFilters,
  refusals: [],
  reply: Operation,
  page: ({ pool, tenantId }, { filters, after, limit }) => listOperations(pool, { tenantId, filters, after, limit }),
})

export const getOperationEndpoint = defineRead({
  id: 'getOperation',
  path: '/operations/{id}',
  tag,
  scope: 'read:manufacturing',
  summary: 'Read an operation',
  refusals: [],
  reply: Operation,
  handle: async ({ pool, tenantId }, { params }) =>
    (await findOperation(pool, { tenantId, id: params['id'] ?? '' })) ?? noSuchOperation(),
})

export const createOperationEndpoint = defineCommand({
  id: 'createOperation',
  method: 'POST',
  path: '/operations',
  tag,
  scope: 'write:manufacturing.operation.create',
  summary: 'Create an operation',
  description:
    'A `unit_name` that is new makes the unit; without one the operation has no unit. `position` is 0 if not given.',
  body: NewOperation,
  example: { title: 'Labelling', cost_per_hour: 18.5, position: 40, unit_name: 'bench' },
  success: 201,
  countsAsDocument: false,
  refusals: [],
  reply: Operation,
  execute: createOperation,
})

export const changeOperationEndpoint = defineCommand({
  id: 'updateOperation',
  method: 'PATCH',
  path: '/operations/{id}',
  tag,
  scope: 'write:manufacturing.operation.update',
  summary: 'Update an operation',
  description:
    'What is omitted stays; null clears a nullable field. Recipes and orders keep the `cost_per_hour` that they were written with.',
  body: OperationChange,
  example: { cost_per_hour: 19.2 },
  success: 200,
  countsAsDocument: false,
  refusals: [],
  reply: Operation,
  execute: changeOperation,
})

export const operationEndpoints: readonly Endpoint[] = [
  listOperationsEndpoint,
  getOperationEndpoint,
  createOperationEndpoint,
  changeOperationEndpoint,
]
