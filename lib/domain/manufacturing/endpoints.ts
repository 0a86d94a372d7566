/** The endpoints of the manufacturing area, gathered. */
import type { Endpoint } from '../../kit/api/endpoint.ts'
import { operationEndpoints } from './operations/endpoints.ts'
import { orderEndpoints } from './orders/endpoints.ts'
import { recipeEndpoints } from './recipes/endpoints.ts'

export const manufacturingEndpoints: readonly Endpoint[] = [
  ...operationEndpoints,
  ...recipeEndpoints,
  ...orderEndpoints,
]
