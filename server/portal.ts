/**
 * Serves the portal (portal/README.md): one page for `/portal` and all paths below it, and its files, whose names change with their
 * content. None needs a key. `portal/build.ts` makes the files.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { Context, Middleware } from 'koa'
import { refuse } from '../lib/kit/api/errors.ts'
import { answerRefusal } from './answer.ts'
import { readOnly } from './health.ts'
import { answerFile, keptForGood, pagePolicy, type StaticFile, staticFile } from './static-file.ts'

const DIST = new URL('../portal/dist/', import.meta.url)

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

type Portal = { readonly html: string; readonly files: ReadonlyMap<string, StaticFile> }

/** `GET /portal` and below. */
export function portalRoutes(dist: URL = DIST): Middleware {
  let portal: Portal | null = null
  return (ctx, next) => {
    if (ctx.path !== '/portal' && !ctx.path.startsWith('/portal/')) return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return answerRefusal(ctx, readOnly(ctx.method))
    // Read at the first request: a process may start before the files are built.
    portal ??= read(dist)
    const file = portal?.files.get(ctx.path)
    if (file) return answerFile(ctx, file)
    if (portal === null || ctx.path.startsWith('/portal/assets/'))
      return answerRefusal(ctx, refuse('not_found', portal === null ? NOT_BUILT : 'there is no such file'))
    answerPage(ctx, portal.html)
  }
}

const NOT_BUILT = 'the portal is not built here: npm run portal'

function read(dist: URL): Portal | null {
  if (!existsSync(new URL('index.html', dist))) return null
  const files = readdirSync(new URL('assets/', dist)).map((name): [string, StaticFile] => {
    // All files are read at once: open pages need the files that they name, even after a new build.
    const bytes = readFileSync(new URL(`assets/${name}`, dist))
    const file = staticFile(
      types[extname(name)] ?? 'application/octet-stream',
      { name, read: () => bytes },
      keptForGood,
    )
    return [`/portal/assets/${name}`, file]
  })
  return { html: readFileSync(new URL('index.html', dist), 'utf8'), files: new Map(files) }
}

/**
 * The page's components write styles into the page, so the styles have the nonce of the answer. WebAssembly reads the codes in camera
 * pictures. The policy lets scripts compile WebAssembly, and does not let them compile text.
 */
function answerPage(ctx: Context, html: string): void {
  const nonce = randomBytes(16).toString('base64')
  ctx.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': pagePolicy(`'self' 'nonce-${nonce}'`, "'self' 'wasm-unsafe-eval'"),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  })
  ctx.type = 'text/html; charset=utf-8'
  ctx.status = 200
  ctx.body = html.replaceAll('{nonce}', nonce)
}
