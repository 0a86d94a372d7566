/**
 * What becomes of a body that nobody reads to its end, because the request is refused before it or takes none. A connection carries
 * the next request only after that end: behind a proxy it may be another tenant's.
 */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Context, Middleware } from 'koa'

/** A rest up to this length is read and dropped, and the connection lives on. It is twice the longest body of all endpoints. */
const DROPPED_BYTES_MAX = 8 * 1024 * 1024
/** Who sends a longer rest may read the answer for so long, before the connection is closed. */
const FAREWELL_MS = 2_000

/** Stands outermost: what remains of the body is dropped with the answer. */
export const dropUnreadBody: Middleware = async (ctx, next) => {
  await next()
  const { req } = ctx
  // A reader that gave up may have left a decoder behind, which takes nothing more and holds the body up.
  req.unpipe()
  if (req.complete || isShort(req)) req.resume()
  else closeAfter(ctx, dropped(req))
}

const isShort = ({ headers }: IncomingMessage): boolean => Number(headers['content-length']) <= DROPPED_BYTES_MAX

/** Drops what comes of the body, and resolves when enough has come, or nothing more is to come. */
function dropped(req: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = DROPPED_BYTES_MAX
  const timer = setTimeout(resolve, FAREWELL_MS)
  req.on('data', (bytes: Buffer) => {
    left -= bytes.length
    if (left >= 0) return
    req.pause()
    resolve()
  })
  for (const event of ['end', 'close'] as const) req.once(event, resolve)
  return promise.finally(() => clearTimeout(timer))
}

/** Closes the connection after the answer. One that is closed while its peer sends loses the answer, so the end waits. */
function closeAfter(ctx: Context, end: Promise<void>): void {
  const { res, body } = ctx
  if (res.headersSent) {
    void end.then(() => ctx.req.destroy())
    return
  }
  ctx.set('Connection', 'close')
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return
  const { length } = ctx
  ctx.body = Readable.from(followedBy(body, end))
  ctx.length = length
}

async function* followedBy(body: string | Buffer, end: Promise<void>): AsyncGenerator<string | Buffer> {
  yield body
  await end
}
