/**
 * Serves the reference page and the OpenAPI document, both made once at start from the list of endpoints. They need no key
 * and load nothing from elsewhere.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Context, Middleware } from 'koa'
import type { Endpoint } from '../lib/api/endpoint.ts'
import { openApiDocument, openApiText } from '../lib/api/openapi.ts'
import type { OpenApiDocument } from '../lib/api/openapi-types.ts'
import { renderPage } from './docs/page.ts'
import { answerRefusal } from './error-reply.ts'
import { readOnly } from './health.ts'

type StaticPage = {
  readonly type: string
  readonly body: Buffer
  readonly zipped: Buffer
  readonly etag: string
  readonly policy: string
}

const readAsset = (name: string) => readFileSync(new URL(`./docs/${name}`, import.meta.url), 'utf8')

/** The page, and the Content-Security-Policy that lets through its own style and script and nothing else. */
export function docsPage(document: OpenApiDocument): { readonly html: string; readonly policy: string } {
  const css = readAsset('page.css')
  const script = readAsset('page.js')
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = [
    "default-src 'none'",
    `style-src ${hash(css)}`,
    `script-src ${hash(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { html: renderPage(document, { css, script }).text, policy }
}

/** `GET /docs` and `GET /openapi.json`. */
export function docsRoutes(endpoints: readonly Endpoint[]): Middleware {
  const document = openApiDocument(endpoints)
  const { html, policy } = docsPage(document)
  const pages = new Map<string, StaticPage>([
    ['/docs', staticPage('text/html; charset=utf-8', html, policy)],
    ['/openapi.json', staticPage('application/json; charset=utf-8', openApiText(document), "default-src 'none'")],
  ])
  return (ctx, next) => {
    const page = pages.get(ctx.path)
    if (!page) return next()
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return answerPage(ctx, page)
    answerRefusal(ctx, readOnly(ctx.method))
  }
}

function staticPage(type: string, text: string, policy: string): StaticPage {
  const body = Buffer.from(text)
  return {
    type,
    body,
    zipped: gzipSync(body),
    policy,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  }
}

function answerPage(ctx: Context, page: StaticPage): void {
  ctx.set({
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': page.policy,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
  })
  ctx.etag = page.etag
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  ctx.type = page.type
  // A page of a hundred endpoints shrinks to a tenth.
  if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
    ctx.set('Content-Encoding', 'gzip')
    ctx.body = page.zipped
  } else {
    ctx.body = page.body
  }
}
