/** The endpoint of stock movements. */
import { listDocuments } from '../../../kit/api/document-queries.ts'
import { defineList, type Endpoint } from '../../../kit/api/endpoint.ts'
import { stockTag } from '../tag.ts'
import { Movement } from './document.ts'
import { movementFilters } from './filters.ts'

const movements = { table: 'stock_movements', alias: 'm', document: Movement.json }

export const listMovementsEndpoint = defineList({
  id: 'listStockMovements',
  path: '/stock-movements',
  tag: stockTag,
  scope: 'read:stock',
  summary: 'List stock movements',
  description:
    'Every change of a stock entry, append-only, in posting order (ascending by id), whatever the date of its document. The ' +
    'movements of an entry add up to its quantity, those of a variant at a place to its value. A move into or out of ' +
    'quarantine within a place is a TRANSFER_OUT and a TRANSFER_IN of the same entry. `created_after` is inclusive, ' +
    '`created_before` exclusive.',
  filters: movementFilters.schema,
  refusals: [],
  reply: Movement.reply,
  page: ({ pool, tenantId }, { filters, params: _, ...page }) =>
    listDocuments(pool, movements, { tenantId, ...page, ...movementFilters.ask(filters, tenantId) }),
})

export const movementEndpoints: readonly Endpoint[] = [listMovementsEndpoint]
