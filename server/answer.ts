/** Puts answers on the wire: JSON, compressed for callers who take it (docs/rules/requests.md, "Compression"), and refusals. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'koa'
import type { Json } from '../lib/kit/api/endpoint.ts'
import { type Refusal, statusOf } from '../lib/kit/api/errors.ts'
import type { Config } from '../lib/platform/config.ts'

type Answer = { readonly status: number; readonly body: Json | null }

/** Sends JSON text as it came from SQL; of a 304 only what its headers say of the text. */
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

/** Answers with exactly the three fields of a refusal (docs/rules/requests.md), its headers and its status. */
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

/** Up to it a caller gains less than it costs. */
const COMPRESSED_BYTES_MIN = 2 * 1024

const isLong = (text: string): boolean =>
  text.length > COMPRESSED_BYTES_MIN || Buffer.byteLength(text) > COMPRESSED_BYTES_MIN

const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)]

/**
 * At the lowest levels: of a page of 33 KB they make 4.1 KB (br) or 4.7 KB (gzip) in 0.1 ms; gzip's usual level would make 4.1 KB in
 * 0.25 ms. On threads of their own, so that a page of megabytes holds up nobody.
 */
const codings = {
  br: (text: string) => brotliOf(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (text: string) => gzipOf(text, { level: 1 }),
}

type Compressed = { readonly coding: keyof typeof codings; readonly body: Buffer }

/** The text in the coding that the caller likes best; null where it takes none. */
function compressed(ctx: Context, text: string): Promise<Compressed> | null {
  const coding = ctx.acceptsEncodings('br', 'gzip', 'identity')
  return coding === 'br' || coding === 'gzip' ? codings[coding](text).then(body => ({ coding, body })) : null
}
