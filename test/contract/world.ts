/**
 * A tenant with the records to which examples refer: places, products, stock. They are made through the API. Fills in the references of an
 * example body, and makes the record that a path names.
 */
import type { CommandEndpoint, Endpoint, ReadEndpoint } from '../../lib/kit/api/endpoint.ts'
import { plainJson } from '../../lib/kit/api/json-schema.ts'
import type { Loose } from '../support/command-context.ts'
import type { Client } from '../support/service.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Record_ = { readonly [key: string]: Json }

const STOCK = 1_000
const SUPPLIERS = ['Mill', 'Forge', 'Kiln']
/** How long the holds of examples last, since they must end after now. */
const HELD_MS = 15 * 60_000

/** The part of a client that it needs: the tests of plans run commands without HTTP. */
type Poster = Pick<Client, 'post'> & Partial<Pick<Client, 'keyId'>>

export type World<C = Client> = {
  readonly client: C
  /** The example of a command, with every reference replaced by the id of a record of this tenant. */
  readonly bodyOf: (endpoint: CommandEndpoint, record?: Loose) => Json
  /** The example query of a read, with every reference replaced by the id of a record of this tenant, as texts for a URL. */
  readonly queryOf: (endpoint: ReadEndpoint) => Readonly<Record<string, string>>
  /** Makes the record that `path` names in braces (`/products/{id}` by `POST /products`). */
  readonly recordFor: (path: string) => Promise<Loose | undefined>
  /** Adds stock of both variants, since the example of a stock count leaves too few for the examples that sell. */
  readonly restock: () => Promise<void>
}

