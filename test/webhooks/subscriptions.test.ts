/** Subscriptions over HTTP: what they show, what they refuse, and that secrets are shown once and kept encrypted. */
import * as v from 'valibot'
import { endpoints } from '../../lib/nouns.ts'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { secretBox } from '../../lib/platform/secret-box.ts'
import { eventKindsOf } from '../../lib/webhooks/event-kinds.ts'
import { runChore } from '../../workers/housekeeping/housekeeping.ts'
import {
  deletedSubscriptions,
  deliveriesOfDeleted,
  droppedDeliveries,
  oldDeliveries,
  oldMails,
} from '../../workers/housekeeping/webhook-retention.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column, columns } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { deliveriesOf, makePlace, subscribe } from './bench.ts'

const test = testsOf(import.meta)

// Without a webhook process: nothing is sent here.
const service = await serviceOfFile()

const URL_ = 'https://example.com/hooks'

const eventKindNames = [...eventKindsOf(endpoints).keys()]

test('a subscription is shown as it was made, and with its secret only in the answer that made it', async t => {
  const client = await service.tenant()
  const body = { url: URL_, events: ['sales_order.created', 'stock.changed'], description: 'Shop' }
  const made = await client.post('/webhook-subscriptions', body, 'once')
  t.is(made.status, 201)
  const { secret, ...shown } = made.body
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const { id, created_at, ...rest } = shown
  t.deepEqual(rest, {
    ...body,
    enabled: true,
    status: 'active',
    consecutive_failures: 0,
    last_delivery_at: null,
    last_failure_at: null,
    last_failure_reason: null,
  })
  t.regex(created_at, /Z$/)
  t.deepEqual((await client.get(`/webhook-subscriptions/${id}`)).body, shown)
  t.deepEqual((await client.get('/webhook-subscriptions')).body, { data: [shown], next_cursor: '' })
  const again = await client.post('/webhook-subscriptions', body, 'once')
  t.is(again.status, 201)
  t.is(again.headers.get('idempotent-replayed'), 'true')
  t.deepEqual(again.body, { ...shown, secret: null })
})

test('no secret is stored in clear, and a sealed one opens for its own subscription only', async t => {
  const client = await service.tenant()
  const { id, secret } = await subscribe(client, URL_)
  const rotated = (await client.post(`/webhook-subscriptions/${id}/rotate-secret`, {}, 'rotation')).body
  t.deepEqual(Object.keys(rotated), ['id', 'secret'])
  t.not(rotated.secret, secret)
  t.deepEqual((await client.post(`/webhook-subscriptions/${id}/rotate-secret`, {}, 'rotation')).body, {
    id,
    secret: null,
  })
  const kept = await service.pool.any(rows(v.object({ text: v.string() }))`
    select coalesce(body, '') as text from commands where tenant_id = ${client.tenantId}
    union all
    select encode(sealed, 'hex') from webhook_secrets where tenant_id = ${client.tenantId}
    union all
    select encode(sealed, 'escape') from webhook_secrets where tenant_id = ${client.tenantId}`)
  for (const shown of [secret, rotated.secret]) {
    const bytes = Buffer.from(shown.replace('whsec_', ''), 'base64')
    for (const { text } of kept)
      for (const form of [shown, bytes.toString('hex'), bytes.toString('latin1')]) t.false(text.includes(form))
  }
})

