/** The endpoints of the stock area, gathered. */
import type { Endpoint } from '../../kit/api/endpoint.ts'
import { adjustmentEndpoints } from './adjustments/endpoints.ts'
import { availabilityEndpoints } from './availability/endpoints.ts'
import { batchEndpoints } from './batches/endpoints.ts'
import { levelEndpoints } from './levels/endpoints.ts'
import { movementEndpoints } from './movements/endpoints.ts'
import { transferEndpoints } from './transfers/endpoints.ts'
import { valuationEndpoints } from './valuation/endpoints.ts'

export const stockEndpoints: readonly Endpoint[] = [
  ...levelEndpoints,
  ...availabilityEndpoints,
  ...valuationEndpoints,
  ...movementEndpoints,
  ...batchEndpoints,
  ...adjustmentEndpoints,
  ...transferEndpoints,
]
