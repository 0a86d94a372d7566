/** Calls a running service for an import, like any caller: each write runs in its tenant's one serial stream, with the same checks. */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type JsonObject, JsonSyntaxError, parseJson } from '../../platform/json.ts'
import { isObject, objectsOf } from './json-values.ts'

/** The import cannot continue: the service is away, or no further row could succeed. */
export class ImportStopped extends Error {
  override name = 'ImportStopped'
}

const ATTEMPTS_MAX = 6
const GAP_MS = 1_000
const GAP_MS_MAX = 60_000
const TIMEOUT_MS = 30_000
const PAGE_ROWS = 200

export type Reply = { readonly status: number; readonly isReplay: boolean; readonly body: JsonObject }

export type Service = { readonly baseUrl: string; readonly token: string }

/** A short hash of a body, for its Idempotency-Key: an equal body is answered and not written again. */
export const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex').slice(0, 40)

/** Why the service refused. */
export const messageOf = ({ status, body }: Pick<Reply, 'status' | 'body'>): string =>
  String(body['message'] ?? `answered ${status}`)

/** A proxy in between may answer with other text. */
function objectOf(text: string): JsonObject {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : {}
  } catch (error) {
    if (error instanceof JsonSyntaxError) return {}
    throw error
  }
}

/** The first record of a list, or null. `query` has no `limit`. */
export async function findFirst(service: Service, path: string, query: string): Promise<JsonObject | null> {
  const { body } = await request(service, 'GET', `${path}?limit=1&${query}`)
  return objectsOf(body['data'])[0] ?? null
}

/** The record with this external_ref, or null. */
export async function findByRef(service: Service, path: string, ref: string): Promise<JsonObject | null> {
  const { status, body } = await request(service, 'GET', `${path}/by-ref/${encodeURIComponent(ref)}`)
  return status === 200 ? body : null
}

/** All records of a list, page by page. */
export async function* findAll(service: Service, path: string, query = ''): AsyncGenerator<JsonObject> {
  let cursor = ''
  do {
    const at = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const reply = await request(service, 'GET', `${path}?limit=${PAGE_ROWS}${query === '' ? '' : `&${query}`}${at}`)
    if (reply.status !== 200) throw new ImportStopped(`${path}: ${messageOf(reply)}`)
    yield* objectsOf(reply.body['data'])
    cursor = String(reply.body['next_cursor'] ?? '')
  } while (cursor !== '')
}

/**
 * One request, repeated while the service is away or asks to wait. The same key makes that safe.
 * @throws ImportStopped when it stays away, or refuses the key
 */
export async function request(
  { baseUrl, token }: Service,
  method: 'GET' | 'POST' | 'PATCH',
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
      if (status === 401)
        throw new ImportStopped(`the service at ${baseUrl} does not take the key: does it run on this database?`)
      if (status === 403) throw new ImportStopped(messageOf({ status, body: objectOf(text) }))
      if (status !== 429 && status < 500) {
        const isReplay = answer.headers.get('idempotent-replayed') === 'true'
        return { status, isReplay, body: objectOf(text) }
      }
    }
    // A rate limit only needs waiting; other failures may never end.
    if (attempt >= ATTEMPTS_MAX && answer?.status !== 429)
      throw new ImportStopped(`the service at ${baseUrl} does not answer`)
    const asked = Number(answer?.headers.get('retry-after') ?? '') * 1_000
    await delay(Math.min(Math.max(asked || 0, GAP_MS), GAP_MS_MAX))
  }
}
