/** Writes that name the version of the record that their caller knows: they change that version or nothing. */
import type { CommandEndpoint, Endpoint } from '../../lib/kit/api/endpoint.ts'
import { etagOf } from '../../lib/kit/api/etag.ts'
import { endpoints } from '../../lib/nouns.ts'
import { isByRef, makeWorld, type World } from '../contract/world.ts'
import { serviceOfFile } from '../support/of-file.ts'
import type { Client, Reply } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

/** The ETag of a record's GET. */
const tagOf = async (client: Client, path: string) => etagOf((await client.get(path)).text)
const isConditional = (endpoint: Endpoint): endpoint is CommandEndpoint =>
  endpoint.kind === 'command' && endpoint.takesIfMatch

test('every PATCH, DELETE and step of a record takes If-Match, and what has no record to compare does not', t => {
  const others = endpoints.flatMap(endpoint =>
    endpoint.kind === 'command' && !endpoint.takesIfMatch && endpoint.path.includes('{') ? [endpoint.id] : [],
  )
  t.deepEqual(others.sort(), [
    'recoverWebhookSubscription',
    'redeliverWebhookDelivery',
    'rotateWebhookSecret',
    'testWebhookSubscription',
  ])
})

/** All writes run on one world, one after the other, since a world takes longer to make than a write. */
let world: World
test.before(async () => {
  world = await makeWorld(await service.tenant(), endpoints)
})

for (const endpoint of endpoints.filter(isConditional)) {
  test.serial(
    `${endpoint.method} ${endpoint.path} is 412 for another ETag, happens once for the right one, and answers the new one`,
    async t => {
      const { client } = world
      if (endpoint.path.startsWith('/sales-')) await world.restock()
      const record = await world.recordFor(endpoint.path)
      const path = endpoint.path.replace(/\{\w+\}/, record?.id)
      const recordPath = isByRef(endpoint) ? path : path.split('/').slice(0, 3).join('/')
      const tag = await tagOf(client, recordPath)
      const body = endpoint.body ? { body: world.bodyOf(endpoint, record) } : {}
      const send = (ifMatch: string, given: object = body) =>
        client.request(endpoint.method, path, { ...given, key: endpoint.id, headers: { 'if-match': ifMatch } })

      const refused = await send('"another"')
      t.deepEqual([refused.status, refused.body.error], [412, 'precondition_failed'], refused.text)
      t.is(await tagOf(client, recordPath), tag, 'nothing has happened')

      const first = await send(tag)
      t.is(first.status, endpoint.success, first.text)
      const now = await client.get(recordPath)
      if (first.text === now.text) t.is(first.headers.get('etag'), etagOf(now.text))
      else t.is(first.headers.get('etag'), null, 'an answer of something else')
      // With the old tag, with another one, and with `*`: a replay does not check it again.
      for (const ifMatch of endpoint.id === 'updateProduct' ? [tag, '*', '"another"'] : [tag]) {
        const replay = await send(ifMatch)
        t.is(replay.headers.get('idempotent-replayed'), 'true', replay.text)
        t.is(replay.headers.get('etag'), first.headers.get('etag'))
      }
      const absent = await client.request(endpoint.method, path.replace(record?.id, '1'), {
        ...body,
        headers: { 'if-match': '*' },
      })
      // If a PUT would make the record, no record has the tag.
      t.is(absent.status, isByRef(endpoint) ? 412 : 404)
    },
  )
}

const product = async (client: Client): Promise<{ path: string; made: Reply }> => {
  const made = await client.post('/products', { title: 'Chair', sku: 'CHAIR' })
  return { path: `/products/${made.body.id}`, made }
}

test('a record that was just made can be edited by the ETag of that answer, and then by that of the edit', async t => {
  const client = await service.tenant()
  const { path, made } = await product(client)
  let tag = made.headers.get('etag') ?? ''
  t.is(tag, etagOf(made.text))
  for (const title of ['Stool', 'Bench']) {
    const edited = await client.request('PATCH', path, { body: { title }, headers: { 'if-match': tag } })
    t.is(edited.status, 200, edited.text)
    t.not(edited.headers.get('etag'), tag)
    tag = edited.headers.get('etag') ?? ''
  }
  t.is(tag, await tagOf(client, path))
})

test('of 32 edits at once with one ETag one wins and the others are 412', async t => {
  const client = await service.tenant()
  const { path, made } = await product(client)
  const headers = { 'if-match': made.headers.get('etag') ?? '' }
  const replies = await Promise.all(
    Array.from({ length: 32 }, (_, n) => client.request('PATCH', path, { body: { title: `Chair ${n}` }, headers })),
  )
  const [won, ...others] = replies.filter(({ status }) => status === 200)
  t.deepEqual(others, [])
  t.is(replies.filter(({ body }) => body.error === 'precondition_failed').length, 31)
  t.is((await client.get(path)).body.title, won?.body.title)
})

test('412 comes before what the command itself would refuse; a record that is gone is 404, and no quota is spent', async t => {
  const client = await service.tenant({ key: { dailyDocuments: 2 } })
  const { made } = await product(client)
  await client.post('/storage-places', { title: 'Hall' })
  const [{ id: item_variant_id }] = made.body.variants
  const order = (await client.post('/manufacturing-orders', { item_variant_id, quantity: 1 })).body
  const path = `/manufacturing-orders/${order.id}`
  const send = (method: string, step: string, ifMatch: string, body?: object) =>
    client.request(method, `${path}${step}`, { body, headers: { 'if-match': ifMatch } })
  // The quota is checked before the command runs.
  t.is((await send('POST', '/start', '"another"', {})).body.error, 'document_quota_exceeded')
  t.is((await send('POST', '/unblock', '"another"', {})).status, 412)
  t.is((await send('POST', '/unblock', '*', {})).status, 422)
  t.is((await send('POST', '/unblock', await tagOf(client, path), {})).status, 422)
  t.is((await send('DELETE', '', '"another"')).status, 412)
  t.is((await send('DELETE', '', '*')).status, 204)
  t.is((await send('POST', '/unblock', '"another"', {})).status, 404)
})

test('a weak, malformed or second tag is 400 and named, and so is one where no record is to be compared', async t => {
  const client = await service.tenant()
  const { path } = await product(client)
  const edit = (ifMatch: string) =>
    client.request('PATCH', path, { body: { title: 'Stool' }, headers: { 'if-match': ifMatch } })
  for (const tag of ['W/"x"', 'x', '"x', '"x", "y"', '"x",*', '', '**', '"a b"']) {
    const { status, body } = await edit(tag)
    t.is(status, 400, tag)
    t.regex(body.message, /^If-Match: must be one strong ETag/)
  }
  const made = await client.request('POST', '/suppliers', { body: { title: 'S' }, headers: { 'if-match': '*' } })
  t.is(made.status, 400)
  t.is(made.body.message, 'If-Match: is not taken by this endpoint')
})
