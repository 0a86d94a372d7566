/** Puts a refusal on the wire: exactly its three fields (docs/rules/requests.md), its headers, its status. */
import type { Context } from 'koa'
import { type Refusal, statusOf } from '../lib/kit/api/errors.ts'

/** Answers with the refusal. */
export function answerRefusal(ctx: Context, refusal: Refusal): void {
  ctx.state.refusal = refusal
  ctx.status = statusOf(refusal)
  if (refusal.headers) ctx.set({ ...refusal.headers })
  ctx.type = 'application/json'
  ctx.body = errorJson(refusal, ctx.state.requestId)
}

/** What the caller reads of a refusal. */
export const errorJson = ({ refusal, message }: Refusal, requestId: string): string =>
  JSON.stringify({ error: refusal, message, request_id: requestId })
