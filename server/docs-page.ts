/**
 * Serves the reference page and the OpenAPI document, both made once at start from the list of endpoints, and what leads to
 * them: the site's root, the API's root, the page's icon. They need no key and load nothing from elsewhere.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Context, Middleware } from 'koa'
import { API_PREFIX, type Endpoint } from '../lib/api/endpoint.ts'
import { openApiDocument, openApiText } from '../lib/openapi/openapi.ts'
import type { OpenApiDocument } from '../lib/openapi/types.ts'
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
    "img-src 'self'", // the icon
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { html: renderPage(document, { css, script }).text, policy }
}

/** What people type who look for the page. */
const leadsToPage: ReadonlyMap<string, 302 | 308> = new Map([
  ['/', 302],
  ['/docs/', 308],
])

/** `GET /docs`, `GET /openapi.json`, and what leads to them. */
export function docsRoutes(endpoints: readonly Endpoint[]): Middleware {
  const document = openApiDocument(endpoints)
  const { html, policy } = docsPage(document)
  const { title: name, version } = document.info
  const root = staticPage(JSON_TYPE, JSON.stringify({ name, version, docs: '/docs', openapi: '/openapi.json' }))
  const pages = new Map<string, StaticPage>([
    ['/docs', staticPage('text/html; charset=utf-8', html, policy)],
    ['/openapi.json', staticPage(JSON_TYPE, openApiText(document))],
    ['/favicon.ico', staticPage('image/svg+xml', readAsset('icon.svg'))],
    [API_PREFIX, root],
    [`${API_PREFIX}/`, root],
  ])
  return (ctx, next) => {
    const page = pages.get(ctx.path)
    const redirect = leadsToPage.get(ctx.path)
    if (!page && !redirect) return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return answerRefusal(ctx, readOnly(ctx.method))
    if (page) return answerPage(ctx, page)
    ctx.set({ Location: '/docs', 'Cache-Control': 'no-cache' })
    ctx.body = null
    ctx.status = redirect ?? 302
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

function staticPage(type: string, text: string, policy = "default-src 'none'"): StaticPage {
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
