/** What middlewares pass to each other with a request. Nothing else may be stored there. */
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
    /** Set when the route is matched. */
    endpoint: Endpoint
    /** The caller's address. It is counted and never logged. */
    callerAddress: string
    /** Set when the key is authenticated. */
    access: Access
    /** Set instead of `access`, for counting, when the key is known but revoked or expired. */
    refusedAccess?: Access
    /** Set when the answer is a refusal. */
    refusal?: Refusal
    /** Set after a bulk ran: how each entry ended. */
    bulk?: {
      readonly mode: string
      readonly entries: readonly Answered[]
    }
    /** The pool of a read. Not set for commands, nor after the tenant has moved. */
    readPool?: ReadPool | Promise<ReadPool>
    /** How many requests of the rate this request has taken. */
    requestsTaken: number
    /** The deadline of the request (deadlines.ts). */
    deadline: {
      /** In ms of this process's clock. */
      readonly begunAt: number
      /** The deadline has answered the request while its steps still wait. */
      isOver: boolean
      /** Ends the deadline: it no longer answers the request. */
      readonly stop: () => void
      /** How long a write ran before its body was read, in ms. */
      beforeMs?: number
    }
  }
  interface DefaultContext {
    /** Path parameters as int64 text. */
    params: Record<string, string>
  }
}
