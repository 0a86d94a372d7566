/** What a request may do: its key as every later step sees it, without token or hash. */
import { type Refusal, refuse } from '../kit/api/errors.ts'

export type Access = {
  readonly tenantId: string
  /** Where the tenant lives (docs/decisions/0010). */
  readonly cell: string
  readonly keyId: string
  readonly keyName: string
  /** The name of the key's user. */
  readonly userName: string
  readonly scopes: ReadonlySet<string>
  readonly ratePerMinute: number
  /** The most requests that may come at once. */
  readonly burst: number
  /** The most documents per UTC day. */
  readonly dailyDocuments: number
  /** The id of the first key of a rotation. All keys of a rotation share one quota. */
  readonly quotaGroup: string
  /** The tenant's time zone, in which a date in a body begins. */
  readonly timeZone: string
  /** Whether the operator has suspended the tenant. */
  readonly tenantSuspended: boolean
}

/** `forbidden`: the tenant is suspended, or the key lacks the scope. The message names the scope. Null: no scope is needed. */
export function checkScopes(
  access: Access,
  { scope, ...endpoint }: { readonly scope: string | null; readonly alsoScope?: string },
): Refusal | undefined {
  return checkScope(access, scope) ?? checkScope(access, endpoint.alsoScope ?? null)
}

export function checkScope(access: Access, scope: string | null): Refusal | undefined {
  if (access.tenantSuspended)
    return refuse('forbidden', 'The tenant is suspended: none of its API keys is served; ask who operates the service')
  return scope === null || access.scopes.has(scope)
    ? undefined
    : refuse('forbidden', `The API key lacks the scope ${scope}`)
}
