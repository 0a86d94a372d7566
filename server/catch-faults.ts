/**
 * Turns thrown errors into answers: an unavailable dependency is 503 and retryable, any other error is 500 and logged. No internal text
 * reaches the caller.
 */
import type { Middleware } from 'koa'
import { refuse } from '../lib/kit/api/errors.ts'
import { isDependencyFailure } from '../lib/platform/postgres/failures.ts'
import type { Log } from '../lib/platform/telemetry/log.ts'
import { answerRefusal } from './answer.ts'

const away = refuse(
  'service_unavailable',
  'A part of the service is away; a retry with the same Idempotency-Key is safe.',
  { 'Retry-After': '1' },
)
const fault = refuse('internal_error', 'An unexpected fault; the request_id helps support to find it.')

export function catchFaults(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const retryable = isDependencyFailure(error)
      log[retryable ? 'warn' : 'error']({ err: error, request_id: ctx.state.requestId }, 'request failed')
      answerRefusal(ctx, retryable ? away : fault)
    }
  }
}
