/**
 * What every endpoint answers when nothing is wrong, over real HTTP and through the real queue: the declared status, every documented field
 * and no other, compact JSON, the headers, replays, and nothing of another tenant.
 */
import type { ExecutionContext } from 'ava'
import type { CommandEndpoint, Endpoint, ListEndpoint } from '../../lib/kit/api/endpoint.ts'
import { jsonSchemaOf, type SchemaObject } from '../../lib/kit/api/json-schema.ts'
import { endpoints } from '../../lib/nouns.ts'
import { Slots } from '../../lib/platform/limits/slots.ts'
import type { Loose } from '../support/command-context.ts'
import { openStream } from '../support/event-stream.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import type { Client, Reply } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { misfits } from './fits.ts'
import { madeElsewhere, makeWorld, searchOf, type World } from './world.ts'

const test = testsOf(import.meta, { isOneStory: true })

const service = await serviceOfFile({ env: { TRUST_PROXY: 'true' } })

/**
 * A few at a time: a slow machine does not answer all of them in time, and each test more has a connection of its own that plans all
 * statements.
 */
const places = new Slots({ size: 4, patienceMs: 3_600_000, of: 'tests' })
const it = (guarantee: string, work: (t: ExecutionContext) => Promise<void>) =>
  test(guarantee, t => places.in(() => work(t)))

const pathOf = (endpoint: Endpoint, record: Loose) => endpoint.path.replaceAll(/\{\w+\}/g, String(record?.id))
const schemaOf = (endpoint: Endpoint): SchemaObject => (endpoint.reply ? jsonSchemaOf(endpoint.reply, 'reply') : {})
const newWorld = async () => makeWorld(await service.tenant(), endpoints)

/** A tenant that has nothing and writes nothing, and one that tries to reach records of others. */
let stranger: Client
let intruder: Client
/**
 * `written` is for all commands, one after the other. `shown` is for what lists and reads show. `plain` has so little that one page has all
 * its events.
 */
let written: World
let shown: World
let plain: World
/**
 * The records that the path of a read or list names in braces, and the records that a list shows. They are made before the first test that
 * needs them.
 */
const records = new Map<string, Loose>()
/** Reads with the same first record share it. Each list has a record of its own. */
const madeAs = ({ kind, path }: Endpoint) => (kind === 'list' ? path : (/^.*?\}/.exec(path)?.[0] ?? path))
const recordOf = (endpoint: Endpoint) => records.get(madeAs(endpoint))
test.before(async () => {
  ;[stranger, intruder] = [await service.tenant(), await service.tenant()]
  ;[written, shown, plain] = await Promise.all([newWorld(), newWorld(), newWorld()])
  const asked = endpoints.filter(({ kind }) => kind === 'read' || kind === 'list')
  for (const path of new Set(asked.map(madeAs)))
    records.set(path, path.includes('{') ? await shown.recordFor(path) : undefined)
  for (const endpoint of asked) if (endpoint.kind === 'list') await makeListed(endpoint)
})

const and = (path: string, more: string) => `${path}${path.includes('?') ? '&' : '?'}${more}`

/** White space between the tokens of JSON text. */
const spaces = (text: string) => text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/\s/g) ?? []

function isWellFormed(t: ExecutionContext, { headers, text }: Reply): void {
  t.deepEqual(spaces(text), [], `compact JSON: ${text}`)
  t.regex(headers.get('x-request-id') ?? '', /^req_\w+$/)
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
    t.regex(headers.get(name) ?? '', /^\d+$/, name)
  if (text !== '') t.regex(headers.get('content-type') ?? '', /^application\/json\b/)
}

async function isHidden(t: ExecutionContext, endpoint: Endpoint, record: Loose, body: unknown): Promise<void> {
  const path = `${pathOf(endpoint, record)}${searchOf(endpoint)}`
  const reply = await intruder.request(endpoint.method, path, body === undefined ? {} : { body })
  t.is(reply.status, 404, 'the record of another tenant is not there')
  t.is(reply.body.error, 'not_found')
}

