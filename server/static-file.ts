/**
 * A file that does not change while the process runs, answered in the smallest coding that the caller accepts. The first request makes each
 * coding on another thread, at a level that is too slow for every request. The result is kept.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'koa'

const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)]

type Coding = 'br' | 'gzip' | 'identity'

export type StaticFile = {
  readonly type: string
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  in(coding: Coding): Promise<Buffer>
}

/** @param read the file's bytes; called once, at the first request. `name` changes with the bytes. */
export function staticFile(
  type: string,
  { name, read }: { readonly name: string; readonly read: () => Buffer | Promise<Buffer> },
  headers: Readonly<Record<string, string>>,
): StaticFile {
  const kept = new Map<Coding, Promise<Buffer>>()
  const make = async (coding: Coding): Promise<Buffer> => {
    if (coding === 'identity') return read()
    const whole = await file.in('identity')
    return coding === 'gzip' ? gzipOf(whole) : brotliOf(whole, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
  }
  const file: StaticFile = {
    type,
    etag: `"${name}"`,
    headers,
    in: coding => {
      const made = kept.get(coding) ?? make(coding)
      kept.set(coding, made)
      return made
    },
  }
  return file
}

/**
 * A page may run scripts of this server, call this server only, and load nothing from elsewhere. @param styles which styles the page
 * accepts @param scripts which scripts the page accepts
 */
export const pagePolicy = (styles: string, scripts = "'self'"): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** For files whose names change with their content. */
export const keptForGood = { 'Cache-Control': 'public, max-age=31536000, immutable' } as const

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 22)

export async function answerFile(ctx: Context, file: StaticFile): Promise<void> {
  ctx.set({
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...file.headers,
  })
  ctx.vary('Accept-Encoding')
  ctx.etag = file.etag
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  // The order of Accept-Encoding does not matter: browsers accept both equally, and `br` is a quarter smaller.
  const coding = ctx.acceptsEncodings('br') ? 'br' : ctx.acceptsEncodings('gzip') ? 'gzip' : 'identity'
  if (coding !== 'identity') ctx.set('Content-Encoding', coding)
  ctx.type = file.type
  ctx.body = await file.in(coding)
}
