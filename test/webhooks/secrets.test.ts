/** A secret is shown once, and between the worker and the caller nothing that Redis receives or keeps contains it. */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { endpoints } from '../../lib/nouns.ts'
import type { Done } from '../../lib/pipeline/command.ts'
import { ReplyReader } from '../../lib/pipeline/replies.ts'
import { formReply, readReply } from '../../lib/pipeline/reply-form.ts'
import { secretBox } from '../../lib/platform/secret-box.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import { privateRedis } from '../support/servers.ts'
import { type Client, startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = ofTests(test, async () => {
  const services = await testServices()
  const ownRedis = await privateRedis()
  const service = await startService({ databaseUrl: services.databaseUrl, redisUrl: ownRedis.url })
  return {
    ...service,
    redisUrl: ownRedis.url,
    close: async () => {
      await service.close()
      await ownRedis.close()
      await services.close()
    },
  }
})

const NEW = { url: 'https://example.com/hooks', events: ['*'] }

/**
 * Everything that Redis receives from now on, and what its append-only files keep of it. MONITOR is read from a bare socket: ioredis would
 * take lines that arrive together with its OK for a superfluous answer.
 */
async function recordRedis(): Promise<() => Promise<string>> {
  const { hostname, port, password } = new URL(service.redisUrl)
  const monitor = connect(Number(port), hostname)
  let told = ''
  monitor.setEncoding('latin1')
  monitor.on('data', (chunk: string) => {
    told += chunk
  })
  monitor.write(`AUTH ${password}\r\nMONITOR\r\n`)
  await eventually(() => told.startsWith('+OK\r\n+OK\r\n'))
  const redis = new Redis(service.redisUrl)
  const [, folder = ''] = (await redis.config('GET', 'dir')) as string[]
  const readFiles = () => eventually(() => appendOnlyFiles(join(folder, 'appendonlydir')))
  const before = await readFiles()
  return async () => {
    const end = randomUUID()
    await redis.echo(end)
    await eventually(() => told.includes(end))
    const files = [...(await readFiles())].map(([name, text]) => text.slice(before.get(name)?.length))
    monitor.destroy()
    redis.disconnect()
    const bytes = told.replaceAll(/\\x([0-9a-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    return [bytes, ...files].join('\n')
  }
}

const appendOnlyFiles = async (folder: string): Promise<ReadonlyMap<string, string>> =>
  new Map(
    await Promise.all(
      (await readdir(folder)).map(async name => [name, await readFile(join(folder, name), 'latin1')] as const),
    ),
  )

/** A secret as text, and its bytes in every form in which they may be written. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex'), bytes.toString('latin1')]
}

/** Creates and rotates secrets, each by twenty equal requests at the same time. Returns the secrets that were shown. */
async function showSecrets(client: Client): Promise<string[]> {
  const all = async (path: string, body: object) => {
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.post(path, body, key)))
    return replies.map(reply => reply.body as { id: string; secret: string | null })
  }
  const made = await all('/webhook-subscriptions', NEW)
  const rotated = await all(`/webhook-subscriptions/${made[0]?.id}/rotate-secret`, {})
  return [...made, ...rotated].flatMap(({ secret }) => secret ?? [])
}

test.serial('nothing that Redis is told or keeps holds a secret, and one caller of twenty is shown it', async t => {
  const client = await service.tenant()
  const recorded = await recordRedis()
  const secrets = await showSecrets(client)
  const text = await recorded()
  t.is(secrets.length, 2)
  t.true(text.includes('sealedBody'), 'the answers were recorded')
  for (const form of secrets.flatMap(formsOf)) t.false(text.includes(form))
  t.false(text.includes('whsec_'))
})

const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const done: Done = {
  kind: 'done',
  status: 201,
  body: '{"secret":"s"}',
  recordedBody: '{"secret":null}',
  replayed: false,
}
const requestId = 'req_1'

/** What a server with some keys reads from a worker with others, and how many faults there were. */
function pass(workerKeys: Buffer[], serverKeys: Buffer[]) {
  const faults: Error[] = []
  const options = (keys: Buffer[]) => ({ secrets: secretBox(keys), onFault: (error: Error) => void faults.push(error) })
  const form = formReply(done, { requestId, replyKeys: secretBox(serverKeys).marks() }, options(workerKeys))
  return { form, outcome: readReply(form, requestId, options(serverKeys)) as Done, faults }
}

test('while the key is changed, the answer is sealed under one that both hold, in either order', t => {
  for (const [worker, server] of [
    [[one], [one]],
    [[other, one], [one]],
    [[one], [other, one]],
    [
      [one, other],
      [other, one],
    ],
  ] as const) {
    const { form, outcome, faults } = pass([...worker], [...server])
    t.false(form.includes('"s\\"'))
    t.is(outcome.body, done.body)
    t.deepEqual(faults, [])
  }
})

test('without a key in common the secret stays out, and the log says why', t => {
  const { form, outcome, faults } = pass([one], [other])
  t.false(form.includes('"s\\"'))
  t.is(outcome.body, done.recordedBody ?? '')
  t.regex(faults[0]?.message ?? '', /WEBHOOK_SECRET_KEY/)
})

test('an answer opens for its own request only', t => {
  const { form } = pass([one], [one])
  const faults: Error[] = []
  const options = { secrets: secretBox([one]), onFault: (error: Error) => void faults.push(error) }
  t.is((readReply(form, 'req_2', options) as Done).body, done.recordedBody ?? '')
  t.is(faults.length, 1)
})

test('an answer of an earlier worker, in clear, is understood', async t => {
  const [redis, sender] = [new Redis(service.redisUrl), new Redis(service.redisUrl)]
  const options = { secrets: secretBox([one]), onFault: (error: Error) => t.fail(error.message) }
  const reader = new ReplyReader(redis, 'this-web', options)
  reader.start()
  const { outcome } = reader.expect(requestId)
  await sender.xadd('replies:this-web', '*', requestId, JSON.stringify(done))
  t.is(((await outcome) as Done).body, done.body)
  sender.disconnect()
  await reader.close()
})

test('every endpoint whose answer has a secret says so', t => {
  const withSecret = endpoints.filter(({ reply }) => reply !== undefined && 'secret' in Object(Object(reply).entries))
  t.deepEqual(column(withSecret, 'id'), ['createWebhookSubscription', 'rotateWebhookSecret'])
  for (const endpoint of withSecret) t.true(endpoint.kind === 'command' && endpoint.showsSecret)
})
