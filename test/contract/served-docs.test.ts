/**
 * `/docs` and `/openapi.json` as a running server gives them, without a key.
 */
import test from 'ava'
import { endpoints } from '../../lib/api/endpoints.ts'
import { openApiDocument } from '../../lib/api/openapi.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const service = await startService(services, { workers: 0 })
test.after.always(async () => {
  await service.close()
  await services.close()
})

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
  t.regex(response.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/)
  t.is(response.headers.get('x-content-type-options'), 'nosniff')
  t.regex(await response.text(), /^<!doctype html>/)
})

test('both say when they are unchanged, answer HEAD, and are 405 for other methods', async t => {
  for (const path of ['/docs', '/openapi.json']) {
    const head = await fetch(service.url + path, { method: 'HEAD' })
    t.is(head.status, 200)
    t.is(await head.text(), '')
    const etag = head.headers.get('etag') ?? ''
    // fetch would add `no-cache`, which asks for the whole answer.
    const conditional = { 'if-none-match': etag, 'cache-control': 'max-age=0' }
    t.is((await fetch(service.url + path, { headers: conditional })).status, 304)
    const post = await fetch(service.url + path, { method: 'POST' })
    t.is(post.status, 405)
    t.is(post.headers.get('allow'), 'GET, HEAD')
    t.is(((await post.json()) as { error: string }).error, 'method_not_allowed')
  }
})
