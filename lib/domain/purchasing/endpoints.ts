/** The endpoints of the purchasing area, gathered. */
import type { Endpoint } from '../../kit/api/endpoint.ts'
import { orderEndpoints } from './orders/endpoints.ts'
import { receiptEndpoints } from './receipts/endpoints.ts'

export const purchasingEndpoints: readonly Endpoint[] = [...orderEndpoints, ...receiptEndpoints]