test('a box seals and opens, and refuses other keys, other owners and changed bytes', t => {
  const [old, current] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const sealed = secretBox([old]).seal(Buffer.from('secret'), 'a')
  t.is(secretBox([old]).open(sealed, 'a').toString(), 'secret')
  t.is(secretBox([current, old]).open(sealed, 'a').toString(), 'secret', 'a former key still opens')
  t.notDeepEqual(secretBox([old]).seal(Buffer.from('secret'), 'a'), sealed, 'each time other bytes')
  t.throws(() => secretBox([current]).open(sealed, 'a'), { message: /WEBHOOK_SECRET_KEY/ })
  t.throws(() => secretBox([old]).open(sealed, 'b'))
  for (const at of [6, 20, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    t.throws(() => secretBox([old]).open(changed, 'a'), undefined, `byte ${at}`)
  }
})

test('bodies are refused by field', async t => {
  const client = await service.tenant()
  const cases: [body: object, field: RegExp][] = [
    [{ events: ['*'] }, /^url: is required/],
    [{ url: URL_ }, /^events: is required/],
    [{ url: URL_, events: [] }, /^events: /],
    [{ url: URL_, events: ['no.such'] }, /^events\[0\]: must be one of product\.created, /],
    [{ url: URL_, events: ['*', 'stock.changed'] }, /^events: must be "\*" alone/],
    [{ url: URL_, events: '*' }, /^events: must be an array/],
    [{ url: `${URL_}${'x'.repeat(255)}`, events: ['*'] }, /^url: must have at most 255/],
    [{ url: null, events: ['*'] }, /^url: must not be null/],
    [{ url: URL_, events: ['*'], enabled: null }, /^enabled: must not be null/],
    [{ url: URL_, events: ['*'], secret: 'x' }, /^secret: is not a known field/],
  ]
  for (const [body, message] of cases) {
    const reply = await client.post('/webhook-subscriptions', body)
    t.is(reply.status, 400, reply.text)
    t.regex(reply.body.message, message)
  }
  const { id } = await subscribe(client, URL_)
  for (const overlap of [-1, 1.5, 30 * 86_400 + 1, '60', null])
    t.is((await client.post(`/webhook-subscriptions/${id}/rotate-secret`, { overlap_seconds: overlap })).status, 400)
  for (const since of [undefined, null, 'soon', 5])
    t.is((await client.post(`/webhook-subscriptions/${id}/recover`, { since })).status, 400)
  t.is((await client.get('/events?type=no.such')).status, 400)
  t.is((await client.get('/events?after_sequence=x')).status, 400)
  t.deepEqual((await client.get('/webhook-subscriptions')).body.data.length, 1)
})

test('at most ten secrets are valid at once; without overlap there is always room', async t => {
  const client = await service.tenant()
  const { id } = await subscribe(client, URL_)
  const rotate = (overlap: number) =>
    client.post(`/webhook-subscriptions/${id}/rotate-secret`, { overlap_seconds: overlap })
  for (let n = 0; n < 9; n++) t.is((await rotate(60)).status, 200)
  t.is((await rotate(60)).status, 422)
  t.is((await rotate(0)).status, 200)
  t.is((await rotate(60)).status, 200)
})

test('a change leaves alone what it omits, null clears, and enabling by name switches on', async t => {
  const client = await service.tenant()
  const { id, secret: _, ...made } = await subscribe(client, URL_, { description: 'Shop', enabled: false })
  t.is(made.status, 'disabled')
  const path = `/webhook-subscriptions/${id}`
  t.deepEqual((await client.patch(path, {})).body, { id, ...made })
  t.deepEqual((await client.patch(path, { description: null })).body, { id, ...made, description: null })
  t.like((await client.patch(path, { enabled: true, events: ['stock.changed'] })).body, {
    enabled: true,
    status: 'active',
    events: ['stock.changed'],
  })
})

test('the feed ascends by sequence, is filtered by kind and position, and pages on', async t => {
  const client = await service.tenant()
  for (let n = 0; n < 3; n++) await makePlace(client, `Place ${n}`)
  await client.post('/products', { title: 'Product' })
  await makePlace(client, 'Place 3')
  const all = (await client.get('/events')).body
  t.deepEqual(column(all.data, 'sequence'), [1, 2, 3, 4, 5])
  t.is(all.next_cursor, '')
  const kinds = await client.get('/events?type=storage_place.created&after_sequence=1&limit=2')
  t.deepEqual(column(kinds.body.data, 'sequence'), [2, 3])
  const both = await client.get(
    '/events?type=product.created,storage_place.created&after_sequence=2&order=desc&limit=2',
  )
  t.deepEqual(column(both.body.data, 'sequence'), [5, 4])
  t.is((await client.get('/events?type=product.created,product.created')).status, 400)
  const next = await client.get(`/events?type=storage_place.created&after_sequence=1&cursor=${kinds.body.next_cursor}`)
  t.deepEqual(column(next.body.data, 'sequence'), [5])
  t.deepEqual((await (await service.tenant()).get('/events')).body.data, [])
})

test('a recovery counts from the given moment on, inclusive, and only what the subscription is for', async t => {
  const client = await service.tenant()
  await makePlace(client)
  await client.post('/products', { title: 'Product' })
  await makePlace(client)
  const events = (await client.get('/events')).body.data
  const { id } = await subscribe(client, URL_, { events: ['storage_place.created'] })
  const recover = async (since: string) =>
    (await client.post(`/webhook-subscriptions/${id}/recover`, { since })).body.count
  t.is(await recover(events[2].timestamp), 1)
  t.is(await recover('2020-01-01'), 2)
  t.deepEqual(columns(await deliveriesOf(client, id), 'sequence', 'status'), [
    [3, 'pending'],
    [1, 'pending'],
  ])
  await service.pool.query(
    statement`update events set created_at = now() - interval '15 days' where tenant_id = ${client.tenantId} and sequence = 1`,
  )
  t.is(await recover('2020-01-01'), 1, 'what is older than 14 days is not sent any more')
})

test('a recovery is due in the order of the sequence, also where some of it waited already', async t => {
  const client = await service.tenant()
  for (let n = 0; n < 3; n++) {
    await makePlace(client)
    await client.post('/products', { title: `Product ${n}` })
  }
  const { id } = await subscribe(client, URL_, { events: ['product.created'] })
  const since = '2020-01-01'
  t.is((await client.post(`/webhook-subscriptions/${id}/recover`, { since })).body.count, 3)
  await client.patch(`/webhook-subscriptions/${id}`, { events: ['*'] })
  t.is((await client.post(`/webhook-subscriptions/${id}/recover`, { since })).body.count, 6)
  const due = await service.pool.any(rows(v.object({ sequence: v.string() }))`
    select sequence::text as sequence from webhook_deliveries
    where tenant_id = ${client.tenantId} and next_attempt_at <= now() order by next_attempt_at, id`)
  t.deepEqual(column(due, 'sequence'), ['1', '2', '3', '4', '5', '6'])
})

test('what belongs to another tenant or is no number is not there, and a cursor serves its own list only', async t => {
  const [client, stranger] = [await service.tenant(), await service.tenant()]
  const { id } = await subscribe(client, URL_)
  const { id: other } = await subscribe(client, `${URL_}/other`)
  const tests = [1, 2, 3].map(() => client.post(`/webhook-subscriptions/${id}/test`, {}))
  const [made] = await Promise.all(tests)
  const of = (path: string) => [`/webhook-subscriptions/${path}`, `/webhook-subscriptions/${path}/deliveries`]
  for (const path of [id, 'x', '9999999999999999999', '0'].flatMap(of))
    t.is((await stranger.get(path)).status, 404, path)
  for (const [path, body] of [
    [`/webhook-subscriptions/${id}/test`, {}],
    [`/webhook-subscriptions/${id}/rotate-secret`, {}],
    [`/webhook-subscriptions/${id}/recover`, { since: '2020-01-01' }],
    [`/webhook-deliveries/${made?.body.id}/redeliver`, {}],
    ['/webhook-deliveries/x/redeliver', {}],
  ] as const)
    t.is((await stranger.post(path, body)).status, 404, path)
  t.is((await stranger.patch(`/webhook-subscriptions/${id}`, { enabled: false })).status, 404)
  t.is((await stranger.request('DELETE', `/webhook-subscriptions/${id}`)).status, 404)
  t.true((await client.get(`/webhook-subscriptions/${id}`)).body.enabled)

  const list = `/webhook-subscriptions/${id}/deliveries`
  const page = (await client.get(`${list}?limit=2`)).body
  t.is(page.data.length, 2)
  t.is((await client.get(`${list}?limit=1&cursor=${page.next_cursor}`)).body.data.length, 1)
  for (const path of [`/webhook-subscriptions/${other}/deliveries`, '/webhook-subscriptions', '/events'])
    t.is((await client.get(`${path}?cursor=${page.next_cursor}`)).status, 400, path)
  for (const query of ['status=sent', 'limit=0', 'limit=201', 'cursor=', 'limit=1&limit=1'])
    t.is((await client.get(`${list}?${query}`)).status, 400, query)
  for (let n = 0; n < 3; n++) await makePlace(client)
  const events = (await client.get('/events?after_sequence=1&limit=1')).body
  t.is((await client.get(`/events?after_sequence=1&cursor=${events.next_cursor}`)).body.data.length, 1)
  for (const query of ['', 'after_sequence=2&', 'type=storage_place.created&after_sequence=1&'])
    t.is((await client.get(`/events?${query}cursor=${events.next_cursor}`)).status, 400, query)
})

test('every kind has a description and a JSON Schema of its body', async t => {
  const client = await service.tenant()
  const { data, next_cursor } = (await client.get('/webhook-event-kinds?limit=200')).body
  t.is(next_cursor, '')
  t.deepEqual(column(data, 'kind'), eventKindNames)
  for (const { kind, description, schema } of data) {
    t.regex(description, /\.$/)
    t.is(schema.properties.type.const, kind)
    // Events that are older than the field `actor` have none.
    t.deepEqual(schema.required, ['id', 'type', 'timestamp', 'sequence', 'api_version', 'data', 'previous'])
    t.true('actor' in schema.properties)
  }
  const product = data.find(({ kind }: { kind: string }) => kind === 'product.created').schema.properties.data.anyOf[0]
  t.true(product.required.includes('variants'))
})

test('housekeeping keeps deliveries for 30 days, a disabled backlog for 14, and removes what was deleted', async t => {
  const client = await service.tenant()
  const [kept, gone] = [await subscribe(client, URL_), await subscribe(client, `${URL_}/other`)]
  for (const { id } of [kept, kept, kept, gone]) await client.post(`/webhook-subscriptions/${id}/test`, {})
  const [old, backlog, fresh] = await deliveriesOf(client, kept.id)
  const age = (id: string, days: number) =>
    service.pool.query(
      statement`
        update webhook_deliveries set created_at = now() - make_interval(days => ${days}), next_attempt_at = now() - make_interval(days => ${days})
        where tenant_id = ${client.tenantId} and id = ${id}`,
    )
  await age(old?.id, 31)
  await age(backlog?.id, 15)
  for (const chore of [oldDeliveries, droppedDeliveries, oldMails]) await runChore(service.pool, chore)
  t.is((await deliveriesOf(client, kept.id)).length, 3, 'what waits for an attempt stays')
  await client.patch(`/webhook-subscriptions/${kept.id}`, { enabled: false })
  await runChore(service.pool, oldDeliveries)
  t.deepEqual(column(await deliveriesOf(client, kept.id), 'id'), [backlog?.id, fresh?.id])
  await runChore(service.pool, droppedDeliveries)
  t.deepEqual(column(await deliveriesOf(client, kept.id), 'id'), [fresh?.id])
  await client.request('DELETE', `/webhook-subscriptions/${gone.id}`)
  await service.pool.query(
    statement`update webhook_subscriptions set deleted_at = now() - interval '1 hour' where deleted_at is not null and tenant_id = ${client.tenantId}`,
  )
  for (const chore of [deliveriesOfDeleted, deletedSubscriptions]) await runChore(service.pool, chore)
  const left = await service.pool.any(
    rows(
      v.object({ id: v.string() }),
    )`select id::text as id from webhook_subscriptions where tenant_id = ${client.tenantId}`,
  )
  t.deepEqual(column(left, 'id'), [kept.id])
})

test('the webhook queue stands on the queue board', async t => {
  const board = await fetch(`${service.adminUrl}/queues/api/queues`)
  t.is(board.status, 200)
  t.true((await board.text()).includes('"webhooks"'))
})

test('a second subscription of the same kinds and URL is refused and named, at creation and change', async t => {
  const client = await service.tenant()
  const kinds = ['stock.changed', 'product.created']
  const first = await subscribe(client, URL_, { events: kinds, enabled: false })
  const same = new RegExp(`^url: webhook subscription ${first.id} sends these events there already$`)
  for (const url of [URL_, 'HTTPS://Example.com:443/hooks'])
    for (const events of [kinds, kinds.toReversed(), [...kinds, ...kinds]]) {
      const again = await client.post('/webhook-subscriptions', { url, events })
      t.is(again.status, 400)
      t.regex(again.body.message, same)
    }
  const others = [
    await subscribe(client, URL_, { events: ['*'] }),
    await subscribe(client, `${URL_}/other`, { events: kinds }),
    await subscribe(client, 'https://example.com/Hooks', { events: kinds }),
  ]
  for (const [at, body] of [{ events: kinds }, { url: URL_ }, { url: URL_ }].entries()) {
    const changed = await client.patch(`/webhook-subscriptions/${others[at]?.id}`, body)
    t.is(changed.status, 400)
    t.regex(changed.body.message, same)
  }
  t.is((await client.patch(`/webhook-subscriptions/${first.id}`, { url: URL_, events: kinds })).status, 200)
  await subscribe(await service.tenant(), URL_, { events: kinds })
  await client.request('DELETE', `/webhook-subscriptions/${first.id}`)
  t.is((await client.patch(`/webhook-subscriptions/${others[0]?.id}`, { events: kinds })).status, 200)
})

test('of twenty equal subscriptions made at once one is made', async t => {
  const client = await service.tenant()
  const made = await Promise.all(
    Array.from({ length: 20 }, () => client.post('/webhook-subscriptions', { url: URL_, events: ['*'] })),
  )
  t.deepEqual(made.map(({ status }) => status).toSorted(), [201, ...Array(19).fill(400)])
})

test('equal subscriptions can be changed in all else', async t => {
  const client = await service.tenant()
  const { id } = await subscribe(client, URL_)
  await service.pool.query(statement`
    insert into webhook_subscriptions (tenant_id, url, events, enabled, status, from_sequence, good_since, created_at)
    select tenant_id, url, events, enabled, status, from_sequence, good_since, created_at
    from webhook_subscriptions where tenant_id = ${client.tenantId}::bigint`)
  for (const body of [{ description: 'x' }, { enabled: false }, { enabled: true, url: URL_ }, { events: ['*'] }])
    t.is((await client.patch(`/webhook-subscriptions/${id}`, body)).status, 200)
  t.is((await client.patch(`/webhook-subscriptions/${id}`, { events: ['stock.changed'] })).status, 200)
  t.is((await client.patch(`/webhook-subscriptions/${id}`, { events: ['*'] })).status, 400)
})

test('a tenant has at most so many subscriptions as the setting says, and keeps what it has beyond', async t => {
  const client = await service.tenant()
  await subscribe(client, URL_)
  await service.pool.query(statement`
    insert into webhook_subscriptions (tenant_id, url, events, enabled, status, from_sequence, good_since, created_at)
    select tenant_id, url || n, events, enabled, status, from_sequence, good_since, created_at
    from webhook_subscriptions, generate_series(1, 98) n where tenant_id = ${client.tenantId}::bigint`)
  const { id } = await subscribe(client, `${URL_}/hundredth`)
  const next = await client.post('/webhook-subscriptions', { url: `${URL_}/more`, events: ['*'] })
  t.is(next.status, 422)
  t.is(next.body.message, 'there are 100 webhook subscriptions, and at most 100 may be')
  t.is((await client.patch(`/webhook-subscriptions/${id}`, { url: `${URL_}/changed` })).status, 200)
  await client.request('DELETE', `/webhook-subscriptions/${id}`)
  await subscribe(client, `${URL_}/more`)
  await subscribe(await service.tenant(), URL_)
})
