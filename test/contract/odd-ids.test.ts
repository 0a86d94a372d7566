/**
 * Ids that no record has, at the limits of what an id may be, in every path, body and filter of every endpoint. A tenant that has all kinds
 * of stock gets the documented errors, and never a 500.
 */
import type { ExecutionContext } from 'ava'
import { bodyOf, type CommandEndpoint, type Endpoint } from '../../lib/kit/api/endpoint.ts'
import { jsonSchemaOf, type SchemaObject } from '../../lib/kit/api/json-schema.ts'
import { endpoints } from '../../lib/nouns.ts'
import { Slots } from '../../lib/platform/limits/slots.ts'
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import type { Client, Reply } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { isByRef, makeWorld, type World } from './world.ts'

const declared = testsOf(import.meta)

/** The ids as JSON text. The last is no int64. */
const ODD = ['0', '"0"', '-1', '"-1"', '9223372036854775807', '"9223372036854775807"', '9223372036854775808']
/** One of each group of ids that are read the same way. The first field of a body is tested with all ids. */
const FEW = ['0', '"-1"', '9223372036854775807', '9223372036854775808']
const NO_INT64 = '9223372036854775808'
const inPath = (odd: string) => odd.replaceAll('"', '')

/** A few at a time: each test more has a connection of its own that plans all statements. */
const fewAtOnce = new Slots({ size: 6 })
const test = (title: string, run: (t: ExecutionContext) => Promise<void>) =>
  declared(title, t => fewAtOnce.in(() => run(t)))

const service = await serviceOfFile({ env: { TRUST_PROXY: 'true' } })
const { world, variant } = await fullWorld()
/**
 * Stock at places and without a place, in batches and without one, quarantined, reserved and expected: everything that an id used as "none"
 * could match by mistake.
 */
async function fullWorld(): Promise<{ readonly world: World<Client>; readonly variant: string }> {
  const made = await makeWorld(await service.tenant(), endpoints)
  const { made: make } = made.client
  const list = async (path: string): Promise<Loose[]> => (await made.client.get(path)).body.data
  const tracked = (await list('/batches'))[0]?.item_variant_id
  const variants: string[] = [...new Set<string>((await list('/stock')).map(row => row.item_variant_id))]
  const everywhere = [null, (await list('/storage-places'))[0]?.id]
  for (const place of everywhere) {
    const items = variants.map(id => ({ item_variant_id: id, quantity: 20, unit_cost: 3 }))
    await make('/stock-adjustments', { storage_place_id: place, items })
    await make('/stock-transfers', {
      from_storage_place_id: place,
      to_storage_place_id: place,
      items: variants.map(id => ({ item_variant_id: id, quantity: 2, to_quarantine: true })),
    })
    const sold = variants.map(id => ({ item_variant_id: id, quantity: 50, storage_place_id: place }))
    await make('/sales-orders', { customer: { title: 'Waiting' }, items: sold })
  }
  await make('/purchase-orders', { supplier: { title: 'Late' }, items: [{ item_variant_id: tracked, quantity: 1 }] })
  return { world: made, variant: variants[0] ?? '' }
}

/** The fields that are ids, as paths of names. The entry of an array is `0`. */
function idsOf(schema: SchemaObject, at: readonly string[] = []): (readonly string[])[] {
  const node = schema as Loose
  for (const other of node.anyOf ?? []) if (other.type !== 'null') return idsOf(other, at)
  if (node.pattern === '^-?[0-9]{1,19}$') return [at]
  if (node.items) return idsOf(node.items, [...at, '0'])
  // Only kits have components, and there is no kit here. The tests of kits test these ids.
  return Object.entries(node.properties ?? {})
    .filter(([name]) => name !== 'components')
    .flatMap(([name, of]) => idsOf(of as SchemaObject, [...at, name]))
}

/** The field that a body must not have together with this one. */
const excluded: Readonly<Record<string, string>> = {
  supplier_id: 'supplier',
  customer_id: 'customer',
  item_id: 'item_variant_id',
}
/** The fields that an entry needs beside the field and that the example lacks. */
function entryFor(list: string, field: string): Loose {
  if (list === 'tasks') return { actual_duration: 1 }
  if (list === 'variants' || list === 'charges') return {}
  return /^(item_variant_)?id$/.test(field) ? { quantity: 1 } : { quantity: 1, item_variant_id: variant }
}

/** A copy of the body with the value at the path. Missing objects on the path are made. */
function withValue(body: Loose, [key, ...rest]: readonly string[], value: unknown, list = ''): Loose {
  if (key === undefined) return value
  if (key === '0') {
    const [first = entryFor(list, rest[0] ?? ''), ...others] = body ?? []
    return [withValue(first, rest, value), ...others]
  }
  const copy = { ...body, [key]: withValue(body?.[key], rest, value, key) }
  delete copy[excluded[key] ?? '']
  return copy
}

