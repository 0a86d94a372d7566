/** Server-side request forgery: whatever a URL says, and whatever address its name has, no internal address is reached. */
import { type connect, createServer } from 'node:net'
import { readNetworks } from '../../lib/platform/networks.ts'
import { createSender } from '../../lib/webhooks/send.ts'
import { ofTests } from '../support/of-file.ts'
import { startService } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { delivery, makePlace, webhookBench } from './bench.ts'
import { receiver } from './receiver.ts'

const test = testsOf(import.meta)

const service = ofTests(test, () => webhookBench({}, { WEBHOOK_ALLOWED_NETWORKS: '' }))

const options = { connectTimeoutMs: 500, totalTimeoutMs: 1_000, now: Date.now }
const message = (url: string) => ({ url, headers: {}, body: Buffer.from('{}') })
const FORBIDDEN = 'the URL leads to a private, local or reserved address'

test('creation and change refuse what leads inside and say so', async t => {
  const client = await service.tenant()
  const made = await client.post('/webhook-subscriptions', { url: 'https://example.com/x', events: ['*'] })
  t.is(made.status, 201)
  const { id } = made.body
  const urls = [
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://localhost/',
    'http://example.com/',
    'https://u:p@example.com/',
  ]
  for (const url of urls) {
    for (const reply of [
      await client.post('/webhook-subscriptions', { url, events: ['*'] }),
      await client.patch(`/webhook-subscriptions/${id}`, { url }),
    ]) {
      t.is(reply.status, 400, url)
      t.is(reply.body.error, 'validation_failed')
      t.regex(reply.body.message, /^url: must /)
    }
  }
  t.is((await client.get(`/webhook-subscriptions/${id}`)).body.url, 'https://example.com/x')
  t.is((await client.get('/webhook-subscriptions')).body.data.length, 1)
})

test('a name that does not resolve yet is accepted', async t => {
  const client = await service.tenant()
  const made = await client.post('/webhook-subscriptions', { url: 'https://not-there-yet.invalid/', events: ['*'] })
  t.is(made.status, 201)
  await makePlace(client)
  const failed = await delivery(client, made.body.id, ({ attempts }) => attempts === 1)
  t.regex(failed.error, /^the name (?:does not resolve|could not be looked up)$/)
})

test('a stored URL that leads inside by now is not called: literal, looked up, one address of several', async t => {
  const hook = await receiver()
  const port = new URL(hook.url).port
  const answers: Record<string, string[]> = {
    'inside.example': ['127.0.0.1'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'mixed.example': ['93.184.216.34', '127.0.0.1'],
  }
  const sender = createSender({ ...options, allowed: [], resolve: async name => answers[name] ?? [] })
  const literals = ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']
  for (const host of [...literals, ...Object.keys(answers)]) {
    for (const scheme of ['http', 'https']) {
      const attempt = await sender.send(message(`${scheme}://${host}:${port}/hook`))
      t.false(attempt.isSuccess)
      t.is(attempt.reason, FORBIDDEN, `${scheme}://${host}`)
    }
  }
  t.is(hook.arrivals.length, 0)
  await sender.close()
  await hook.close()
})

test('a name that leads into an allowed network is called, without TLS too; a public one needs TLS', async t => {
  const hook = await receiver()
  const { port } = new URL(hook.url)
  const answers: Record<string, string[]> = { 'inside.example': ['127.0.0.1'], 'public.example': ['93.184.216.34'] }
  const allowed = readNetworks('127.0.0.0/8') ?? []
  const sender = createSender({ ...options, allowed, resolve: async name => answers[name] ?? [] })
  t.true((await sender.send(message(`http://inside.example:${port}/hook`))).isSuccess)
  t.is(hook.arrivals[0]?.headers['host'], `inside.example:${port}`)
  t.is((await sender.send(message(`http://public.example:${port}/hook`))).reason, FORBIDDEN)
  t.is(hook.arrivals.length, 1)
  await sender.close()
  await hook.close()
})

test('of an allowed network no other port is reached: at creation, change, and connection, literal and by name', async t => {
  const [open, closed] = [await receiver(), await receiver()]
  const portOf = ({ url }: { readonly url: string }) => new URL(url).port
  const env = { WEBHOOK_ALLOWED_NETWORKS: `loopback:${portOf(open)}` }
  const narrow = await startService(service, { env })
  const client = await narrow.tenant()
  const made = await client.post('/webhook-subscriptions', { url: open.url, events: ['*'] })
  t.is(made.status, 201)
  for (const url of [closed.url, closed.url.replace('127.0.0.1', 'localhost')])
    for (const reply of [
      await client.post('/webhook-subscriptions', { url, events: ['*'] }),
      await client.patch(`/webhook-subscriptions/${made.body.id}`, { url }),
    ]) {
      t.is(reply.status, 400)
      t.is(reply.body.message, 'url: must name a port that the operator has opened in this network')
    }
  const sender = createSender({
    ...options,
    allowed: readNetworks(env.WEBHOOK_ALLOWED_NETWORKS) ?? [],
    resolve: async () => ['127.0.0.1'],
  })
  // All at the same time, so that look-ups for both ports run together.
  const hosts = Array.from({ length: 10 }, (_, n) => (n === 0 ? '127.0.0.1' : `inside-${n}.example`))
  const send = ({ url }: { readonly url: string }) =>
    hosts.map(host => sender.send(message(url.replace('127.0.0.1', host))))
  const [opened, refused] = await Promise.all([Promise.all(send(open)), Promise.all(send(closed))])
  for (const attempt of opened) t.true(attempt.isSuccess)
  for (const attempt of refused) t.is(attempt.reason, FORBIDDEN)
  t.deepEqual([open.arrivals.length, closed.arrivals.length], [10, 0])
  await sender.close()
  await narrow.close()
  await Promise.all([open.close(), closed.close()])
})

test('a receiver that takes the connection but never speaks TLS ends within the patience', async t => {
  const sockets = new Set<ReturnType<typeof connect>>()
  const server = createServer(socket => void sockets.add(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const sender = createSender({ ...options, allowed: readNetworks('loopback') ?? [] })
  const attempt = await sender.send(message(`https://127.0.0.1:${port}/`))
  t.false(attempt.isSuccess)
  t.regex(attempt.reason ?? '', /^no (?:connection|answer) within/)
  t.true(attempt.durationMs < 2_000)
  await sender.close()
  for (const socket of sockets) socket.destroy()
  await new Promise(resolve => server.close(resolve))
})
