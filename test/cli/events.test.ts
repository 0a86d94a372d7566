/** The guarantees of `listen` and `trigger`: a receiver gets each event as a webhook brings it, and each kind of event can be triggered. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { Millrace } from '../../client/src/index.ts'
import { endpoints, examples } from '../../lib/nouns.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { callerOver } from '../../lib/tools/events/caller.ts'
import { eventKindsOf, TEST_KIND } from '../../lib/webhooks/event-kinds.ts'
import { faultyProxy } from '../client/faulty-proxy.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests, serviceOfFile } from '../support/of-file.ts'
import { columns } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()
const proxy = ofTests(test, () => faultyProxy(service.url))
// Ends the `listen` that a failed test left running.
test.after.always(() => process.emit('SIGINT'))

type Line = { readonly [name: string]: unknown; readonly sequence: number }

/** Runs `listen` until the test ends it as Ctrl-C does. */
function listening(token: string, ...args: string[]) {
  let [out, err] = ['', '']
  const ended = runCommandLine(['listen', ...args], {
    env: { MILLRACE_URL: proxy.url, MILLRACE_TOKEN: token },
    root: '/nonexistent',
    out: text => {
      out += `${text}\n`
    },
    err: text => {
      err += `${text}\n`
    },
  })
  const lines = () =>
    out
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as Line)
  return {
    printed: () => out,
    lines,
    events: () => lines().slice(1),
    said: () => err,
    ended,
    end: () => process.emit('SIGINT'),
  }
}

/** Runs a command in this process. */
async function commandLine(args: string[], env: NodeJS.ProcessEnv = {}) {
  const [out, err]: [string[], string[]] = [[], []]
  const terminal = { env, root: '/nonexistent', out: out.push.bind(out), err: err.push.bind(err) }
  return { status: await runCommandLine(args, terminal), out: out.join('\n'), err: err.join('\n') }
}

/** A receiver that keeps the requests and answers as the test says. */
async function receiver() {
  const got: { url: string | undefined; headers: IncomingMessage['headers']; body: Buffer }[] = []
  const state = { status: 204, port: 0 }
  const server = createServer(async (request, response) => {
    got.push({ url: request.url, headers: request.headers, body: await buffer(request) })
    response.writeHead(state.status).end()
  })
  const open = () => new Promise<void>(resolve => server.listen(state.port, '127.0.0.1', resolve))
  await open()
  state.port = (server.address() as AddressInfo).port
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>(resolve => server.close(() => resolve()))
  }
  return { got, state, open, close, url: `http://127.0.0.1:${state.port}/hooks/?shop=1` }
}

test('a receiver gets each event once, in order and signed as a webhook is, over broken connections', async t => {
  const tenant = await service.tenant()
  const hooks = await receiver()
  t.teardown(hooks.close)
  await tenant.post('/suppliers', { title: 'Größe "M"' })
  const run = listening(tenant.token, '--json', '--forward', hooks.url, '--after', '0')
  await eventually(() => hooks.got.length === 1, { what: 'the first event' })
  proxy.faults.push('break')
  proxy.breakAll()
  await eventually(() => proxy.faults.length === 0, { what: 'another connection' })
  hooks.state.status = 500
  await tenant.post('/customers', { title: 'Second' })
  await eventually(() => run.events().length === 2, { what: 'the second event' })
  // A receiver that is down is told of, and what follows is forwarded.
  await hooks.close()
  await tenant.post('/customers', { title: 'Third' })
  await eventually(() => run.events().length === 3, { what: 'the third event' })
  hooks.state.status = 200
  await hooks.open()
  await tenant.post('/customers', { title: 'Fourth' })
  await eventually(() => run.events().length === 4, { what: 'the fourth event' })
  run.end()
  t.is(await run.ended, 0)
  t.is(run.said(), '')

  const [head, ...lines] = run.lines()
  const secret = String(head?.['secret'])
  const webhook = new Webhook(secret)
  const feed = (await tenant.request('GET', '/events')).body.data
  for (const { url, headers, body } of hooks.got) {
    t.is(url, '/hooks/?shop=1')
    t.is(headers['content-type'], 'application/json')
    t.is(headers['user-agent'], 'Millrace-Webhooks/1.0')
    const event = webhook.verify(body, headers as Record<string, string>) as { id: string; sequence: number }
    t.is(headers['webhook-id'], event.id)
    t.deepEqual(event, feed[event.sequence - 1])
  }
  t.deepEqual(
    hooks.got.map(({ body }) => JSON.parse(String(body)).sequence),
    [1, 2, 4],
  )
  t.deepEqual(columns(lines.slice(0, 4), 'sequence', 'type', 'status', 'reason'), [
    [1, 'supplier.created', 204, null],
    [2, 'customer.created', 500, 'HTTP 500'],
    [3, 'customer.created', null, 'the connection was refused'],
    [4, 'customer.created', 200, null],
  ])
  t.deepEqual(lines[4], { events: 4, failed: 2 } as never)
})

