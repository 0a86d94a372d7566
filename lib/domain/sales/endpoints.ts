/** The endpoints of the sales area, gathered. */
import type { Endpoint } from '../../kit/api/endpoint.ts'
import { orderEndpoints } from './orders/endpoints.ts'
import { returnEndpoints } from './returns/endpoints.ts'
import { handlingEndpoints } from './shipments/endpoints.ts'

export const salesEndpoints: readonly Endpoint[] = [...orderEndpoints, ...handlingEndpoints, ...returnEndpoints]
