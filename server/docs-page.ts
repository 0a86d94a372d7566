/**
 * Serves the reference page, its scripts and icon, the OpenAPI document (made once at start from the list of endpoints), the API's root,
 * and redirects from paths that people guess. None of them needs a key.
 */
import { readFileSync } from 'node:fs'
import type { Middleware } from 'koa'
import { API_PREFIX, type Endpoint } from '../lib/kit/api/endpoint.ts'
import { openApiDocument, openApiText } from '../lib/openapi/openapi.ts'
import { answerRefusal } from './answer.ts'
import { LIBRARY_VERSION, libraryScript } from './docs/library.ts'
import { readOnly } from './health.ts'
import { answerFile, hashOf, keptForGood, pagePolicy, type StaticFile, staticFile } from './static-file.ts'

const read = (name: string) => readFileSync(new URL(`./docs/${name}`, import.meta.url))

/** Paths that people guess when they look for the page. */
const leadsToPage: ReadonlyMap<string, 302 | 308> = new Map([
  ['/', 302],
  ['/docs/', 308],
])

/** Serves `GET /docs`, `GET /openapi.json`, and the redirects to them. */
export function docsRoutes(endpoints: readonly Endpoint[]): Middleware {
  const document = openApiDocument(endpoints)
  const { title: name, version } = document.info
  const root = plain(JSON_TYPE, JSON.stringify({ name, version, docs: '/docs', openapi: '/openapi.json' }))
  const files = new Map<string, StaticFile>([
    ...pageWithScripts(),
    ['/openapi.json', plain(JSON_TYPE, openApiText(document))],
    ['/favicon.ico', plain('image/svg+xml', read('icon.svg'))],
    [API_PREFIX, root],
    [`${API_PREFIX}/`, root],
  ])
  return (ctx, next) => {
    const file = files.get(ctx.path)
    const redirect = leadsToPage.get(ctx.path)
    if (!file && !redirect) return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return answerRefusal(ctx, readOnly(ctx.method))
    if (file) return answerFile(ctx, file)
    ctx.set({ Location: '/docs', 'Cache-Control': 'no-cache' })
    ctx.body = null
    ctx.status = redirect ?? 302
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** The library writes its styles into the page. */
const PAGE_POLICY = pagePolicy("'unsafe-inline'")

function plain(type: string, text: string | Buffer, policy = "default-src 'none'"): StaticFile {
  const bytes = Buffer.from(text)
  return staticFile(type, { name: hashOf(bytes), read: () => bytes }, { 'Content-Security-Policy': policy })
}

/** The page and its scripts, by path. A changed script has a new path, so browsers may cache scripts for ever. */
function pageWithScripts(): readonly (readonly [string, StaticFile])[] {
  const script = (name: string, bytes: () => Buffer | Promise<Buffer>): readonly [string, StaticFile] => {
    return [`/docs/${name}.js`, staticFile('text/javascript; charset=utf-8', { name, read: bytes }, keptForGood)]
  }
  const starting = read('start.js')
  const start = script(hashOf(starting), () => starting)
  const library = script(`scalar-${LIBRARY_VERSION}`, libraryScript)
  const html = read('page.html').toString().replace('{start}', start[0]).replace('{library}', library[0])
  return [['/docs', plain('text/html; charset=utf-8', html, PAGE_POLICY)], start, library]
}
