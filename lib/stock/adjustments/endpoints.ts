/**
 * The endpoints of stock adjustments. It declares; what runs is in `commands.ts` and `queries.ts`.
 */
import { defineList, defineRead, defineTask, type Endpoint } from '../../api/endpoint.ts'
import { refuse } from '../../api/errors.ts'
import { createAdjustment } from './commands.ts'
import { findAdjustment, listAdjustments } from './queries.ts'
import { Adjustment } from './reply.ts'
import { AdjustmentFilters, NewAdjustment } from './schemas.ts'

const tag = 'Stock adjustments'

export const listAdjustmentsEndpoint = defineList({
  id: 'listStockAdjustments',
  path: '/stock-adjustments',
  tag,
  scope: 'read:stock',
  summary: 'List stock adjustments',
  description: '`created_after` is inclusive, `created_before` exclusive.',
  filters: AdjustmentFilters,
  refusals: [],
  reply: Adjustment,
  page: ({ pool, tenantId }, { filters, after, limit }) => listAdjustments(pool, { tenantId, filters, after, limit }),
})

export const getAdjustmentEndpoint = defineRead({
  id: 'getStockAdjustment',
  path: '/stock-adjustments/{id}',
  tag,
  scope: 'read:stock',
  summary: 'Read a stock adjustment',
  description: 'As it was posted: a later change of a sku or title does not show.',
  refusals: [],
  reply: Adjustment,
  handle: async ({ pool, tenantId }, { params }) =>
    (await findAdjustment(pool, { tenantId, id: params['id'] ?? '' })) ??
    refuse('not_found', 'no such stock adjustment'),
})

export const createAdjustmentEndpoint = defineTask({
  id: 'createStockAdjustment',
  method: 'POST',
  path: '/stock-adjustments',
  tag,
  scope: 'write:inventory.adjustment.create',
  summary: 'Adjust stock',
  description:
    'All lines or none, posted in their order; a later line sees what an earlier one did. A line gives exactly one of ' +
    '`quantity` (signed, not 0) and `counted_quantity`. `expected_quantity` compares and sets: where the stock differs, the ' +
    'adjustment is 409 `stock_changed`. Both speak of all physical stock of the variant at the place, or of the named batch. ' +
    '`unit_cost` is for inflows only (0 counts); without it an inflow comes in at the average cost as it is, at an empty place ' +
    'at the purchase price, else at 0. An inflow of a batch-tracked variant without a batch takes the number of the document as its ' +
    "batch; a new batch's `expiry_date` defaults to its `manufacture_date` plus the shelf life. An outflow without a batch is " +
    'taken first-expired-first-out, expired stock included, quarantined stock never, and answers one line per stock entry. ' +
    'Without `storage_place_id` the main place is adjusted; null adjusts stock without a place.',
  body: NewAdjustment,
  example: {
    reason: 'INITIAL',
    notes: 'Opening stock',
    items: [{ item_variant_id: '1042', quantity: 12, unit_cost: 12.5 }],
  },
  success: 201,
  replay: 200,
  countsAsDocument: true,
  refusals: ['stock_changed', 'unprocessable'],
  reply: Adjustment,
  begin: createAdjustment,
})

export const adjustmentEndpoints: readonly Endpoint[] = [
  listAdjustmentsEndpoint,
  getAdjustmentEndpoint,
  createAdjustmentEndpoint,
]
