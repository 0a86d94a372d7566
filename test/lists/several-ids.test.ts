/**
 * Filters with ids, in every list that has one: several ids find the rows of each id, each row once, in the order of the list, on every
 * page. What one id finds is tested with its list.
 */
import type { ExecutionContext } from 'ava'
import { defaultLimits, issueKey } from '../../lib/access/keys.ts'
import type { Endpoint, ListEndpoint, Order, Row } from '../../lib/kit/api/endpoint.ts'
import { isRefusal, type Refusal } from '../../lib/kit/api/errors.ts'
import { jsonSchemaOf } from '../../lib/kit/api/json-schema.ts'
import { validate } from '../../lib/kit/api/validate.ts'
import { endpoints } from '../../lib/nouns.ts'
import { makeWorld } from '../contract/world.ts'
import type { Loose, TestTenant } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { readerOn } from '../support/reader-on.ts'
import { itemLine } from '../support/records.ts'
import { commandAt } from '../support/run-command.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

// One after the other: at the same time they would open as many connections, each of which plans all statements.
const bench = await benchOfFile()

type Filters = Readonly<Record<string, string>>
type Page = { readonly after: string | null; readonly limit: number; readonly order: Order }

let tenant: TestTenant
let stranger: TestTenant
let parents: Readonly<Record<string, string>>

test.before(async () => {
  tenant = await bench.tenant()
  stranger = await bench.tenant()
  await signIn(stranger)
  await makeWorld(posterOf(stranger), endpoints)
  parents = await fill()
})

/** The tenant's later commands have a key of its own. */
async function signIn(of: TestTenant): Promise<void> {
  const issued = await issueKey(bench.pool, { tenantId: of.id, name: 'T', scopes: [], ...defaultLimits })
  if (issued === null) throw new Error(`no tenant ${of.id}`)
  of.actor = { ...of.actor, keyId: issued.keyId }
}

function posterOf(of: TestTenant) {
  return {
    post: async (path: string, sent: unknown): Promise<Loose> => {
      const { endpoint, params } = commandAt('POST', path)
      const { body, refusal } = await of.run(endpoint, sent, params)
      return { status: refusal ? 400 : 201, text: refusal?.message, body }
    },
  }
}

async function make(path: string, sent: unknown): Promise<Loose> {
  const { status, text, body } = await posterOf(tenant).post(path, sent)
  if (status !== 201) throw new Error(`POST ${path}: ${text}`)
  return body
}

const all = async (path: string): Promise<Loose[]> => {
  const list = endpoints.find(endpoint => endpoint.kind === 'list' && endpoint.path === path) as Endpoint
  return tenant.page(list)
}

