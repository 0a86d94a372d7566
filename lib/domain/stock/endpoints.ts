/** The endpoints of the stock area, gathered. */
import type { Endpoint } from '../../kit/api/endpoint.ts'
import { readsOf } from '../../kit/documents/noun.ts'
import { adjustmentEndpoints } from './adjustments/endpoints.ts'
import { availabilityEndpoints } from './availability/endpoints.ts'
import { batchEndpoints } from './batches/endpoints.ts'
import { StockEntry } from './levels/noun.ts'
import { Movement } from './movements/noun.ts'
import { transferEndpoints } from './transfers/endpoints.ts'
import { valuationEndpoints } from './valuation/endpoints.ts'

export const [listStock] = readsOf(StockEntry)
export const [listMovements] = readsOf(Movement)

export const stockEndpoints: readonly Endpoint[] = [
  { ...listStock, summary: 'List stock entries' },
  ...availabilityEndpoints,
  ...valuationEndpoints,
  listMovements,
  ...batchEndpoints,
  ...adjustmentEndpoints,
  ...transferEndpoints,
]