/** Makes two places, a product of two variants, stock of both in the first place, and a service product. */
export async function makeWorld<C extends Poster>(client: C, endpoints: readonly Endpoint[]): Promise<World<C>> {
  const make = async (path: string, body: unknown): Promise<Loose> => {
    const reply = await client.post(path, body)
    if (reply.status !== 201) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`)
    return reply.body
  }
  const place = await make('/storage-places', { title: 'First' })
  const otherPlace = await make('/storage-places', { title: 'Second' })
  const product = await make('/products', {
    title: 'Chair',
    variants: [
      { title: 'Red', sku: 'CHAIR-RED' },
      { title: 'Blue', sku: 'CHAIR-BLUE' },
    ],
  })
  const variants: readonly string[] = product.variants.map((variant: Loose) => variant.id)
  if (endpoints.some(({ method, path }) => method === 'POST' && path === '/stock-adjustments')) {
    const items = variants.map(id => ({ item_variant_id: id, quantity: STOCK, unit_cost: 2.5 }))
    await make('/stock-adjustments', { items })
    // A tenant that had a main place before has stock there.
    if (!place.is_main) await make('/stock-adjustments', { storage_place_id: place.id, items })
  }
  const shipped = endpoints.some(({ path }) => path === '/sales-returns')
    ? await shippedOrder(make, variants)
    : undefined
  if (endpoints.some(({ path }) => path === '/shortages')) {
    const { variants: sold } = await make('/products', {
      title: 'Table',
      variants: [{ title: 'Low' }, { title: 'High' }],
    })
    const items = sold.map((variant: Loose) => ({ item_variant_id: variant.id, quantity: 1 }))
    await make('/sales-orders', { customer: { title: 'Waiting customer' }, items })
  }
  const received = endpoints.some(({ path }) => path === '/landed-costs')
    ? await receivedOrder(make, variants, place.id)
    : undefined
  const batch = endpoints.some(({ path }) => path === '/batches') ? await batchOf(make) : undefined
  const suppliers: string[] = []
  if (endpoints.some(({ path }) => path === '/supplier-items'))
    for (const title of SUPPLIERS) suppliers.push((await make('/suppliers', { title })).id)
  let [supplied, referred] = [0, 0]
  const operation = endpoints.some(({ method, path }) => method === 'POST' && path === '/operations')
    ? await make('/operations', { title: 'Sawing', cost_per_hour: 30 })
    : null
  if (operation) {
    // A recipe, so that manufacturing orders have materials and tasks.
    const materials = [{ item_variant_id: variants[1], quantity: 0.5 }]
    const operations = [0.25, 0.5].map(duration => ({ operation_id: operation.id, duration }))
    await make('/recipes', { item_variant_id: variants[0], materials, operations })
  }
  let subscriptions = 0
  let taken = 0
  let named: Loose
  // The ids by the name of the field that refers. Each line gets another variant, as long as there are some.
  const references: Readonly<Record<string, () => string>> = {
    item_id: () => product.id,
    item_variant_id: () => variants[taken++ % variants.length] ?? '',
    storage_place_id: () => place.id,
    from_storage_place_id: () => place.id,
    to_storage_place_id: () => otherPlace.id,
    operation_id: () => operation.id,
    // A supplier can have one item of a variant, so each call takes the next supplier.
    supplier_id: () => suppliers[supplied++ % suppliers.length] ?? '',
    purchase_receipt_id: () => received?.id,
    // A line of the record that the path names.
    purchase_order_item_id: () => named?.items[0].id,
    sales_order_item_id: () => (named ?? shipped)?.items[0].id,
    sales_order_id: () => shipped?.id,
  }

  const bodyOf = (endpoint: CommandEndpoint, record?: Loose): Json => {
    taken = 0
    named = record
    return fillReferences(endpoint, references, record)
  }
  const queryOf = ({ exampleQuery = {} }: ReadEndpoint) => {
    taken = 0
    return fillQuery(exampleQuery, references)
  }
  const testedSubscription = async (): Promise<{ subscription: Loose; delivery: Loose }> => {
    const subscription = await make('/webhook-subscriptions', {
      url: `https://example.com/hooks/${subscriptions++}`,
      events: ['*'],
    })
    return { subscription, delivery: await make(`/webhook-subscriptions/${subscription.id}/test`, {}) }
  }
  const recordFor = async (path: string): Promise<Loose | undefined> => {
    const collection = /^(.*?)\/\{\w+\}/.exec(path)?.[1]
    if (collection === undefined) return undefined
    if (isByRef({ path })) {
      const madeAt = collection.replace('/by-ref', '')
      const external_ref = `ref-${++referred}`
      await make(madeAt, { title: 'Found by its reference', external_ref })
      // The path names the record by its external_ref.
      return { id: external_ref }
    }
    if (collection === '/webhook-deliveries') return (await testedSubscription()).delivery
    if (collection === '/webhook-subscriptions') return (await testedSubscription()).subscription
    if (collection === '/batches') return batch
    // Only operators make API keys.
    if (collection === '/api-keys') return { id: client.keyId ?? place.id }
    const madeAt = madeElsewhere[collection] ?? collection
    const maker = endpoints.find(({ method, path }) => method === 'POST' && path === madeAt)
    if (maker?.kind !== 'command') throw new Error(`nothing makes a record for ${path}`)
    const parent = await recordFor(madeAt)
    const made = await make(madeAt.replace(/\{\w+\}/, parent?.id), bodyOf(maker, parent))
    const beforehand = movesBefore[path]
    if (beforehand) await client.post(`${collection}/${made.id}/${beforehand}`, {})
    return made.sales_return ? { ...made, id: made.sales_return.id } : made
  }
  const restock = async () => {
    const items = variants.map(id => ({ item_variant_id: id, quantity: 100, unit_cost: 2.5 }))
    await make('/stock-adjustments', { items })
  }
  return { client, bodyOf, queryOf, recordFor, restock }
}

/** An example query with its references, by the name of the parameter that refers. */
export const fillQuery = (
  query: Readonly<Record<string, string>>,
  references: Readonly<Record<string, () => string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, references[name]?.() ?? value]))

/**
 * The example of a command with its references (by the name of the field that refers), the ids of the record's lines, and times that are in
 * the future.
 */
