/**
 * Sends the rows of an import to a running service as `POST /products`, like any caller: each write then runs in its
 * tenant's one serial stream, with the same checks. It must not read files.
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { canonicalJson, type JsonObject, parseJson } from '../../api/json.ts'
import { isSameProduct, lookupOf } from './same-product.ts'

/** The import cannot go on: the service is away, or no further row could succeed. */
export class ImportStopped extends Error {
  override name = 'ImportStopped'
}

/** What became of a row: made now, there already as the row asks, or refused. */
export type Outcome = 'created' | 'known' | { readonly fault: string }

const ATTEMPTS_MAX = 6
const GAP_MS = 1_000
const GAP_MS_MAX = 60_000
const TIMEOUT_MS = 30_000

type Reply = { readonly status: number; readonly isReplay: boolean; readonly body: JsonObject }

export type Service = { readonly baseUrl: string; readonly token: string }

/**
 * A sender of one import. Its Idempotency-Keys are made of the rows' contents, so that a row which was sent before, in
 * whatever line, is answered and not made again; equal rows of one file are told apart by their count. Beyond the 30 days
 * that keys are kept, a row finds its product by external_ref or sku.
 */
export function rowSender(service: Service): (row: JsonObject) => Promise<Outcome> {
  const seen = new Map<string, number>()
  return async row => {
    const body = canonicalJson(row)
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 40)
    const count = (seen.get(hash) ?? 0) + 1
    seen.set(hash, count)
    const reply = await request(service, 'POST', '/products', { body, key: `import-${hash}-${count}` })
    if (reply.status < 300) return reply.isReplay ? 'known' : 'created'
    const reason = String(reply.body['message'] ?? `answered ${reply.status}`)
    if (reply.status === 402) throw new ImportStopped(reason)
    return (await isKnown(service, row)) ? 'known' : { fault: reason }
  }
}

/** A refused row whose product is there already, just as the row asks, is no fault. */
async function isKnown(service: Service, row: JsonObject): Promise<boolean> {
  const lookup = lookupOf(row)
  if (lookup === null || lookup.length > 1_000) return false
  const reply = await request(service, 'GET', `/products?limit=1&${lookup}`)
  const data = reply.body['data']
  const [product] = Array.isArray(data) ? (data as JsonObject[]) : []
  return product !== undefined && isSameProduct(row, product)
}

/**
 * One request, repeated while the service is away or asks to wait; the same key makes that safe.
 * @throws ImportStopped when it stays away, and when it does not take the key.
 */
async function request(
  { baseUrl, token }: Service,
  method: 'GET' | 'POST',
  path: string,
  write?: { readonly body: string; readonly key: string },
): Promise<Reply> {
  const headers = new Headers({ Authorization: `Bearer ${token}` })
  if (write !== undefined) {
    headers.set('Content-Type', 'application/json')
    headers.set('Idempotency-Key', write.key)
  }
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${baseUrl}/api/external/v1${path}`, {
      method,
      headers,
      ...(write === undefined ? {} : { body: write.body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null)
    const text = await answer?.text().catch(() => undefined)
    if (answer && text !== undefined) {
      const { status } = answer
      if (status === 401 || status === 403)
        throw new ImportStopped(`the service at ${baseUrl} does not take the key: does it run on this database?`)
      if (status !== 429 && status < 500) {
        const isReplay = answer.headers.get('idempotent-replayed') === 'true'
        return { status, isReplay, body: parseJson(text) as JsonObject }
      }
    }
    // A rate limit is only a matter of waiting; everything else may not end.
    if (attempt >= ATTEMPTS_MAX && answer?.status !== 429)
      throw new ImportStopped(`the service at ${baseUrl} does not answer`)
    const asked = Number(answer?.headers.get('retry-after') ?? '') * 1_000
    await delay(Math.min(Math.max(asked || 0, GAP_MS), GAP_MS_MAX))
  }
}
