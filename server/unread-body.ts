/**
 * Handles a body that is not read to its end, because the request was refused earlier or takes no body. The connection can carry the next
 * request only after that body. Behind a proxy the next request may be another tenant's.
 */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Context, Middleware } from 'koa'

/**
 * A rest of the body up to this length is read and dropped, and the connection stays open. It is twice the longest body of all endpoints.
 */
const DROPPED_BYTES_MAX = 8 * 1024 * 1024
/** With a longer rest the caller has this time to read the answer. Then the connection is closed. */
const FAREWELL_MS = 2_000

/** The outermost middleware: drops the rest of the body after the answer. */
export const dropUnreadBody: Middleware = async (ctx, next) => {
  await next()
  const { req } = ctx
  // A reader that failed may have left a decoder attached. The decoder reads nothing more and blocks the body.
  req.unpipe()
  if (req.complete || isShort(req)) req.resume()
  else closeAfter(ctx, dropped(req))
}

const isShort = ({ headers }: IncomingMessage): boolean => Number(headers['content-length']) <= DROPPED_BYTES_MAX

/** Drops the body as it arrives. Resolves when enough was dropped or nothing more arrives. */
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

/**
 * Closes the connection after the answer and after `end`: a client that still sends would lose the answer if its connection were closed.
 */
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
