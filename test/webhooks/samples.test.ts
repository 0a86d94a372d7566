/** The guide's verifiers without a library, in each language that this machine has: they accept what the service sent, and nothing else. */

import { signedHeaders } from '../../lib/webhooks/signature.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { makePlace, subscribe, webhookBench } from './bench.ts'
import { receiver } from './receiver.ts'
import { type Asked, languages, verdicts } from './samples.ts'

const test = testsOf(import.meta)

const service = ofTests(test, webhookBench)

const bytesOf = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64')

/** Requests that were really sent, changed in every way that a receiver must notice, and whether each is genuine. */
async function requests(): Promise<{ name: string; asked: Asked; isTrue: boolean }[]> {
  const [client, hook] = [await service.tenant(), await receiver()]
  const { id, secret: old } = await subscribe(client, hook.url)
  await makePlace(client, 'Größe „XL“ 倉庫 \u2028 🏭')
  const first = await eventually(() => hook.arrivals[0])
  const { secret } = (await client.post(`/webhook-subscriptions/${id}/rotate-secret`, {})).body
  await client.post(`/webhook-subscriptions/${id}/test`, {})
  const second = await eventually(() => hook.arrivals[1])
  await hook.close()
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const signed = (offsetS: number) => {
    const delivery = { eventId: first.body.id, body: Buffer.from(first.text) }
    return signedHeaders(delivery, [bytesOf(old)], Date.now() + offsetS * 1_000)
  }
  const one = (name: string, isTrue: boolean, change: Partial<Asked> = {}, from = first) => ({
    name,
    isTrue,
    asked: { secret: old, headers: from.headers, body: base64(from.text), ...change },
  })
  const headers = (change: Record<string, string>) => ({ headers: { ...first.headers, ...change } })
  const { 'webhook-signature': signature = '', 'webhook-id': _id, ...without } = first.headers
  return [
    one('as sent', true),
    one('while rotated, by the new secret', true, { secret }, second),
    one('while rotated, by the old secret', true, {}, second),
    one('four minutes old', true, { headers: signed(-240) }),
    one('among signatures of other versions', true, headers({ 'webhook-signature': `v1a,x ${signature} v2,y` })),
    one('by another secret', false, { secret }),
    one('another body', false, { body: base64(first.text.replace('XL', 'XS')) }),
    one('no body', false, { body: '' }),
    one('another id', false, headers({ 'webhook-id': 'evt_other' })),
    one(
      'another time',
      false,
      headers({ 'webhook-timestamp': String(Number(first.headers['webhook-timestamp']) - 1) }),
    ),
    one('six minutes old', false, { headers: signed(-360) }),
    one('six minutes ahead', false, { headers: signed(360) }),
    ...['', 'soon', '1e9', '-1', '²', '9'.repeat(30)].map(time =>
      one(`time ${time}`, false, headers({ 'webhook-timestamp': time })),
    ),
    ...['', 'v1', 'v1,', ',', `${signature}x`, signature.slice(0, -1), 'é'.repeat(signature.length), 'v1,é'].map(
      given => one(`signature ${given}`, false, headers({ 'webhook-signature': given })),
    ),
    one('without signature and id', false, { headers: { ...without } }),
    one('without headers', false, { headers: {} }),
  ]
}

let all: ReturnType<typeof requests> | undefined
// The test counts as skipped if this machine lacks the language.
for (const language of languages)
  (language.isHere ? test : test.skip)(
    `the guide's verifier in ${language.name} tells true requests from others`,
    async t => {
      all ??= requests()
      const asked = await all
      const said = await verdicts(
        language,
        asked.map(one => one.asked),
      )
      t.deepEqual(
        asked.map(({ name }, at) => [name, said[at]]),
        asked.map(({ name, isTrue }) => [name, isTrue]),
      )
    },
  )
