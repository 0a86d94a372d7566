/** `/docs` and `/openapi.json` as a running server answers them, without a key. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { ExecutionContext } from 'ava'
import { endpoints } from '../../lib/nouns.ts'
import { openApiDocument } from '../../lib/openapi/openapi.ts'
import { libraryScript } from '../../server/docs/library.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const DOCS = fileURLToPath(new URL('../../server/docs/', import.meta.url))
const service = await serviceOfFile({ env: { TRUST_PROXY: 'true' } })

test('the OpenAPI document of the served endpoints is there without a key', async t => {
  const response = await fetch(`${service.url}/openapi.json`)
  t.is(response.status, 200)
  t.regex(response.headers.get('content-type') ?? '', /^application\/json\b/)
  t.deepEqual(await response.json(), JSON.parse(JSON.stringify(openApiDocument(endpoints))))
})

test('the reference page is there without a key, with a policy that lets nothing else in', async t => {
  const response = await fetch(`${service.url}/docs`)
  t.is(response.status, 200)
  t.regex(response.headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/)
  t.is(
    response.headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  t.is(response.headers.get('x-content-type-options'), 'nosniff')
  t.regex(await response.text(), /^<!doctype html>/)
})

/** The bytes as they came over the wire: fetch would decompress them. */
const received = (path: string, accepted: string) =>
  new Promise<{ coding: string | undefined; caching: string | undefined; bytes: Buffer }>((resolve, reject) => {
    get(service.url + path, { headers: { 'accept-encoding': accepted } }, answer =>
      buffer(answer).then(
        bytes =>
          resolve({ coding: answer.headers['content-encoding'], caching: answer.headers['cache-control'], bytes }),
        reject,
      ),
    ).on('error', reject)
  })
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('the scripts of the page may be kept for good and come compressed', async t => {
  const page = await (await fetch(`${service.url}/docs`)).text()
  const [start = '', library = '', ...others] = [...page.matchAll(/ src="([^"]+)"/g)].map(([, path]) => path ?? '')
  t.deepEqual(others, [])
  for (const [path, sum] of [
    [start, hash(await readFile(`${DOCS}start.js`))],
    [library, hash(await libraryScript())],
  ] as const) {
    const [br, gzip, plain] = await Promise.all(['gzip, br', 'gzip', 'identity'].map(one => received(path, one)))
    if (!br || !gzip || !plain) throw new Error('three answers')
    t.deepEqual([br.coding, gzip.coding, plain.coding], ['br', 'gzip', undefined])
    t.deepEqual([brotliDecompressSync(br.bytes), gunzipSync(gzip.bytes), plain.bytes].map(hash), [sum, sum, sum])
    for (const { caching } of [br, gzip, plain]) t.is(caching, 'public, max-age=31536000, immutable')
  }
  t.is((await fetch(`${service.url}${library.replace('.js', 'x.js')}`)).status, 404)
})

async function refusesWrites(t: ExecutionContext, path: string): Promise<void> {
  const post = await fetch(service.url + path, { method: 'POST', redirect: 'manual' })
  t.is(post.status, 405)
  t.is(post.headers.get('allow'), 'GET, HEAD')
  t.is(((await post.json()) as { error: string }).error, 'method_not_allowed')
}

test('both say when they are unchanged, answer HEAD, and are 405 for other methods', async t => {
  for (const path of ['/docs', '/openapi.json']) {
    const head = await fetch(service.url + path, { method: 'HEAD' })
    t.is(head.status, 200)
    t.is(await head.text(), '')
    const etag = head.headers.get('etag') ?? ''
    // Without it fetch would add `no-cache`, which asks for the whole answer.
    const conditional = { 'if-none-match': etag, 'cache-control': 'max-age=0' }
    t.is((await fetch(service.url + path, { headers: conditional })).status, 304)
    await refusesWrites(t, path)
  }
})

for (const [path, status] of [
  ['/', 302],
  ['/docs/', 308],
] as const) {
  test(`${path} leads to the reference page`, async t => {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(service.url + path, { method, redirect: 'manual' })
      t.is(response.status, status)
      t.is(response.headers.get('location'), '/docs')
    }
    const page = await fetch(service.url + path)
    t.is(page.url, `${service.url}/docs`)
    t.is(page.status, 200)
    await refusesWrites(t, path)
  })
}

test('the root of the API says without a key where its description is, with and without a slash', async t => {
  for (const path of ['/api/external/v1', '/api/external/v1/']) {
    const response = await fetch(service.url + path)
    t.is(response.status, 200)
    t.regex(response.headers.get('content-type') ?? '', /^application\/json\b/)
    const { name, version, ...addresses } = (await response.json()) as Record<string, string>
    t.deepEqual([name, version], ['Millrace integration API', '1.0.0'])
    t.deepEqual(Object.keys(addresses), ['docs', 'openapi'])
    for (const address of Object.values(addresses)) t.is((await fetch(new URL(address, response.url))).status, 200)
    await refusesWrites(t, path)
  }
})

test('/favicon.ico is a drawing that the page may show and that loads nothing', async t => {
  const icon = await fetch(`${service.url}/favicon.ico`)
  t.is(icon.status, 200)
  t.is(icon.headers.get('content-type'), 'image/svg+xml')
  const drawing = await icon.text()
  t.regex(drawing, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [\s\S]*<\/svg>\n$/)
  t.notRegex(drawing, /href|url\(|<script|<style/)
  const page = await fetch(`${service.url}/docs`)
  t.regex(page.headers.get('content-security-policy') ?? '', /; img-src 'self' data:;/)
  await refusesWrites(t, '/favicon.ico')
})