for (const endpoint of endpoints) {
  const name = `${endpoint.method} ${endpoint.path}`
  if (endpoint.kind === 'read') {
    it(`${name} answers 200 in compact JSON with every documented field and no other, to its own tenant only`, async t => {
      const record = recordOf(endpoint)
      const { client } = shown
      const path = `${pathOf(endpoint, record)}?${new URLSearchParams(shown.queryOf(endpoint))}`
      const reply = await client.get(path)
      t.is(reply.status, 200, reply.text)
      t.deepEqual(misfits(schemaOf(endpoint), reply.body), [])
      isWellFormed(t, reply)
      t.is(reply.headers.get('event-sequence'), String(await sequenceOf(client)))
      const etag = reply.headers.get('etag')
      t.is(etag !== null, endpoint.tagged === true)
      if (etag !== null) {
        const headers = { 'if-none-match': etag }
        const unchanged = await client.request('GET', path, { headers })
        t.deepEqual([unchanged.status, unchanged.text], [304, ''])
        isWellFormed(t, unchanged)
      }
      if (record) await isHidden(t, endpoint, record, undefined)
    })
  }
  if (endpoint.kind === 'stream') {
    it(`${name} tells events with every documented field and no other, to its own tenant only`, async t => {
      const theirs = await openStream(stranger, endpoint.path)
      const stream = await openStream(plain.client, `${endpoint.path}?after_sequence=0`)
      for (const { data } of await stream.events(5)) t.deepEqual(misfits(schemaOf(endpoint), data), [])
      t.deepEqual(theirs.received, [])
      for (const one of [stream, theirs]) one.close()
    })
  }
  if (endpoint.kind === 'list') testList(name, endpoint)
  if (endpoint.kind === 'command') testCommand(name, endpoint)
}

/** The position of a record in its list: its id, or the sequence of an event. A list of constants shows no position. */
function positionOf(row: Loose, at: number): bigint {
  const id = row.id ?? row.sales_return?.id ?? placeOf(row) ?? at
  return BigInt(/^evt_/.test(String(id)) ? row.sequence : id)
}

/** The position of a variant at a place. Ids are far below 2^40 here. */
const placeOf = ({ item_variant_id: variant, storage_place_id: place }: Loose): bigint | undefined =>
  variant === undefined ? undefined : (BigInt(variant) << 40n) + BigInt(place ?? 0)

/** The command that makes what the list shows, if there is one. */
const makerOf = ({ path }: ListEndpoint) =>
  endpoints.find(
    (other): other is CommandEndpoint & Endpoint =>
      other.kind === 'command' && other.method === 'POST' && other.path === path,
  )
const isMade = (endpoint: ListEndpoint) =>
  makerOf(endpoint) !== undefined ||
  endpoint.path in madeElsewhere ||
  endpoint.path === '/api-keys' ||
  endpoint.path.includes('{')

/** Makes two more records of the list. */
async function makeListed(endpoint: ListEndpoint): Promise<void> {
  const record = recordOf(endpoint)
  const maker = makerOf(endpoint)
  for (let n = 0; n < 2; n++) {
    if (maker) await shown.client.post(pathOf(endpoint, record), shown.bodyOf(maker, record))
    if (endpoint.path === '/api-keys') await service.key(shown.client.tenantId)
    if (endpoint.path in madeElsewhere) await shown.recordFor(`${endpoint.path}/{id}`)
  }
}