test('only the kinds that are asked for are shown, without a receiver too', async t => {
  const tenant = await service.tenant()
  for (const path of ['/suppliers', '/customers', '/suppliers']) await tenant.post(path, { title: 'One' })
  const run = listening(tenant.token, '--json', '--types', 'supplier.created, product.created', '--after', '0')
  await eventually(() => run.events().length === 2, { what: 'two events' })
  t.like(run.events()[1], { sequence: 3, status: null, reason: null })
  run.end()
  t.is(await run.ended, 0)
  const plain = listening(tenant.token, '--after', '2')
  await eventually(() => plain.printed().includes('#3'), { what: 'a line' })
  plain.end()
  t.is(await plain.ended, 0)
  t.regex(
    plain.printed(),
    /^Events of http:\S+\n\d\d:\d\d:\d\d {2}supplier\.created {2}#3\n1 events, 0 of them not taken\n$/,
  )
  // The arguments are refused before the command listens, so the test needs no process of its own.
  const env = { MILLRACE_URL: service.url, MILLRACE_TOKEN: tenant.token }
  const wrong = await commandLine(['listen', '--types', 'nothing.happened'], env)
  t.is(wrong.status, 1)
  t.regex(wrong.err, /^millrace listen: type: must be some of product\.created, /)
  const typed = await commandLine(['listen', '--forward', 'localhost'], env)
  t.is(typed.status, 2)
  t.regex(typed.err, /--forward must be a URL like http:/)
})

test('every kind of event but the test event can be triggered', async t => {
  // A kind that fails here is new: its noun needs an example of it (lib/kit/documents/examples.ts). Only time makes a batch expire.
  const kinds = [...eventKindsOf(endpoints).keys()].filter(kind => kind !== TEST_KIND && kind !== 'batch.expired')
  t.deepEqual(Object.keys(examples).toSorted(), kinds.toSorted())
  const tenant = await service.tenant()
  const millrace = new Millrace({ baseUrl: service.url, token: tenant.token })
  let after = 0
  for (const [kind, run] of Object.entries(examples)) {
    await run(callerOver({ baseUrl: service.url, token: tenant.token }))
    const events = await millrace.events.list({ after_sequence: after, limit: 200 }).toArray()
    t.true(
      events.some(({ type }) => type === kind),
      kind,
    )
    after = Number(events.at(-1)?.sequence ?? after)
  }
})

test('an unknown kind is refused, and without a kind they are listed', async t => {
  const run = (...args: string[]) => commandLine(['trigger', ...args])
  const listed = await run()
  t.is(listed.status, 0)
  for (const kind of Object.keys(examples)) t.regex(listed.out, new RegExp(`^${kind} `, 'm'))
  const unknown = await run('sales_order.sent')
  t.is(unknown.status, 2)
  t.regex(unknown.err, /sales_order\.sent: no such kind; .*such as sales_order\.created/)
  t.is((await run('toString')).status, 2)
  const nothing = await run('supplier.created')
  t.is(nothing.status, 1)
  t.regex(nothing.err, /no service runs here: start it with npm start/)
})
