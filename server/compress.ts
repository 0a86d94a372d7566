/** Compresses texts for callers who take it (docs/rules/requests.md, "Compression"). */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'koa'

/** Up to it a caller gains less than it costs. */
const BYTES_MIN = 2 * 1024

const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)]

/**
 * At the lowest levels: of a page of 33 KB they make 4.1 KB (br) or 4.7 KB (gzip) in 0.1 ms; gzip's usual level would make 4.1 KB in
 * 0.25 ms. On threads of their own, so that a page of megabytes holds up nobody.
 */
const codings = {
  br: (text: string) => brotliOf(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (text: string) => gzipOf(text, { level: 1 }),
}

export const isLong = (text: string): boolean => text.length > BYTES_MIN || Buffer.byteLength(text) > BYTES_MIN

type Compressed = { readonly coding: keyof typeof codings; readonly body: Buffer }

/** The text in the coding that the caller likes best; null where it takes none. */
export function compressed(ctx: Context, text: string): Promise<Compressed> | null {
  const coding = ctx.acceptsEncodings('br', 'gzip', 'identity')
  return coding === 'br' || coding === 'gzip' ? codings[coding](text).then(body => ({ coding, body })) : null
}
