/**
 * What the middlewares leave for each other on a request. Nothing else may be put there.
 */
import 'koa'
import type { Access } from '../lib/access/access.ts'
import type { Endpoint } from '../lib/kit/api/endpoint.ts'
import type { Refusal } from '../lib/kit/api/errors.ts'
import type { Answered } from '../lib/security/counted.ts'
import type { ReadPool } from './read-pool.ts'

declare module 'koa' {
  interface DefaultState {
    requestId: string
    /** Whether the request is a dry run. */
    isDryRun: boolean
    /** Set once the route is matched. */
    endpoint: Endpoint
    /** Where the request comes from; for counting, never for logs. */
    callerAddress: string
    /** Set once the key is authenticated. */
    access: Access
    /** Set instead, for counting, when the key is known but revoked or expired. */
    refusedAccess?: Access
    /** Set when the answer is a refusal. */
    refusal?: Refusal
    /** Set when a bulk was run: how each of its entries ended. */
    bulk?: {
      readonly mode: string
      readonly entries: readonly Answered[]
    }
    /** Where a read goes; not set for commands, and of a tenant that has moved meanwhile. */
    readPool?: ReadPool | Promise<ReadPool>
    /** How many requests of the rate this one has taken. */
    requestsTaken: number
    /** The time of the request (deadlines.ts). */
    deadline: {
      /** In ms of this process. */
      readonly begunAt: number
      /** It was answered without the steps that still wait. */
      isOver: boolean
      /** It is not given up any more. */
      readonly stop: () => void
      /** How long a write waited before its body was read. */
      beforeMs?: number
    }
  }
  interface DefaultContext {
    /** Path parameters, int64 text. */
    params: Record<string, string>
  }
}