/** The record that the endpoint's path names, made once. */
const records = new Map<string, Promise<Loose | undefined>>()
function recordOf({ path }: Endpoint): Promise<Loose | undefined> {
  const record = records.get(path) ?? world.recordFor(path)
  records.set(path, record)
  return record
}

/** The query parameters that the endpoint requires. */
function queryOf(endpoint: Endpoint): URLSearchParams {
  if (endpoint.kind === 'read') return new URLSearchParams(world.queryOf(endpoint))
  const asksTime = endpoint.kind === 'list' && endpoint.exampleQuery?.['as_of'] !== undefined
  return new URLSearchParams(asksTime ? { as_of: new Date().toISOString() } : {})
}

const nameOf = (at: readonly string[]) => at.map((key, n) => (key === '0' ? '[0]' : n === 0 ? key : `.${key}`)).join('')
const pathOf = (endpoint: Endpoint, id: string) => endpoint.path.replaceAll(/\{\w+\}/g, id)

function refusedAs(t: ExecutionContext, reply: Reply, field: string, what: string): void {
  t.is(reply.status, 400, `${what}: ${reply.text}`)
  t.is(reply.body.error, 'validation_failed', what)
  t.true(reply.body.message.includes(`${field}: `), `${what}: ${reply.text}`)
}

for (const endpoint of endpoints) {
  const name = `${endpoint.method} ${endpoint.path}`
  if (endpoint.path.includes('{') && !isByRef(endpoint))
    test(`${name} is 404 where no record has the id of the path`, async t => {
      const record = await recordOf(endpoint)
      const body = endpoint.kind === 'command' && endpoint.body ? { body: world.bodyOf(endpoint, record) } : {}
      for (const odd of FEW.map(inPath)) {
        const reply = await world.client.request(endpoint.method, `${pathOf(endpoint, odd)}?${queryOf(endpoint)}`, body)
        t.is(reply.status, 404, `${odd}: ${reply.text}`)
      }
    })

  const body = bodyOf(endpoint)
  const fields = body ? idsOf(jsonSchemaOf(body.schema, 'request')) : []
  if (endpoint.kind === 'command' && fields.length > 0)
    test(`${name} refuses by its name each field that no record has the id of`, t => refusesFields(t, endpoint, fields))

  const asked = endpoint.kind === 'list' ? endpoint.filters : endpoint.kind === 'read' ? endpoint.query : undefined
  // A list is asked for an id by its filter.
  const filters = asked ? idsOf(jsonSchemaOf(asked, 'request')).map(([name = '']) => name) : []
  if (filters.length > 0) test(`${name} finds nothing by the id of no record`, t => findsNothing(t, endpoint, filters))
}

async function refusesFields(t: ExecutionContext, endpoint: CommandEndpoint, fields: readonly (readonly string[])[]) {
  const record = await recordOf(endpoint)
  for (const [at, field] of fields.entries()) {
    for (const odd of at === 0 ? ODD : FEW) {
      const marked = JSON.stringify(withValue(world.bodyOf(endpoint, record), field, '<odd>'))
      const rawBody = marked.replace('"<odd>"', odd)
      const reply = await world.client.request(endpoint.method, pathOf(endpoint, record?.id), { rawBody })
      refusedAs(t, reply, nameOf(field), rawBody)
    }
  }
}

async function findsNothing(t: ExecutionContext, endpoint: Endpoint, filters: readonly string[]) {
  const record = await recordOf(endpoint)
  for (const filter of filters) {
    for (const odd of FEW.map(inPath)) {
      const query = queryOf(endpoint)
      query.set(filter, odd)
      const path = `${pathOf(endpoint, record?.id)}?${query}`
      const reply = await world.client.get(path)
      if (odd === NO_INT64 || endpoint.kind === 'read') refusedAs(t, reply, filter, path)
      else t.deepEqual([reply.status, reply.body.data], [200, []], `${path}: ${reply.text}`)
    }
  }
}

test('the place 0 holds nothing where a tenant has no places either', async t => {
  const client = await service.tenant()
  const product = await client.post('/products', { title: 'Bolt', minimum_stock: 10 })
  const items = [{ item_variant_id: product.body.variants[0].id, quantity: 1 }]
  t.is((await client.post('/stock-adjustments', { items })).status, 201)
  t.is(
    (await client.post('/sales-orders', { customer: { title: 'Ash' }, items: [{ ...items[0], quantity: 5 }] })).status,
    201,
  )
  const asOf = new Date().toISOString()
  for (const list of [
    '/stock?limit=9',
    '/availability?limit=9',
    '/shortages?below=zero',
    '/shortages?below=minimum',
    `/stock-valuation?as_of=${asOf}`,
  ]) {
    t.is((await client.get(list)).body.data.length, 1, list)
    const { status, text, body } = await client.get(`${list}&storage_place_id=0`)
    t.deepEqual([status, body.data], [200, []], `${list}: ${text}`)
  }
  const reply = await client.post('/stock-adjustments', { storage_place_id: 0, items })
  refusedAs(t, reply, 'storage_place_id', 'an adjustment')
})
