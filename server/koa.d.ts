/**
 * What the middlewares leave for each other on a request. Nothing else may be put there.
 */
import 'koa'
import type { Access } from '../lib/access/access.ts'
import type { RateDecision } from '../lib/access/rate.ts'
import type { Endpoint } from '../lib/api/endpoint.ts'

declare module 'koa' {
  interface DefaultState {
    requestId: string
    /** Set once the route is matched. */
    endpoint: Endpoint
    /** Set once the key is authenticated. */
    access: Access
    /** What the rate limit said of this request. */
    rate: RateDecision
  }
  interface DefaultContext {
    /** Path parameters, int64 text. */
    params: Record<string, string>
  }
}
