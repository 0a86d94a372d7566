/** Pages of other origins: which addresses they may ask, and what of an answer they may read. */

import { loadConfig } from '../../lib/platform/config.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { startService } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const on = await serviceOfFile()

const SHOP = 'https://shop.example'
const PATH = '/api/external/v1/products'

const preflight = (url: string, origin: string) =>
  fetch(`${url}${PATH}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })

test('a page of an origin that is set may write, and read the answer with its headers; others may not', async t => {
  const service = await startService(on, { env: { CORS_ORIGINS: `${SHOP},http://localhost:5173` }, workers: 1 })
  try {
    const allowed = await preflight(service.url, SHOP)
    t.is(allowed.status, 204)
    t.is(allowed.headers.get('access-control-allow-origin'), SHOP)
    t.regex(allowed.headers.get('access-control-allow-methods') ?? '', /POST,PUT,PATCH,DELETE/)
    t.is(allowed.headers.get('access-control-allow-headers'), 'authorization,content-type,idempotency-key')
    t.is(allowed.headers.get('access-control-max-age'), '7200')

    const { token } = await service.tenant()
    const send = (origin: string, headers: Record<string, string> = {}) =>
      fetch(`${service.url}${PATH}`, {
        method: 'POST',
        headers: { origin, authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ title: 'Chair' }),
      })
    const dry = await send(SHOP, { 'dry-run': 'true' })
    t.regex(dry.headers.get('access-control-expose-headers') ?? '', /(^|,)Dry-Run(,|$)/)
    const made = await send(SHOP, { 'idempotency-key': 'chair' })
    t.is(made.status, 201)
    t.is(made.headers.get('access-control-allow-origin'), SHOP)
    t.regex(made.headers.get('vary') ?? '', /Origin/)
    const exposed = (made.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(',')
    for (const name of made.headers.keys())
      if (/^(etag|x-|ratelimit|retry|idempotent|event)/.test(name)) t.true(exposed.includes(name), name)
    const refused = await send(SHOP)
    t.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [400, SHOP], 'refusals too')

    t.is((await preflight(service.url, 'https://evil.example')).headers.get('access-control-allow-origin'), null)
    const foreign = await send('https://evil.example', { 'idempotency-key': 'other' })
    t.is(foreign.headers.get('access-control-allow-origin'), null)
  } finally {
    await service.close()
  }
})

test('without the setting a preflight is a method that is not allowed; with * everybody may ask', async t => {
  const none = await startService(on, { workers: 0 })
  const refused = await preflight(none.url, SHOP)
  await none.close()
  t.deepEqual(
    [refused.status, refused.headers.get('access-control-allow-origin'), refused.headers.get('vary')],
    [405, null, null],
  )

  const any = await startService(on, { env: { CORS_ORIGINS: '*' }, workers: 0 })
  const open = await preflight(any.url, SHOP)
  await any.close()
  t.deepEqual([open.status, open.headers.get('access-control-allow-origin')], [204, '*'])
})

test('what is no origin is refused by name', t => {
  for (const wrong of ['shop.example', 'https://shop.example/', 'https://shop.example, x'])
    t.throws(() => loadConfig({ CORS_ORIGINS: wrong }), {
      message: /^CORS_ORIGINS must be a comma-separated list of origins/,
    })
  t.deepEqual(loadConfig({ CORS_ORIGINS: `${SHOP}, *` }).corsOrigins, [SHOP, '*'])
})
