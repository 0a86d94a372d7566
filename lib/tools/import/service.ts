/** Calls a running service for an import, like any caller: each write runs in its tenant's one serial stream, with the same checks. */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Entry, faultsIn, ImportStopped, type Result, type Service } from '../../../imports/service.ts'
import { canonical, type Fields, isFields, readValue } from '../../../imports/values.ts'

const ATTEMPTS_MAX = 6
const GAP_MS = 1_000
const GAP_MS_MAX = 60_000
const TIMEOUT_MS = 30_000

type Reply = { readonly status: number; readonly isReplay: boolean; readonly body: Fields }

type Caller = { readonly baseUrl: string; readonly token: string }

/** A short hash of a body, for its Idempotency-Key: an equal body is answered and not written again. */
export const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex').slice(0, 40)

/** The service as an import reaches it. Each write is a request of its own: a tenant's writes run in one stream anyway. */
export const serviceOf = (caller: Caller): Service => ({
  isDry: false,
  entriesMax: 1,
  hash: hashOf,
  read: async path => {
    const { status, body } = await request(caller, 'GET', path)
    // A text that cannot be looked up (400) names no record.
    if (status === 404 || status === 400) return null
    if (status !== 200) throw new ImportStopped(`${path}: ${messageOf({ status, body })}`)
    return body
  },
  write: async entry => resultOf(await request(caller, entry.method, entry.path, entry)),
})

function resultOf({ status, isReplay, body }: Reply): Result {
  if (status < 300) return { isReplay, body }
  const message = messageOf({ status, body })
  // The plan has no room for further rows.
  if (status === 402) throw new ImportStopped(message)
  const code = String(body['error'] ?? '')
  return { isReplay, refusal: { code, message, faults: code === 'validation_failed' ? faultsIn(message) : [] } }
}

/** Why the service refused. */
const messageOf = ({ status, body }: Pick<Reply, 'status' | 'body'>): string =>
  String(body['message'] ?? `answered ${status}`)

/** A proxy in between may answer with other text. */
function fieldsOf(text: string): Fields {
  try {
    const value = readValue(text)
    return isFields(value) ? value : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/**
 * One request, repeated while the service is away or asks to wait. The same key makes that safe.
 * @throws ImportStopped when it stays away, or refuses the key
 */
async function request(
  { baseUrl, token }: Caller,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  write?: Pick<Entry, 'body' | 'key'>,
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
      ...(write === undefined ? {} : { body: canonical(write.body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null)
    const text = await answer?.text().catch(() => undefined)
    if (answer && text !== undefined) {
      const { status } = answer
      if (status === 401)
        throw new ImportStopped(`the service at ${baseUrl} does not take the key: does it run on this database?`)
      if (status === 403) throw new ImportStopped(messageOf({ status, body: fieldsOf(text) }))
      if (status !== 429 && status < 500) {
        const isReplay = answer.headers.get('idempotent-replayed') === 'true'
        return { status, isReplay, body: fieldsOf(text) }
      }
    }
    // A rate limit only needs waiting; other failures may never end.
    if (attempt >= ATTEMPTS_MAX && answer?.status !== 429)
      throw new ImportStopped(`the service at ${baseUrl} does not answer`)
    const asked = Number(answer?.headers.get('retry-after') ?? '') * 1_000
    await delay(Math.min(Math.max(asked || 0, GAP_MS), GAP_MS_MAX))
  }
}
