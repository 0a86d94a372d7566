/** `verifyWebhook` beside the public library of Standard Webhooks: it accepts what the library and the service sign, and nothing else. */
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from '../../client/src/index.ts'
import { secretText, signedHeaders } from '../../lib/webhooks/signature.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const secrets = [randomBytes(32), randomBytes(32), randomBytes(24)] as const
const [secret, otherSecret] = [secretText(secrets[0]), secretText(secrets[1])]
const body = JSON.stringify({
  id: 'evt_1',
  type: 'stock.changed',
  sequence: 7,
  data: { sku: 'Größe „XL“ 🏭' },
  previous: null,
})
// Not read while the file is loaded: the library compares with the real time, and tests of other files may run for minutes before.
let now: number
let seconds: number
test.before(() => {
  seconds = Math.floor(Date.now() / 1000)
  now = seconds * 1000
})

/** Signs as the service does: one signature for each secret. */
const signed = (by: readonly Buffer[] = [secrets[0]], at = now, id = 'evt_1') =>
  signedHeaders({ eventId: id, body: Buffer.from(body) }, by, at)

const verify = (
  headers: WebhookHeaders,
  by: string | readonly string[] = secret,
  payload: string | Uint8Array = body,
) => verifyWebhook(payload, headers, by, { now })

test('what the service and the public library sign is accepted, however headers and body are handed over', async t => {
  const headers = signed()
  const byLibrary = { ...headers, 'webhook-signature': new Webhook(secret).sign('evt_1', new Date(now), body) }
  t.deepEqual(byLibrary, headers, 'both sign alike')
  const upperCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  for (const given of [headers, byLibrary, new Headers(headers), upperCase]) {
    for (const payload of [body, Buffer.from(body), new Uint8Array(Buffer.from(body)).buffer]) {
      const event = await verifyWebhook(payload, given, secret, { now })
      t.deepEqual(event, JSON.parse(body))
    }
  }
  t.is((await verify(headers, secret.slice('whsec_'.length))).sequence, 7)
})

test('while a secret is rotated one signature and one secret that fit are enough', async t => {
  for (const by of [secrets.slice(0, 2), secrets.slice(0, 2).reverse()])
    for (const known of [secret, otherSecret, [secretText(secrets[2]), secret]])
      t.is((await verify(signed(by), known)).id, 'evt_1')
  await t.throwsAsync(verify(signed([secrets[1]]), [secret, secretText(secrets[2])]), {
    instanceOf: WebhookVerificationError,
  })
  const strange = {
    ...signed(),
    'webhook-signature': `v1a,AAAA v2,${'A'.repeat(44)} v1, ${signed()['webhook-signature']}`,
  }
  t.is((await verify(strange)).id, 'evt_1')
})

test('what was changed, is too far off or lacks a part is refused, by the public library too', async t => {
  const headers = signed()
  const [, signature = ''] = (headers['webhook-signature'] ?? '').split(',')
  const cases: Record<string, { headers?: Record<string, string | undefined>; payload?: string; by?: string }> = {
    'another body': { payload: body.replace('7', '8') },
    'a space more': { payload: `${body} ` },
    'another id': { headers: { 'webhook-id': 'evt_2' } },
    'another time': { headers: { 'webhook-timestamp': String(seconds + 1) } },
    'another secret': { by: otherSecret },
    'too old': { headers: signed(undefined, now - 400_000) },
    'too new': { headers: signed(undefined, now + 400_000) },
    'no id': { headers: { 'webhook-id': undefined } },
    'no time': { headers: { 'webhook-timestamp': undefined } },
    'no signature': { headers: { 'webhook-signature': undefined } },
    'an empty signature': { headers: { 'webhook-signature': 'v1,' } },
    'half a signature': { headers: { 'webhook-signature': `v1,${signature.slice(0, 22)}` } },
    'no base64': { headers: { 'webhook-signature': 'v1,%%%' } },
    'another version': { headers: { 'webhook-signature': `v2,${signature}` } },
    'a time that is none': { headers: { 'webhook-timestamp': 'NaN' } },
  }
  for (const [what, { headers: given = {}, payload = body, by = secret }] of Object.entries(cases)) {
    const all = { ...headers, ...given }
    await t.throwsAsync(verify(all, by, payload), { instanceOf: WebhookVerificationError }, what)
    t.throws(() => new Webhook(by).verify(payload, all as Record<string, string>), undefined, what)
  }
  for (const at of [now - 300_000, now + 300_000]) t.is((await verify(signed(undefined, at))).id, 'evt_1')
  for (const at of [now - 301_000, now + 301_000])
    await t.throwsAsync(verify(signed(undefined, at)), { instanceOf: WebhookVerificationError })
  await t.throwsAsync(verify(headers, 'whsec_%'), { instanceOf: TypeError })
  await t.throwsAsync(verify(headers, []), { instanceOf: WebhookVerificationError })
})
