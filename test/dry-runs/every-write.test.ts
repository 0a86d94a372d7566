/**
 * Every write of the list is run dry: nothing of it stays, and the real write then answers the same. The test compares the rows of all
 * tables, which covers all lists, the feed, the quota, the command log and the counted numbers.
 */
import * as v from 'valibot'
import { answersRecord, type CommandEndpoint, type Endpoint } from '../../lib/kit/api/endpoint.ts'
import { endpoints } from '../../lib/nouns.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { makeWorld, type World } from '../contract/world.ts'
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { snapshotOf } from '../support/snapshot.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()
const DRY = { 'dry-run': 'true' }

const lastIdOf = async () => {
  const found = await service.pool.one(rows(v.object({ id: v.string() }))`select nextval('ids')::text as id`)
  return BigInt(found.id)
}

const pathOf = (endpoint: Endpoint, record: Loose) => endpoint.path.replaceAll(/\{\w+\}/g, String(record?.id))

/**
 * What may differ between both answers: ids of new records (they are replaced by the order of their first mention), times of this minute,
 * random ids of events, and secrets. Numbers may differ in general, but no other command takes numbers here.
 */
function comparable(body: Loose, { lastId, since }: { readonly lastId: bigint; readonly since: number }): Loose {
  const places = new Map<string, number>()
  const placeOf = (id: string) => {
    const place = places.get(id) ?? places.size
    places.set(id, place)
    return `new ${place}`
  }
  const of = (value: Loose, name: string): Loose => {
    if (Array.isArray(value)) return value.map(each => of(each, name))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, of(each, key)]))
    if (name === 'secret') return 'secret'
    // The event of a test delivery has a random id.
    if (name === 'event_id') return 'event'
    if (typeof value !== 'string') return value
    if (/^(?:.+_)?id$/.test(name) && /^\d+$/.test(value) && BigInt(value) > lastId) return placeOf(value)
    if (
      /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) &&
      Date.parse(value) >= since - 60_000 &&
      Date.parse(value) < since + 600_000
    )
      return 'now'
    return value
  }
  return of(body, '')
}

/** All writes run on one world, one after the other, since a world takes longer to make than a write. */
let shared: World
test.before(async () => {
  shared = await makeWorld(await service.tenant(), endpoints)
})

for (const endpoint of endpoints) if (endpoint.kind === 'command') testDry(endpoint)

function testDry(endpoint: CommandEndpoint): void {
  test(`${endpoint.method} ${endpoint.path} answers dry what it then answers, and leaves nothing`, async t => {
    // Its example's SKUs are taken where another product was made by it.
    const world = endpoint.path === '/products/{id}' ? await makeWorld(await service.tenant(), endpoints) : shared
    const { client } = world
    if (/^\/(sales-|reservations)/.test(endpoint.path)) await world.restock()
    const record = await world.recordFor(endpoint.path)
    const path = pathOf(endpoint, record)
    const body = world.bodyOf(endpoint, record)
    const options = endpoint.body ? { body } : {}
    const since = Date.now()
    const lastId = await lastIdOf()
    const before = await snapshotOf(service.pool, client.tenantId)
    const sequence = (await client.get('/events?limit=1')).headers.get('event-sequence')

    const dry = await client.request(endpoint.method, path, { ...options, key: endpoint.id, headers: DRY })
    t.is(dry.status, endpoint.success, dry.text)
    t.is(dry.headers.get('dry-run'), 'true')
    t.is(dry.headers.get('etag'), null)
    t.is(dry.headers.get('idempotent-replayed'), null)
    if (endpoint.showsSecret) t.is(dry.body.secret, null)
    t.deepEqual(await snapshotOf(service.pool, client.tenantId), before)
    t.is((await client.get('/events?limit=1')).headers.get('event-sequence'), sequence)

    // The same key: the dry run left no record of it.
    const real = await client.request(endpoint.method, path, { ...options, key: endpoint.id })
    t.is(real.status, dry.status, real.text)
    t.is(real.headers.get('dry-run'), null)
    t.is(real.headers.get('idempotent-replayed'), null)
    t.is(real.headers.has('etag'), answersRecord(endpoint, endpoints) && endpoint.success !== 204)
    const same = { lastId, since }
    t.deepEqual(comparable(dry.body, same), comparable(real.body, same))
    // The real write adds at least a line to the command log. One such check shows that the rows are compared.
    if (endpoint.id === 'createProduct')
      t.notDeepEqual(await snapshotOf(service.pool, client.tenantId), before, 'the real one leaves something')
  })
}