function testList(name: string, endpoint: ListEndpoint): void {
  const listed = () => {
    const record = recordOf(endpoint)
    const { client } = isMade(endpoint) ? shown : plain
    return { client, record, path: `${pathOf(endpoint, record)}${searchOf(endpoint)}` }
  }

  it(`${name} pages through every record once, in order, in compact JSON with every documented field, for its own tenant only`, async t => {
    const { client, record, path } = listed()
    const whole = and(path, 'limit=200')
    const all = await client.get(whole)
    t.is(all.status, 200, all.text)
    isWellFormed(t, all)
    t.is(all.headers.get('event-sequence'), String(await sequenceOf(client)))
    t.deepEqual(Object.keys(all.body), ['data', 'next_cursor'])
    t.is(all.body.next_cursor, '')
    t.true(all.body.data.length > 0, 'there is something to list')
    for (const row of all.body.data) t.deepEqual(misfits(schemaOf(endpoint), row), [])

    const ids: readonly bigint[] = all.body.data.map(positionOf)
    const ascending = [...ids].sort((a, b) => (a < b ? -1 : 1))
    t.deepEqual(ids, endpoint.order === 'desc' ? ascending.reverse() : ascending)
    const unread = all.body.data.map(withoutUse)
    t.deepEqual(await readThrough(client, path), unread)
    const usual = endpoint.order ?? 'asc'
    const opposite = usual === 'asc' ? 'desc' : 'asc'
    const ordered = await client.get(and(whole, `order=${usual}`))
    t.deepEqual([ordered.body.data.map(withoutUse), ordered.body.next_cursor], [unread, ''])
    t.deepEqual(await readThrough(client, path, opposite), unread.toReversed())

    const { totals } = endpoint
    if (totals) {
      const summed = await client.get(and(path, 'totals=true'))
      t.deepEqual([summed.status, misfits(jsonSchemaOf(totals.reply, 'reply'), summed.body)], [200, []])
      isWellFormed(t, summed)
      t.is(summed.body.rows, all.body.data.length)
      t.is((await client.get(and(path, 'totals=true&limit=5'))).status, 400)
      t.deepEqual((await client.get(and(whole, 'totals=false'))).body, all.body)
    } else t.is((await client.get(and(path, 'totals=true'))).status, 400)

    const theirs = await stranger.get(whole)
    if (theirs.status === 200) t.is(theirs.headers.get('event-sequence'), '0', 'none yet, and told without rows too')
    if (record) t.is(theirs.status, 404)
    else if (endpoint.path === '/webhook-event-kinds') t.deepEqual(theirs.body, all.body, 'the same for everybody')
    else if (endpoint.path === '/api-keys') t.deepEqual(column(theirs.body.data, 'id'), [stranger.keyId])
    else t.deepEqual(theirs.body, { data: [], next_cursor: '' })
  })

  it(`${name} refuses a cursor of another tenant, of other filters, of the other order and of another list`, async t => {
    const { client, record, path } = listed()
    const { body } = await client.get(and(path, 'limit=1'))
    if (body.next_cursor === '') {
      t.pass('fewer than two records can be made here')
      return
    }
    const refused = async (by: Client, target: string) => {
      const reply = await by.get(target)
      t.is(reply.status, 400, target)
      t.regex(reply.body.message, /^cursor: /)
    }
    if (!record) await refused(stranger, and(path, `cursor=${body.next_cursor}`))
    const filters = endpoint.filters ? Object.keys(jsonSchemaOf(endpoint.filters, 'request').properties ?? {}) : []
    const text = filters.find(filter => filter === 'external_ref' || filter === 'sku')
    if (text) await refused(client, and(path, `${text}=other&cursor=${body.next_cursor}`))
    const opposite = endpoint.order === 'desc' ? 'asc' : 'desc'
    await refused(client, and(path, `order=${opposite}&cursor=${body.next_cursor}`))
    const other = endpoints.find(list => list.kind === 'list' && list !== endpoint && !list.path.includes('{'))
    if (other) await refused(client, and(`${other.path}${searchOf(other)}`, `cursor=${body.next_cursor}`))
  })
}

/** The row of a key shows its last use, to the second, and each read of this test is a use. */
const withoutUse = ({ last_used_at: _, ...row }: Loose): Loose => row

/** All records, read in pages of one, then two, then three: the limit may change between pages. */
async function readThrough(client: Client, path: string, order?: 'asc' | 'desc'): Promise<readonly Loose[]> {
  const records: Loose[] = []
  const asked = order === undefined ? '' : `&order=${order}`
  let cursor = ''
  for (let limit = 1; ; limit++) {
    const { body } = await client.get(and(path, `limit=${limit}${asked}${cursor === '' ? '' : `&cursor=${cursor}`}`))
    records.push(...body.data.map(withoutUse))
    cursor = body.next_cursor
    if (cursor === '') return records
  }
}

