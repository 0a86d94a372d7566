/** The endpoints of planning, gathered. */
import type { Endpoint } from '../../kit/api/endpoint.ts'
import { requirementEndpoints } from './requirements/endpoints.ts'
import { shortageEndpoints } from './shortages/endpoints.ts'

export const planningEndpoints: readonly Endpoint[] = [...shortageEndpoints, ...requirementEndpoints]
