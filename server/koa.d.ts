/**
 * What the middlewares leave for each other on a request. Nothing else may be put there.
 */
import 'koa'
import type { Endpoint } from '../lib/api/endpoint.ts'
import type { Access } from './authenticate.ts'

declare module 'koa' {
  interface DefaultState {
    requestId: string
    /** Set once the route is matched. */
    endpoint: Endpoint | undefined
    /** Set once the key is authenticated. */
    access: Access
  }
  interface DefaultContext {
    /** Path parameters, int64 text. */
    params: Record<string, string>
  }
}
