/**
 * THE list of endpoints. Everything that speaks HTTP derives from it; an endpoint that is not here does not exist.
 */
import { accessEndpoints } from './access/endpoints.ts'
import { scopesOf } from './access/scopes.ts'
import { catalogueEndpoints } from './domain/catalogue/endpoints.ts'
import { manufacturingEndpoints } from './domain/manufacturing/endpoints.ts'
import { partnerEndpoints } from './domain/partners/endpoints.ts'
import { placeEndpoints } from './domain/places/endpoints.ts'
import { planningEndpoints } from './domain/planning/endpoints.ts'
import { purchasingEndpoints } from './domain/purchasing/endpoints.ts'
import { salesEndpoints } from './domain/sales/endpoints.ts'
import { stockEndpoints } from './domain/stock/endpoints.ts'
import type { Endpoint } from './kit/api/endpoint.ts'
import { bulkEndpoint } from './pipeline/bulk/endpoints.ts'
import { securityEndpoints } from './security/endpoints.ts'
import { webhookEndpoints } from './webhooks/endpoints.ts'

const resources: readonly Endpoint[] = [
  ...catalogueEndpoints,
  ...placeEndpoints,
  ...partnerEndpoints,
  ...stockEndpoints,
  ...planningEndpoints,
  ...manufacturingEndpoints,
  ...purchasingEndpoints,
  ...salesEndpoints,
]

export const endpoints: readonly Endpoint[] = [
  ...resources,
  // Subscriptions name the kinds of events that the resources declare.
  ...webhookEndpoints(resources),
  bulkEndpoint,
  ...securityEndpoints,
  ...accessEndpoints,
]

/** The closed list of scopes. */
export const scopes = scopesOf(endpoints)