/** Makes some records of each kind. Returns the paths of records that have lists below them. */
async function fill(): Promise<Readonly<Record<string, string>>> {
  await signIn(tenant)
  await makeWorld(posterOf(tenant), endpoints)
  const places = (await all('/storage-places')).map(({ id }) => id)
  const [chair] = await all('/products')
  const variants: string[] = chair.variants.map(({ id }: Loose) => id)
  for (const title of ['A', 'B', 'C']) {
    await signIn(tenant)
    for (const path of ['/products', '/customers', '/suppliers']) await make(path, { title })
    await make('/operations', { title, cost_per_hour: 1 })
  }
  for (const { id } of (await all('/suppliers')).slice(-3))
    for (const variant of variants) await make('/supplier-items', { supplier_id: id, item_variant_id: variant })
  const oil = await make('/products', { title: 'Oil', batch_tracked: true })
  await make('/stock-adjustments', { items: [itemLine(oil.variants[0].id, 3, { batch_number: 'O-1', unit_cost: 1 })] })
  await make('/recipes', { item_variant_id: oil.variants[0].id, materials: [itemLine(variants[1], 1)] })
  const [sawing, ...operations] = await all('/operations')
  for (const variant of variants)
    await make('/recipes', {
      item_variant_id: variant,
      materials: [{ item_variant_id: variants.find(other => other !== variant), quantity: 1 }].slice(
        0,
        variant === variants[0] ? 1 : 0,
      ),
      operations: [sawing, ...operations].map(({ id }) => ({ operation_id: id, duration: 1 })),
    })
  const orders: Record<string, string> = {}
  const varnish = (await all('/batches')).map(batch => ({ item_variant_id: batch.item_variant_id, batch_id: batch.id }))
  // Shipments come before orders that reserve more than there is.
  for (const [at, place] of places.entries()) {
    const { id: customer_id } = await make('/customers', { title: `Guest ${at}` })
    const items = variants.map(id => itemLine(id, 1, { storage_place_id: place }))
    await make('/stock-adjustments', { storage_place_id: place, items: variants.map(id => itemLine(id, 3)) })
    const expires_at = new Date(Date.parse(tenant.now) + 3_600_000)
    for (const held of [items, items.slice(0, 1), items.slice(1)])
      await make('/reservations', { expires_at, customer_id, items: held })
  }
  for (const [at, place] of [...places, ...places].entries()) {
    const items = variants.map(id => itemLine(id, 8, { unit_cost: 2 }))
    await make('/stock-adjustments', { storage_place_id: place, items })
    await make('/stock-adjustments', { storage_place_id: place, items: varnish.map(of => ({ ...of, quantity: 5 })) })
    await make('/stock-transfers', {
      from_storage_place_id: place,
      to_storage_place_id: places.find(other => other !== place),
      items: [itemLine(variants[0], 1)],
    })
    const counted = await make('/stock-counts', {
      storage_place_id: place,
      items: variants.map(id => ({ item_variant_id: id, counted_quantity: 7 })),
    })
    const bought = await make('/purchase-orders', {
      supplier: { title: `Mill ${at}` },
      items: items.map(({ item_variant_id, quantity }) => itemLine(item_variant_id, quantity, { price: 2 })),
    })
    const sold = await make('/sales-orders', {
      customer: { title: `Shop ${at}` },
      items: [
        ...variants.map(id => itemLine(id, 3, { storage_place_id: place })),
        itemLine(varnish[0]?.item_variant_id, 4, { storage_place_id: place }),
        itemLine(variants[at % 2], 999 + at, { storage_place_id: place }),
      ],
    })
    const lineOf = (order: Loose, n: number, quantity: number) => ({
      [order === bought ? 'purchase_order_item_id' : 'sales_order_item_id']: order.items[n].id,
      quantity,
    })
    for (const quantity of [1, 2]) {
      const received = await make(`/purchase-orders/${bought.id}/receipts`, {
        storage_place_id: place,
        items: [lineOf(bought, 0, quantity)],
      })
      for (const title of ['Freight', 'Duty'])
        await make('/landed-costs', { purchase_receipt_id: received.id, items: [{ title, amount: quantity }] })
      await make(`/sales-orders/${sold.id}/packings`, { items: [lineOf(sold, 0, 1)] })
      const batch = varnish[quantity - 1]?.batch_id
      await make(`/sales-orders/${sold.id}/shipments`, {
        items: [{ ...lineOf(sold, 2, 1), batch_id: batch }, ...(quantity === 1 ? [lineOf(sold, at % 2, 1)] : [])],
      })
    }
    await make('/sales-returns', { sales_order_id: sold.id, items: [lineOf(sold, 2, 1)] })
    const made = await make('/manufacturing-orders', {
      item_variant_id: variants[at % 2],
      quantity: 1,
      sales_order_id: sold.id,
      manufacturing_location_id: place,
    })
    Object.assign(orders, {
      '/stock-counts/{id}': counted.id,
      '/purchase-orders/{id}': bought.id,
      '/sales-orders/{id}': sold.id,
      '/manufacturing-orders/{id}': made.id,
    })
  }
  for (const title of ['a', 'b'])
    await make('/webhook-subscriptions', { url: `https://example.com/${title}`, events: ['*'] })
  const [subscription] = await all('/webhook-subscriptions')
  for (let times = 0; times < 3; times++) await make(`/webhook-subscriptions/${subscription.id}/test`, {})
  return { ...orders, '/webhook-subscriptions/{id}': subscription.id }
}

const lists = endpoints.flatMap(endpoint => {
  if (endpoint.kind !== 'list' || !endpoint.filters) return []
  const { properties = {} } = jsonSchemaOf(endpoint.filters, 'request')
  const names = Object.keys(properties).filter(name => /^(?:id|(?!request).*_id)$/.test(name))
  return names.length === 0 ? [] : [{ endpoint, names, isByChange: 'updated_after' in properties }]
})

/** The rows of a page, or the refusal. */
async function ask(
  of: TestTenant,
  endpoint: ListEndpoint,
  filters: Filters,
  page: Page,
): Promise<readonly Row[] | Refusal> {
  const asked = Object.assign(Object.create(null), endpoint.exampleQuery ? { as_of: of.now } : {}, filters)
  const given = endpoint.filters ? validate(endpoint.filters, asked, 'query') : {}
  if (isRefusal(given)) return given
  const [parent = ''] = /^.*\{id\}/.exec(endpoint.path) ?? []
  const context = {
    tenantId: of.id,
    actor: { keyId: '1', userName: 'T' },
    scopes: new Set<string>(),
    pool: readerOn(bench.pool, of.id),
    now: of.now,
  }
  return endpoint.page(context, { params: { id: parents[parent] ?? '' }, filters: given as never, ...page })
}

/** The positions of all rows, page by page. */
async function read(
  endpoint: ListEndpoint,
  filters: Filters,
  { limit = 200, order = 'asc' as Order } = {},
): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const rows = await ask(tenant, endpoint, filters, { after: ids.at(-1) ?? null, limit, order })
    if (isRefusal(rows)) throw new Error(`${endpoint.path} ${JSON.stringify(filters)}: ${rows.message}`)
    ids.push(...rows.map(({ id }) => id))
    if (rows.length < limit) return ids
  }
}