export function fillReferences(
  { example }: CommandEndpoint,
  references: Readonly<Record<string, () => string>>,
  record?: Loose,
): Json {
  const fill = (value: Json, of: Loose, key = ''): Json => {
    if (Array.isArray(value)) return value.map((entry, n) => fillEntry(entry, of?.[key]?.[n]))
    if (typeof value === 'object' && value !== null) return fillObject(value as Record_, of?.[key])
    if (key === 'expires_at') return new Date(Date.now() + HELD_MS).toISOString()
    if (!key.endsWith('_id') || value === null) return value
    const reference = references[key]
    if (!reference) throw new Error(`there is no record for ${key}`)
    return reference()
  }
  // A line of an example that names a line of the record gets that line's id.
  const fillEntry = (entry: Json, line: Loose): Json =>
    typeof entry === 'object' && entry !== null && !Array.isArray(entry) && 'id' in entry
      ? { ...(fillObject(entry as Record_, line) as Record_), id: line?.id ?? entry['id'] }
      : fill(entry, line)
  const fillObject = (object: Record_, of: Loose): Json =>
    Object.fromEntries(Object.entries(object).map(([key, member]) => [key, fill(member, of, key)]))
  return fillObject((plainJson(example) ?? {}) as Record_, record)
}

/** Whether the endpoint's path names a record by its reference. */
export const isByRef = ({ path }: Pick<Endpoint, 'path'>): boolean => path.endsWith('/by-ref/{external_ref}')

/** The query string that an endpoint requires: its example with its references. The time of a stock list is now. */
export function searchOf(endpoint: Endpoint, references: Readonly<Record<string, () => string>> = {}): string {
  const example = 'exampleQuery' in endpoint ? endpoint.exampleQuery : undefined
  if (example === undefined) return ''
  const query = new URLSearchParams(fillQuery(example, references))
  if (query.has('as_of')) query.set('as_of', new Date().toISOString())
  return `?${query}`
}

/** The paths that make the records of lists that have no `POST` of their own. */
export const madeElsewhere: Readonly<Record<string, string>> = {
  '/purchase-receipts': '/purchase-orders/{id}/receipts',
  '/sales-shipments': '/sales-orders/{id}/shipments',
  '/production-tasks': '/manufacturing-orders',
}

/** The command that brings a record into the status that the path's command requires. */
const movesBefore: Readonly<Record<string, string>> = {
  '/manufacturing-orders/{id}/materials': 'start',
  '/manufacturing-orders/{id}/complete': 'start',
  '/manufacturing-orders/{id}/unblock': 'block',
}

/** Makes two batches with stock. Returns the first. */
async function batchOf(make: (path: string, body: unknown) => Promise<Loose>): Promise<Loose> {
  const { variants } = await make('/products', { title: 'Varnish', batch_tracked: true })
  const of = (batch: string) => ({ item_variant_id: variants[0].id, quantity: 3, batch_number: batch })
  const { items } = await make('/stock-adjustments', { items: [of('V-1'), of('V-2')] })
  return { id: items[0].batch_id }
}

/** Makes a receipt to which landed costs can be added. */
async function receivedOrder(
  make: (path: string, body: unknown) => Promise<Loose>,
  variants: readonly string[],
  placeId: string,
): Promise<Loose> {
  const items = variants.map(id => ({ item_variant_id: id, quantity: 3, price: 2 }))
  const order = await make('/purchase-orders', { supplier: { title: 'Supplier of chairs' }, items })
  return make(`/purchase-orders/${order.id}/receipts`, { storage_place_id: placeId })
}

/** Makes an order whose goods can be returned. */
async function shippedOrder(
  make: (path: string, body: unknown) => Promise<Loose>,
  variants: readonly string[],
): Promise<Loose> {
  const items = variants.map(id => ({ item_variant_id: id, quantity: STOCK / 10, price: 249 }))
  const order = await make('/sales-orders', { customer: { title: 'Returning customer' }, items })
  await make(`/sales-orders/${order.id}/shipments`, {})
  return order
}
