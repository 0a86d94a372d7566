/** Sends answers: JSON, compressed for callers that accept that (docs/rules/requests.md, "Compression"), and refusals. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'koa'
import type { Json } from '../lib/kit/api/endpoint.ts'
import { fieldsOf, type Refusal, statusOf } from '../lib/kit/api/errors.ts'
import type { Config } from '../lib/platform/config.ts'

type Answer = { readonly status: number; readonly body: Json | null }

/** Sends JSON text as PostgreSQL returned it. A 304 carries only the headers of the text. */
export async function answerJson(
  ctx: Context,
  { status, body }: Answer,
  { httpCompression }: Pick<Config, 'httpCompression'>,
): Promise<void> {
  ctx.status = status
  if (body === null) return
  const mayShrink = httpCompression && isLong(body)
  if (mayShrink) ctx.vary('Accept-Encoding')
  if (status === 304) return
  ctx.type = 'application/json'
  const short = mayShrink ? await compressed(ctx, body) : null
  if (short) ctx.set('Content-Encoding', short.coding)
  ctx.body = short?.body ?? body
}

/** Answers with the three fields of a refusal (docs/rules/requests.md), its headers and its status. */
export function answerRefusal(ctx: Context, refusal: Refusal): void {
  ctx.state.refusal = refusal
  ctx.status = statusOf(refusal)
  if (refusal.headers) ctx.set({ ...refusal.headers })
  const fields = fieldsOf(refusal)
  if (fields.length > 0) ctx.set('Error-Fields', fields.map(inHeader).join(', '))
  ctx.type = 'application/json'
  ctx.body = errorJson(refusal, ctx.state.requestId)
}

/** A name for a header: characters outside printable ASCII are percent-encoded, and so are commas and percent signs. */
const inHeader = (name: string): string =>
  name.replaceAll(/[^\x20-\x7e]+|[,%]/gu, text =>
    [...Buffer.from(text)].map(byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )

export const errorJson = ({ refusal, message }: Refusal, requestId: string): string =>
  JSON.stringify({ error: refusal, message, request_id: requestId })

/** Compressing a shorter text costs more than it saves. */
const COMPRESSED_BYTES_MIN = 2 * 1024

const isLong = (text: string): boolean =>
  text.length > COMPRESSED_BYTES_MIN || Buffer.byteLength(text) > COMPRESSED_BYTES_MIN

const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)]

/**
 * The lowest levels: a page of 33 KB becomes 4.1 KB (br) or 4.7 KB (gzip) in 0.1 ms; gzip's usual level makes 4.1 KB in 0.25 ms. Other
 * threads compress, so that a page of megabytes delays no other request.
 */
const codings = {
  br: (text: string) => brotliOf(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (text: string) => gzipOf(text, { level: 1 }),
}

type Compressed = { readonly coding: keyof typeof codings; readonly body: Buffer }

/** The text in the coding that the caller prefers. null: the caller accepts none. */
function compressed(ctx: Context, text: string): Promise<Compressed> | null {
  const coding = ctx.acceptsEncodings('br', 'gzip', 'identity')
  return coding === 'br' || coding === 'gzip' ? codings[coding](text).then(body => ({ coding, body })) : null
}