const found = new Map<string, Promise<readonly string[]>>()
/** The rows that one id finds. They are read once. */
function foundBy(endpoint: ListEndpoint, name: string, id: string): Promise<readonly string[]> {
  const key = `${endpoint.id} ${name} ${id}`
  const rows = found.get(key) ?? read(endpoint, { [name]: id })
  found.set(key, rows)
  return rows
}

const TELLING_MAX = 3
/** Ids of which each finds some of the rows, but not all, together with these filters. */
async function tellingIds(
  endpoint: ListEndpoint,
  name: string,
  and: Filters,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await ask(tenant, endpoint, and, { after: null, limit: 200, order: 'asc' })
  if (isRefusal(rows)) throw new Error(rows.message)
  const field = name === 'id' ? 'id' : '\\w*id'
  const named = rows.flatMap(({ document }) =>
    [...document.matchAll(new RegExp(`"${field}":"(\\d+)"`, 'g'))].map(([, id = '']) => id),
  )
  const telling = new Map<string, readonly string[]>()
  for (const id of new Set(named)) {
    // An id that finds nothing also finds nothing together with another filter.
    const alone = await foundBy(endpoint, name, id)
    const ids =
      alone.length === 0 || Object.keys(and).length === 0 ? alone : await read(endpoint, { ...and, [name]: id })
    if (ids.length > 0 && ids.length < rows.length) telling.set(id, ids)
    if (telling.size === TELLING_MAX) break
  }
  return telling
}

/** Several ids find the rows of each, in the order of all rows, on pages of any size. */
async function findsEach(t: ExecutionContext, endpoint: ListEndpoint, name: string, and: Filters): Promise<void> {
  const telling = await tellingIds(endpoint, name, and)
  const ids = [...telling.keys()]
  const what = `${name}=${ids} ${JSON.stringify(and)}`
  if (Object.keys(and).length === 0) t.true(ids.length > 1, `${what} tells nothing apart`)
  const any = new Set([...telling.values()].flat())
  const wanted = [...ids.toReversed(), ...ids, '1'].join()
  // A list with `updated_after` cannot be read in descending order.
  for (const order of 'updated_after' in and ? (['asc'] as const) : (['asc', 'desc'] as const)) {
    const expected = (await read(endpoint, and, { order })).filter(row => any.has(row))
    for (const limit of [2, 200])
      t.deepEqual(
        await read(endpoint, { ...and, [name]: wanted }, { order, limit }),
        expected,
        `${what} ${order} by ${limit}`,
      )
  }
}

for (const { endpoint, names, isByChange } of lists)
  test(`GET ${endpoint.path} finds by several ids what each finds, on any page, beside any other filter`, async t => {
    for (const name of names) {
      await findsEach(t, endpoint, name, {})
      if (isByChange) await findsEach(t, endpoint, name, { updated_after: '2000-01-01' })
      for (const other of names.filter(other => other !== name)) {
        const ids = [...(await tellingIds(endpoint, other, {})).keys()]
        await findsEach(t, endpoint, name, { [other]: ids.slice(0, 2).join() })
      }
    }
  })

test('what names no ids or too many is refused by the name of the field', async t => {
  const hundred = Array.from({ length: 100 }, (_, at) => String(at + 1))
  const page = { after: null, limit: 9, order: 'asc' } as const
  const wrongs = [',', '1,', ',1', '1,,2', '1,x', '1, 2', '1;2', '9223372036854775808,1', [...hundred, '101'].join()]
  for (const { endpoint, names } of lists)
    for (const name of names) {
      for (const wrong of wrongs) {
        const answer = await ask(tenant, endpoint, { [name]: wrong }, page)
        t.true(isRefusal(answer) && answer.refusal === 'validation_failed', `${endpoint.path}?${name}=${wrong}`)
        t.regex(isRefusal(answer) ? answer.message : '', new RegExp(`^${name}: `))
      }
      t.deepEqual(await ask(tenant, endpoint, { [name]: [...hundred, '1', '100'].join() }, page), [])
    }
})

test('ids of another tenant find nothing', async t => {
  for (const { endpoint, names } of lists.filter(({ endpoint }) => !endpoint.path.includes('{')))
    for (const name of names) {
      const ids = [...(await tellingIds(endpoint, name, {})).keys()].join()
      t.deepEqual(
        await ask(stranger, endpoint, { [name]: ids }, { after: null, limit: 9, order: 'asc' }),
        [],
        `${endpoint.path}?${name}=${ids}`,
      )
    }
})

test('every list of records takes id', t => {
  const rowsWithoutId = [
    'listAvailability',
    'listStockValuation',
    'listShortages',
    'listWebhookEventKinds',
    'listEvents',
    // Journal entries are found by their documents.
    'listJournalEntries',
  ]
  const without = endpoints.filter(
    ({ kind, id }) =>
      kind === 'list' && !lists.some(({ endpoint, names }) => endpoint.id === id && names.includes('id')),
  )
  t.deepEqual(without.map(({ id }) => id).toSorted(), rowsWithoutId.toSorted())
})
