/**
 * Records the documentation's examples: sends every command's example to a demo tenant, reads every kind of record from it, and replaces
 * what differs from run to run (ids, times, secrets) by constants.
 */
import * as v from 'valibot'
import type {
  BulkEndpoint,
  CommandEndpoint,
  Endpoint,
  ListEndpoint,
  ReadEndpoint,
  StreamEndpoint,
} from '../../lib/kit/api/endpoint.ts'
import { endpoints, scopes } from '../../lib/nouns.ts'
import type { RecordedExample, RecordedExamples } from '../../lib/openapi/recorded-examples.ts'
import { type Pool, rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { SecurityCounts } from '../../lib/security/counts.ts'
import { sendOver } from '../../lib/tools/demo/client.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { createDemo } from '../../lib/tools/demo/tenant.ts'
import { eventKindsOf, TEST_KIND } from '../../lib/webhooks/event-kinds.ts'
import type { Loose } from '../support/command-context.ts'
import { openStream } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import { type Client, startService, type TestService } from '../support/service.ts'
import { recordErrors } from './record-errors.ts'
import { stable } from './stable-values.ts'
import { fillQuery, fillReferences, isByRef, searchOf } from './world.ts'

/** The skus of the variants in an endpoint's example, in the example's order. The demo tenant has them. The last one serves all that follow. */
const variantSkus: Readonly<Record<string, readonly string[]>> = {
  createManufacturingOrder: ['ESP-BEAN'],
  createPurchaseOrder: ['BAG-250', 'LBL-01'],
  createRecipe: ['ESP-GRND', 'RST-ESP'],
  createSupplierItem: ['LBL-01'],
  moveMaterials: ['BAG-250', 'LBL-01'],
  updatePurchaseOrder: ['LBL-01'],
}
const OTHER_SKUS = ['DRP-WHT']
/** The second key of the demo tenant, which is the first tenant of its database. */
const UNUSED_KEY = '1003'

type Exchange = { readonly example: RecordedExample; readonly reply: Loose }

export async function recordExamples(on: { databaseUrl: string; redisUrl: string }): Promise<RecordedExamples> {
  const service = await startService(on)
  const from = Date.now()
  try {
    const { tenantId, token } = await createDemo(on.databaseUrl)
    await fillDemo(sendOver(service.url, token), line => {
      throw new Error(line)
    })
    // As usual keys are, but fast enough for the recording.
    const limits = { ratePerMinute: 6_000, burst: 1_000, dailyDocuments: 500 }
    const { client } = await service.key(tenantId, { name: 'Web shop', userName: 'tom', scopes, ...limits })
    await countSecurity(service, client)
    // First the records of the demo, then those that only the commands' examples make.
    const recorded = new Map(
      await recordReads(
        client,
        endpoints.filter(({ kind }) => kind !== 'bulk'),
      ),
    )
    const readWhatIsNew = async () => {
      for (const [id, example] of await recordReads(client)) if (!recorded.has(id)) recorded.set(id, example)
    }
    for (const [id, example] of await recordCommands(client, readWhatIsNew)) recorded.set(id, example)
    for (const endpoint of endpoints.filter(({ kind }) => kind === 'immediate')) {
      const body = 'example' in endpoint && endpoint.example !== undefined ? { body: endpoint.example } : {}
      const record = endpoint.path.includes('{')
        ? { id: (await recordsAt(client, collectionOf(endpoint.path)))[0]?.id }
        : {}
      const { body: reply } = await client.request('POST', endpoint.path.replace('{id}', record.id), {
        key: null,
        ...body,
      })
      recorded.set(endpoint.id, { ...record, ...body, reply })
    }
    const missing = endpoints.filter(({ id }) => !recorded.has(id)).map(({ id }) => id)
    if (missing.length > 0) throw new Error(`nothing was recorded for ${missing.join(', ')}`)
    const inOrder = Object.fromEntries(endpoints.map(({ id }) => [id, recorded.get(id)]))
    const events = await recordEvents(service, client)
    const errors = await recordErrors(service, client)
    return stable({ endpoints: inOrder, events, errors }, { from, until: Date.now() }) as RecordedExamples
  } finally {
    await service.close()
  }
}

/** The records under a collection's path, newest first. Those below another record are found through that record. */
async function recordsAt(client: Client, collection: string): Promise<readonly Loose[]> {
  if (collection === '/webhook-deliveries') {
    const subscriptions = await recordsAt(client, '/webhook-subscriptions')
    return (
      await Promise.all(subscriptions.map(({ id }) => read(client, `/webhook-subscriptions/${id}/deliveries`)))
    ).flatMap(({ data }) => data)
  }
  // Of keys the one that nobody uses: when the others were used last depends on the run.
  const { data } = await read(client, collection === '/api-keys' ? `${collection}?id=${UNUSED_KEY}` : collection)
  return data.map((record: Loose) => ({ ...record, id: idOf(record) })).reverse()
}

const idOf = (record: Loose): string => record.id ?? record.sales_return?.id
/** The reference of the records that the examples of PUT make. */
const REFERENCE = 'shop-4712'

const collectionOf = (path: string): string => path.slice(0, path.indexOf('/{'))

async function read(client: Client, path: string): Promise<Loose> {
  const reply = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=200`)
  if (reply.status !== 200) throw new Error(`GET ${path}: ${reply.text}`)
  return reply.body
}

async function recordCommands(
  client: Client,
  beforeEnds: () => Promise<void>,
): Promise<ReadonlyMap<string, RecordedExample>> {
  const [places, products, operations, orders, suppliers, receipts] = await Promise.all(
    ['/storage-places', '/products', '/operations', '/sales-orders', '/suppliers', '/purchase-receipts'].map(
      async path => (await read(client, path)).data,
    ),
  )
  const shipped = orders.find(({ status }: Loose) => status === 'DONE')
  const received = receipts.find(({ reversed_at }: Loose) => reversed_at === null)
  const variants = products.flatMap((product: Loose) => product.variants)
  const placeOf = (code: string) => places.find((place: Loose) => place.code === code).id

  const bodyOf = (endpoint: CommandEndpoint, record?: Loose): unknown => {
    const skus = [...(variantSkus[endpoint.id] ?? OTHER_SKUS)]
    const lineOf = record ?? shipped
    return fillReferences(
      endpoint,
      {
        item_variant_id: () => {
          const sku = skus.length > 1 ? skus.shift() : skus[0]
          return variants.find((variant: Loose) => variant.sku === sku)?.id
        },
        storage_place_id: () => placeOf('ROAST'),
        from_storage_place_id: () => placeOf('ROAST'),
        to_storage_place_id: () => placeOf('SHOP'),
        operation_id: () => operations[0].id,
        supplier_id: () => suppliers.find(({ title }: Loose) => title === 'Weser Verpackung').id,
        purchase_order_item_id: () => lineOf.items[0].id,
        sales_order_item_id: () => lineOf.items[0].id,
        sales_order_id: () => shipped.id,
        purchase_receipt_id: () => received.id,
      },
      record,
    )
  }
  let refused = ''
  const attempt = async (endpoint: CommandEndpoint, record?: Loose): Promise<Exchange | undefined> => {
    const body = endpoint.body ? { body: bodyOf(endpoint, record) } : {}
    const id = isByRef(endpoint) ? REFERENCE : record?.id
    const path = endpoint.path.replace(/\{\w+\}/, id)
    const reply = await client.request(endpoint.method, path, body)
    if (reply.status !== endpoint.success && !(endpoint.mayMake && reply.status === 201)) {
      refused = reply.text
      return undefined
    }
    const example = {
      ...(record || isByRef(endpoint) ? { id } : {}),
      ...body,
      ...(reply.body === null ? {} : { reply: reply.body }),
    }
    return { example, reply: reply.body }
  }
  const ofDemo = new Map<string, readonly Loose[]>()
  for (const { kind, path } of endpoints)
    if (kind === 'command' && path.includes('{') && !isByRef({ path }))
      ofDemo.set(collectionOf(path), await recordsAt(client, collectionOf(path)))
  const used = new Set<string>()
  /**
   * Sends the example to a record of the demo, if possible one that got no other example. Else to a record that another example made, or
   * that is made for it.
   */
  const perform = async (endpoint: CommandEndpoint): Promise<Exchange | undefined> => {
    if (!endpoint.path.includes('{') || isByRef(endpoint)) return attempt(endpoint)
    const collection = collectionOf(endpoint.path)
    const records = ofDemo.get(collection) ?? []
    const fresh = records.filter(({ id }) => !used.has(id))
    for (const record of [...fresh, ...records, ...(await recordsAt(client, collection))]) {
      const done = await attempt(endpoint, record)
      if (!done) continue
      used.add(record.id)
      return done
    }
    const maker = endpoints.find(({ method, path }) => method === 'POST' && path === collection)
    const made = maker?.kind === 'command' ? await attempt(maker) : undefined
    return made && attempt(endpoint, { ...made.reply, id: idOf(made.reply) })
  }

  const recorded = new Map<string, RecordedExample>()
  // Commands that end a record come last, since other examples may be sent to the record before.
  const commands = endpoints.filter(endpoint => endpoint.kind === 'command')
  for (const isEnd of [false, true]) {
    if (isEnd) await beforeEnds()
    for (const endpoint of commands.filter(each => ends(each) === isEnd)) {
      const done = await perform(endpoint)
      if (!done) throw new Error(`the example of ${endpoint.id} was refused: ${refused}`)
      recorded.set(endpoint.id, done.example)
    }
  }
  return recorded
}

/** Whether no other command is possible on the record afterwards. */
export const ends = ({ method, path }: Endpoint): boolean =>
  method === 'DELETE' || /\/(?:close|cancel|release|reverse|revoke)$/.test(path)

async function recordReads(
  client: Client,
  of: readonly Endpoint[] = endpoints,
): Promise<ReadonlyMap<string, RecordedExample>> {
  const recorded = new Map<string, RecordedExample>()
  for (const endpoint of of) {
    const example = endpoint.kind === 'list' ? await recordList(client, endpoint) : undefined
    const one =
      endpoint.kind === 'read'
        ? await recordRead(client, endpoint)
        : endpoint.kind === 'stream'
          ? await recordStream(client, endpoint)
          : endpoint.kind === 'bulk'
            ? await recordBulk(client, endpoint)
            : undefined
    if (example ?? one) recorded.set(endpoint.id, example ?? one ?? {})
  }
  return recorded
}

/** A page with one record of the list: the one with the most values. */
async function recordList(client: Client, endpoint: ListEndpoint): Promise<RecordedExample | undefined> {
  const parents = endpoint.path.includes('{') ? await recordsAt(client, collectionOf(endpoint.path)) : [undefined]
  const rows: { row: Loose; id: string | undefined }[] = []
  for (const parent of parents) {
    const { data } = await read(client, `${endpoint.path.replace(/\{\w+\}/, parent?.id)}${searchOf(endpoint)}`)
    const shown = endpoint.path === '/api-keys' ? await recordsAt(client, endpoint.path) : data
    rows.push(...shown.map((row: Loose) => ({ row, id: parent?.id })))
  }
  const found = richest(rows, ({ row }) => row)
  return found && { ...(found.id ? { id: found.id } : {}), reply: { data: [found.row], next_cursor: '' } }
}

async function recordBulk(client: Client, { path, example: body }: BulkEndpoint): Promise<RecordedExample> {
  return { body, reply: (await client.request('POST', path, { key: null, body })).body }
}

async function recordRead(client: Client, endpoint: ReadEndpoint): Promise<RecordedExample | undefined> {
  const references = await queryReferences(client)
  const search = searchOf(endpoint, references)
  const query = endpoint.exampleQuery ? { query: fillQuery(endpoint.exampleQuery, references) } : {}
  if (!endpoint.path.includes('{')) return { ...query, reply: (await client.get(`${endpoint.path}${search}`)).body }
  if (isByRef(endpoint)) {
    const named = await recordsAt(client, collectionOf(endpoint.path).replace('/by-ref', ''))
    const id = named.find(({ external_ref: ref }) => ref !== null)?.external_ref
    return id && { id, reply: (await client.get(endpoint.path.replace(/\{\w+\}/, id))).body }
  }
  const record = richest([...(await recordsAt(client, collectionOf(endpoint.path)))].reverse(), row => row)
  if (record === undefined) return undefined
  const { body: reply } = await client.get(`${endpoint.path.replace(/\{\w+\}/, record.id)}${search}`)
  return { id: record.id, ...query, reply }
}

/** The ids in the demo tenant for references in example queries. */
async function queryReferences(client: Client): Promise<Readonly<Record<string, () => string>>> {
  const { data } = await read(client, '/products?sku=ESP-BEAN')
  return { item_variant_id: () => data[0].variants[0].id }
}

/** The first event of each kind. Kinds that no example causes are caused here. */
async function recordEvents({ pool }: TestService, client: Client): Promise<Readonly<Record<string, unknown>>> {
  for (const change of [{ status: 'DONE' }, { status: 'CANCELLED', cancel_reason: 'Ordered twice' }]) {
    const { id: variant } = (await read(client, '/products?sku=DRP-WHT')).data[0].variants[0]
    const items = [{ item_variant_id: variant, quantity: 1 }]
    const { body } = await client.post('/sales-orders', { customer: { title: 'Corner Café' }, items })
    await client.request('PATCH', `/sales-orders/${body.id}`, { body: change })
  }
  await endHolds({ pool, client })
  await expireBatch({ pool, client })
  const events: Record<string, unknown> = {}
  for (const kind of eventKindsOf(endpoints).keys()) {
    const { data } = (await client.get(`/events?type=${kind}&limit=1`)).body
    if (data.length > 0) events[kind] = data[0]
  }
  const ofTests = rows(v.object({ body: v.string() }))
  const test = await pool.one(ofTests`select body from webhook_deliveries where body is not null order by id limit 1`)
  events[TEST_KIND] = JSON.parse(test.body)
  return events
}

/** A batch that has expired, for which no event was written yet. */
async function expireBatch({ pool, client }: { readonly pool: Pool; readonly client: Client }): Promise<void> {
  const [{ id: itemId }] = (await read(client, '/products?sku=ESP-BEAN')).data
  const batch = (await read(client, '/batches')).data.find((one: Loose) => one.item_id === itemId)
  const items = [
    { item_variant_id: batch.item_variant_id, quantity: 2, batch_number: 'ROAST-0620', expiry_date: '2026-06-20' },
  ]
  await client.post('/stock-adjustments', { items })
  await pool.query(statement`update batches set expired = false where number = 'ROAST-0620'`)
  const isTold = async () => (await read(client, '/events?type=batch.expired')).data.length > 0
  await eventually(isTold, { what: 'a batch that expires' })
}

/** A hold that an order takes, and one that has expired. */
async function endHolds({ pool, client }: { readonly pool: Pool; readonly client: Client }): Promise<void> {
  const items = [{ sku: 'DRP-WHT', quantity: 1 }]
  const body = { expires_at: new Date(Date.now() + 15 * 60_000).toISOString(), items }
  const [taken, over] = [
    (await client.post('/reservations', body)).body,
    (await client.post('/reservations', body)).body,
  ]
  await client.post('/sales-orders', { customer: { title: 'Corner Café' }, reservation_id: taken.id, items })
  await pool.query(statement`
    update reservations set expires_at = now() where tenant_id = ${client.tenantId} and id = ${over.id}::bigint`)
  await eventually(async () => (await client.get(`/reservations/${over.id}`)).body.status === 'EXPIRED')
}

/** The data of the stream's first event. */
async function recordStream(client: Client, endpoint: StreamEndpoint): Promise<RecordedExample> {
  const stream = await openStream(client, `${endpoint.path}?after_sequence=0`)
  const [event] = await stream.events(1)
  stream.close()
  return { reply: event?.data }
}

/** The first of those with the most values. For a list of constants the first. */
function richest<T>(things: readonly T[], recordOf: (thing: T) => Loose): T | undefined {
  const size = (thing: T) => (idOf(recordOf(thing)) === undefined ? 0 : leaves(recordOf(thing)))
  return things.reduce<T | undefined>((best, thing) => (best && size(best) >= size(thing) ? best : thing), undefined)
}

function leaves(value: Loose): number {
  if (value === null) return 0
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce<number>((sum, member) => sum + leaves(member), 0)
}

/** A usual week of requests, and a day with a few that were refused: the days of the telemetry's example. */
async function countSecurity({ pool }: TestService, { tenantId, keyId }: Client): Promise<void> {
  const telemetry = endpoints.find(
    (endpoint): endpoint is ReadEndpoint & Endpoint => endpoint.id === 'getSecurityTelemetry',
  )
  const start = Date.parse(telemetry?.exampleQuery?.['windowStart'] ?? '')
  await pool.query(
    statement`select from make_security_partitions(${new Date(start - 8 * DAY_MS).toISOString()}::date, 3)`,
  )
  const counts = new SecurityCounts({ pool, log: createLog({ level: 'silent', processName: 'examples' }) })
  const count = (day: number, route: string, of: { method: string; status: number; times: number }) => {
    const { method, status, times } = of
    const request = {
      tenantId,
      keyId,
      method,
      route,
      status,
      address: '198.51.100.7',
      refusal: undefined,
      replayed: false,
    }
    for (let n = 0; n < times; n++) counts.request({ ...request, receivedAt: start + day * DAY_MS + n * 60_000 })
  }
  for (let day = -7; day <= 0; day++) {
    count(day, '/products', { method: 'GET', status: 200, times: 240 })
    count(day, '/sales-orders', { method: 'POST', status: 201, times: 60 })
  }
  count(0, '/sales-orders', { method: 'POST', status: 400, times: 6 })
  await counts.close()
}
const DAY_MS = 86_400_000
