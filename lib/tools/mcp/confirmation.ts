/**
 * Binds what was shown to what is applied. A confirmation is an HMAC of the write and its summary with the user's key: only the holder of
 * the key can make one, and it fits no other write. Nothing is stored. It knows no tool.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Users should still remember what was shown. */
export const CONFIRMATION_AGE_MS_MAX = 15 * 60_000

/** A write that has not happened. */
export type Plan = {
  /** A name in `actions`. */
  readonly action: string
  /** The text that users are shown. */
  readonly summary: string
  readonly request: Readonly<Record<string, unknown>>
}

export type Confirm = {
  /** The confirmation of a plan that is shown now. Each confirmation allows one effect, also for equal plans. */
  readonly of: (plan: Plan) => string
  /**
   * The Idempotency-Key of a confirmed plan, or why there is none: `expired`; or `other` for a plan that differs from what was shown,
   * another key, another service, or an invented confirmation.
   */
  readonly check: (plan: Plan, confirmation: string) => { readonly idempotencyKey: string } | 'expired' | 'other'
}

export function confirming(by: {
  readonly token: string
  readonly baseUrl: string
  readonly now: () => number
}): Confirm {
  const sign = (plan: Plan, stamp: string) => {
    const { action, summary, request } = plan
    const signed = canonical(['millrace mcp', by.baseUrl, stamp, action, summary, request])
    return createHmac('sha256', by.token).update(signed).digest('hex').slice(0, 32)
  }
  return {
    of: plan => {
      const stamp = `${by.now().toString(36)}-${randomBytes(6).toString('hex')}`
      return `${stamp}-${sign(plan, stamp)}`
    },
    check: (plan, confirmation) => {
      const [, stamp = '', made = '', signature = ''] =
        /^(([0-9a-z]{1,10})-[0-9a-f]{12})-([0-9a-f]{32})$/.exec(confirmation) ?? []
      if (signature === '' || !timingSafeEqual(Buffer.from(signature), Buffer.from(sign(plan, stamp)))) return 'other'
      if (by.now() - Number.parseInt(made, 36) > CONFIRMATION_AGE_MS_MAX) return 'expired'
      return { idempotencyKey: `mcp-${confirmation}` }
    },
  }
}

/** JSON that ignores the order of fields and white space: clients may have rewritten what they send back. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
