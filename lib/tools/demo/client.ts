/** Sends the demo's requests to a running service, with the package's client. It does not know their content. */
import { ApiError, ConnectionError } from '../../../client/src/index.ts'
import { settingsOf } from '../../../client/src/millrace.ts'
import { httpTransport } from '../../../client/src/transport.ts'

/** An answer that repeating does not change: the request is refused (4xx) or the service has a fault (500). */
export class DemoRefused extends Error {
  override name = 'DemoRefused'
}

/**
 * Sends one request and resolves to the body of its answer (2xx). Rejects with DemoRefused for other answers, and with an Error where none
 * comes.
 * @param path below `/api/external/v1`. Writes have a body and an Idempotency-Key.
 */
export type Send = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: unknown,
  idempotencyKey?: string,
) => Promise<unknown>

const TIMEOUT_MS = 20_000
const RETRIES_MAX = 4

/** A `Send` to the service at this address. After a 503 or a lost connection it tries again; fixed keys make that safe. */
export function sendOver(baseUrl: string, token: string): Send {
  const { read, write } = httpTransport(settingsOf({ baseUrl, token, timeoutMs: TIMEOUT_MS, maxRetries: RETRIES_MAX }))
  return async (method, path, body, idempotencyKey) => {
    try {
      return await (method === 'GET' ? read(path, {}) : write(method, path, body, { idempotencyKey }))
    } catch (error) {
      if (error instanceof ApiError)
        throw new DemoRefused(`${method} ${path} answered ${error.status}: ${error.message}`)
      if (error instanceof ConnectionError) throw new Error(`${baseUrl} does not answer`, { cause: error })
      throw error
    }
  }
}
