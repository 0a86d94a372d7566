/**
 * Sends the demo's requests to a running service. It knows HTTP and retries, and nothing of what is sent.
 */
import { setTimeout as delay } from 'node:timers/promises'

/** An answer that another try would not better: the request is refused (4xx) or the service has a fault (500). */
export class DemoRefused extends Error {
  override name = 'DemoRefused'
}

/**
 * Sends one request and resolves to the body of its answer (2xx). It rejects with DemoRefused for other answers, and with
 * an Error where none comes.
 * @param path below `/api/external/v1`. Writes have a body and an Idempotency-Key.
 */
export type Send = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: unknown,
  idempotencyKey?: string,
) => Promise<unknown>

const ATTEMPTS_MAX = 5
const ATTEMPTS_GAP_MS = 1_000
const TIMEOUT_MS = 20_000

/** A `Send` to the service at this address. A 503 or a lost connection is tried again; fixed keys make that safe. */
export function sendOver(baseUrl: string, token: string): Send {
  const root = `${baseUrl.replace(/\/+$/, '')}/api/external/v1`
  return async (method, path, body, idempotencyKey) => {
    const headers = new Headers({ Authorization: `Bearer ${token}` })
    if (body !== undefined) headers.set('Content-Type', 'application/json')
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
    const attempt = () =>
      fetch(root + path, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
    for (let count = 1; ; count++) {
      const answer = await attempt().catch((error: unknown) => {
        if (count === ATTEMPTS_MAX) throw new Error(`${baseUrl} does not answer`, { cause: error })
      })
      if (answer?.ok) return answer.json()
      if (answer && (answer.status !== 503 || count === ATTEMPTS_MAX))
        throw new DemoRefused(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
      await answer?.body?.cancel()
      await delay(ATTEMPTS_GAP_MS)
    }
  }
}