/** The events of a command's example, for commands whose events are not the one of the document that they make or change. */
const toldBy: Readonly<Record<string, readonly string[]>> = {
  reversePurchaseReceipt: ['purchase_receipt.reversed', 'purchase_order.updated'],
  reverseSalesShipment: ['sales_shipment.reversed', 'sales_order.updated'],
  completeStockCount: ['stock_adjustment.created', 'stock_count.completed'],
  createPurchaseOrder: ['supplier.created', 'purchase_order.created'],
  createSalesOrder: ['customer.created', 'sales_order.created'],
  createPurchaseReceipt: ['purchase_receipt.created', 'purchase_order.updated'],
  createShipment: ['sales_shipment.created', 'sales_order.updated'],
}

/** The body with a customer or supplier that no other test has made. */
function withNewParty(body: Loose): Loose {
  const party = ['customer', 'supplier'].find(name => body?.[name]?.title)
  return party === undefined
    ? body
    : { ...body, [party]: { ...body[party], title: `A new ${party}`, external_ref: `new-${party}` } }
}

/** The events after this sequence, without changes of stock. */
async function toldAfter(client: Client, sequence: number): Promise<readonly Loose[]> {
  const { body } = await client.get(`/events?limit=200&after_sequence=${sequence}`)
  return body.data.filter(({ type }: Loose) => type !== 'stock.changed')
}

async function sequenceOf(client: Client): Promise<number> {
  const { body } = await client.get('/events?order=desc&limit=1')
  return body.data[0]?.sequence ?? 0
}

function testCommand(name: string, endpoint: CommandEndpoint): void {
  const options = (body: unknown, key?: string) => ({
    ...(endpoint.body ? { body } : {}),
    ...(key === undefined ? {} : { key }),
  })

  // A PUT by reference does not reach the other tenant's record: it makes a record of the caller's own.
  const hidden = endpoint.path.includes('{') && !endpoint.mayMake ? 'cannot be reached by another tenant, ' : ''
  test.serial(
    `${name} ${hidden}takes its example, answers ${endpoint.success} in compact JSON with every documented field, and replays it`,
    async t => {
      // The SKUs of its example are taken where another product was made from it.
      const world = /^\/products\/(?:by-ref\/)?\{/.test(endpoint.path) ? plain : written
      if (endpoint.path.startsWith('/sales-')) await world.restock()
      const record = await world.recordFor(endpoint.path)
      const path = pathOf(endpoint, record)
      const body = withNewParty(world.bodyOf(endpoint, record))
      if (hidden) await isHidden(t, endpoint, record, endpoint.body ? body : undefined)
      const sequence = await sequenceOf(world.client)
      const first = await world.client.request(endpoint.method, path, options(body, endpoint.id))
      t.is(first.status, endpoint.success, first.text)
      isWellFormed(t, first)
      t.is(first.headers.get('idempotent-replayed'), null)
      if (endpoint.success === 204) t.is(first.text, '')
      else t.deepEqual(misfits(schemaOf(endpoint), first.body), [])

      const again = await world.client.request(endpoint.method, path, options(body, endpoint.id))
      t.is(again.status, endpoint.replay ?? endpoint.success, again.text)
      isWellFormed(t, again)
      t.is(again.headers.get('idempotent-replayed'), 'true')
      t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
      if (!first.text.includes('"secret"')) t.is(again.text, first.text)
      const told = await toldAfter(world.client, sequence)
      const types = told.map(({ type }) => type)
      const expected = toldBy[endpoint.id]
      if (expected) t.deepEqual(types, expected)
      // Subscriptions and an accountant's codes have no events.
      else
        t.is(
          types.length,
          ['Webhooks', 'Books'].includes(endpoint.tag[0]) ? 0 : 1,
          `one event for its document: ${types}`,
        )

      const other = await world.client.post('/storage-places', { title: 'Another request' }, endpoint.id)
      t.is(other.status, 409)
      t.is(other.body.error, 'conflict')
      isWellFormed(t, other)
    },
  )
}
