/** Owns a caller of the public interface with one key, which reads answers strictly. */
import { randomUUID } from 'node:crypto'
import type { IssuedKey } from '../../lib/access/keys.ts'
import type { Loose } from './command-context.ts'

/** An answer: its JSON parsed (null when empty), and what came with it. */
export type Reply = { readonly status: number; readonly headers: Headers; readonly body: Loose; readonly text: string }

export type RequestOptions = {
  readonly token?: string | null
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly rawBody?: string | Uint8Array
  readonly key?: string | null
  readonly headers?: Record<string, string>
  /** Hangs up. */
  readonly signal?: AbortSignal
}

export type Client = {
  readonly url: string
  readonly token: string
  readonly tenantId: string
  readonly keyId: string
  /** Any request below `/api/external/v1`. */
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>
  get(path: string): Promise<Reply>
  /** A write with a fresh Idempotency-Key (or the given one). */
  post(path: string, body: unknown, key?: string): Promise<Reply>
  patch(path: string, body: unknown, key?: string): Promise<Reply>
  /** A POST that must succeed: its body. */
  made(path: string, body: unknown): Promise<Loose>
}

/** A client of a service that is there already. */
export function client(baseUrl: string, tenantId: string, issued: IssuedKey): Client {
  const request = async (method: string, path: string, options: RequestOptions = {}): Promise<Reply> => {
    const { token = issued.token, key = method === 'GET' || path === '/bulk' ? null : randomUUID() } = options
    const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const response = await fetch(`${baseUrl}/api/external/v1${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(key === null ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: body as string }),
      ...(options.signal ? { signal: options.signal } : {}),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) }
  }
  const write = (method: string) => (path: string, body: unknown, key?: string) =>
    request(method, path, key === undefined ? { body } : { body, key })
  const post = write('POST')
  return {
    url: baseUrl,
    token: issued.token,
    tenantId,
    keyId: issued.keyId,
    request,
    get: path => request('GET', path),
    post,
    patch: write('PATCH'),
    made: async (path, body) => {
      const { status, text, body: record } = await post(path, body)
      if (status >= 300) throw new Error(`POST ${path}: ${status} ${text}`)
      return record
    },
  }
}
