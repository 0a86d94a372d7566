/**
 * THE list of endpoints. Everything that speaks HTTP derives from it; an endpoint that is not here does not exist.
 */

import { accessEndpoints } from './access/endpoints.ts'
import type { Endpoint } from './api/endpoint.ts'
import { bulkEndpoint } from './bulk/endpoints.ts'
import { catalogueEndpoints } from './catalogue/endpoints.ts'
import { manufacturingEndpoints } from './manufacturing/endpoints.ts'
import { partnerEndpoints } from './partners/endpoints.ts'
import { placeEndpoints } from './places/endpoints.ts'
import { planningEndpoints } from './planning/endpoints.ts'
import { purchasingEndpoints } from './purchasing/endpoints.ts'
import { salesEndpoints } from './sales/endpoints.ts'
import { stockEndpoints } from './stock/endpoints.ts'
import { securityEndpoints } from './telemetry/security/endpoints.ts'
import { webhookEndpoints } from './webhooks/endpoints.ts'

export const endpoints: readonly Endpoint[] = [
  ...catalogueEndpoints,
  ...placeEndpoints,
  ...partnerEndpoints,
  ...stockEndpoints,
  ...planningEndpoints,
  ...manufacturingEndpoints,
  ...purchasingEndpoints,
  ...salesEndpoints,
  ...webhookEndpoints(() => endpoints),
  bulkEndpoint,
  ...securityEndpoints,
  ...accessEndpoints,
]
