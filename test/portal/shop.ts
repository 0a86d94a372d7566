/** Tenants for the tests of the portal: with titles that contain HTML, and records on every screen. */
import type { CommandEndpoint } from '../../lib/kit/api/endpoint.ts'
import { endpoints } from '../../lib/nouns.ts'
import { fillReferences } from '../contract/world.ts'
import type { Client } from '../support/service.ts'
import { portalNouns } from './portal-nouns.ts'

export const HOSTILE = `<img src=x onerror="document.title='owned'"><script>alert(1)</script>`

type Service = { tenant(): Promise<Client> }

/** Flour is bought and bread is made of it, from 2 of flour and half an hour of baking each. Both are kept in batches. */
export async function bakery(service: Service) {
  const shop = await service.tenant()
  const { body: place } = await shop.post('/storage-places', { title: `Mill ${HOSTILE}` })
  const batched = { batch_tracked: true, shelf_life_days: 10 }
  const { body: flour } = await shop.post('/products', { title: 'Flour', sku: 'FLOUR', type: 'MATERIAL', ...batched })
  const { body: bread } = await shop.post('/products', {
    title: `Bread ${HOSTILE}`,
    sku: 'BREAD',
    price: 7,
    ...batched,
  })
  const [flourId, breadId] = [flour.variants[0].id, bread.variants[0].id]
  const { body: baking } = await shop.post('/operations', { title: `Baking ${HOSTILE}`, cost_per_hour: 10 })
  await shop.post('/recipes', {
    item_variant_id: breadId,
    materials: [{ item_variant_id: flourId, quantity: 2 }],
    operations: [{ operation_id: baking.id, duration: 0.5 }],
  })
  await shop.post('/suppliers', { title: `Farm ${HOSTILE}` })
  await shop.post('/customers', { title: `Inn ${HOSTILE}` })
  return { shop, place, flourId, breadId, breadItemId: bread.id }
}

/** A bakery with records of every kind: each screen by its path, and a text that shows that it is loaded. A new noun adds itself. */
export async function everyScreen(service: Service): Promise<{ shop: Client; screens: (readonly [string, string])[] }> {
  const { shop, place, flourId, breadId, breadItemId } = await bakery(service)
  const made = async (path: string, body: object) => (await shop.post(path, body)).body
  const bought = await made('/purchase-orders', {
    supplier: { title: 'Farm' },
    items: [{ item_variant_id: flourId, quantity: 30 }],
  })
  const received = await made(`/purchase-orders/${bought.id}/receipts`, {
    storage_place_id: place.id,
    items: [{ purchase_order_item_id: bought.items[0].id, quantity: 20, batch_number: 'F-1' }],
  })
  await made('/supplier-items', {
    supplier_id: bought.supplier.id,
    item_variant_id: flourId,
    purchase_unit_name: HOSTILE,
    conversion_rate: 25,
    price: 12.5,
    is_preferred: true,
  })
  const landed = await made('/landed-costs', {
    purchase_receipt_id: received.id,
    items: [{ title: HOSTILE, amount: 12.5 }],
  })
  const baked = await made('/manufacturing-orders', { item_variant_id: breadId, quantity: 4 })
  await made(`/manufacturing-orders/${baked.id}/start`, {})
  await made(`/manufacturing-orders/${baked.id}/complete`, { quantity: 3, output_batch_number: 'B-1' })
  const blocked = await made('/manufacturing-orders', { item_variant_id: breadId, quantity: 2 })
  await made(`/manufacturing-orders/${blocked.id}/block`, { reason: HOSTILE })
  const sold = await made('/sales-orders', {
    customer: { title: 'Inn' },
    delivery_date: '2020-01-01',
    items: [
      { item_variant_id: breadId, quantity: 2 },
      { item_variant_id: breadId, quantity: 90 },
    ],
  })
  const shipped = await made(`/sales-orders/${sold.id}/shipments`, {
    items: [{ sales_order_item_id: sold.items[0].id, quantity: 2 }],
  })
  const { sales_return: returned } = await made('/sales-returns', {
    sales_order_id: sold.id,
    items: [{ sales_order_item_id: sold.items[0].id, quantity: 1, reason: HOSTILE }],
  })
  const item = { item_variant_id: flourId, quantity: 1 }
  const moved = await made('/stock-transfers', {
    from_storage_place_id: place.id,
    to_storage_place_id: place.id,
    items: [{ ...item, to_quarantine: true }],
  })
  await made(`/stock-transfers/${moved.id}/reverse`, { reason: HOSTILE })
  const counted = await made('/stock-adjustments', { items: [{ ...item, batch_number: 'F-9' }] })
  await made(`/stock-adjustments/${counted.id}/reverse`, { reason: HOSTILE })
  const stockCount = await made('/stock-counts', {
    title: HOSTILE,
    items: [{ item_variant_id: breadId, batch_number: 'B-1', counted_quantity: 2 }],
  })
  const held = await made('/reservations', {
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    customer_id: sold.customer.id,
    notes: HOSTILE,
    items: [item],
  })
  const hook = await made('/webhook-subscriptions', { url: 'https://example.com/hooks', events: ['stock.changed'] })
  const { data: recipes } = (await shop.get(`/recipes?item_variant_id=${breadId}`)).body
  const { data: operations } = (await shop.get('/operations')).body
  const { data: batches } = (await shop.get('/batches?number=B-1')).body
  const screens = [
    ['/', '(late)'],
    ['/sales-orders/new', 'Totals show with the first line'],
    [`/sales-orders/${sold.id}`, 'Shipped with'],
    [`/reservations/${held.id}`, 'Make an order'],
    [`/sales-returns/${returned.id}`, 'Created'],
    ['/manufacturing-orders', 'MO-00002'],
    [`/manufacturing-orders/${baked.id}`, 'Gone with the output'],
    ['/production-tasks', 'Baking'],
    ['/shop-floor', 'Go on'],
    [`/manufacturing-orders/${blocked.id}`, 'Blocked'],
    [`/purchase-orders/${bought.id}`, 'F-1'],
    [`/landed-costs/${landed.id}`, 'Where it went'],
    ['/products', 'BREAD'],
    [`/suppliers/${bought.supplier.id}`, 'Open purchase orders'],
    [`/customers/${sold.customer.id}`, 'SR-00001'],
    ['/storage-places', 'Main place'],
    [`/storage-places/${place.id}`, 'FLOUR'],
    ['/recipes', '2 pcs × Flour'],
    [`/recipes/${recipes[0].id}`, 'One costs'],
    ['/operations', '10.00'],
    [`/operations/${operations[0].id}`, 'Cost per hour'],
    ['/books', 'Ties to'],
    ['/books/entries', 'LC-00001'],
    ['/import', 'CSV file'],
    ['/stock', 'BREAD'],
    ['/stock/batches', 'FLOUR'],
    [`/stock/${breadItemId}`, 'Variants'],
    [`/stock/${breadItemId}/${breadId}`, 'There after'],
    [`/stock/${bought.items[0].item_id}/${flourId}`, 'Preferred'],
    ['/stock-adjustments', 'Reversed'],
    [`/stock-adjustments/${counted.id}`, 'There after'],
    ['/stock-transfers', 'Reversed'],
    [`/stock-transfers/${moved.id}`, 'Reversed'],
    [`/stock-counts/${stockCount.id}`, 'Was there'],
    ['/planner', 'SO-00001'],
    [`/planner/requirements?item_variant_id=${breadId}&quantity=50`, 'Not yet'],
    ['/planner/replenishment', 'BREAD'],
    [`/trace/${batches[0].id}`, 'SH-00001'],
    ['/webhooks', 'example.com'],
    [`/webhooks/${hook.id}`, 'Deliveries'],
    ['/webhooks/kinds?kind=stock.changed', 'Schema'],
    ['/webhooks/live', 'sales_return.created'],
    ['/security', 'By route'],
    ['/keys', 'Valid'],
    [`/keys/${shop.keyId}`, 'Requests a minute'],
    ['/requests', 'POST /sales-returns'],
    [`/sales-orders/pick?ids=${sold.id}`, 'Not there'],
    [`/print/pick-lists/${sold.id}`, 'To pick'],
    [`/print/pick-lists?ids=${sold.id}`, 'To pick'],
    [`/print/packing-slips/${shipped.id}`, 'In this parcel'],
    [`/print/packing-slips?ids=${shipped.id}`, 'In this parcel'],
    [`/print/purchase-orders/${bought.id}`, 'Totals'],
    [`/print/work-orders/${baked.id}`, 'Materials taken'],
    [`/print/batch-labels/${batches[0].id}`, 'SKU BREAD'],
    [`/print/shelf-labels/${breadItemId}/${breadId}`, 'Counted in'],
    ['/nowhere', 'no such screen'],
  ] as const
  const named = new Set<string>(screens.map(([path]) => path))
  return { shop, screens: [...screens, ...(await othersOf({ shop, named, variantId: breadId, placeId: place.id }))] }
}

type Made = { readonly shop: Client; readonly named: ReadonlySet<string>; variantId: string; placeId: string }

/** The list of each other noun, and a page that nothing else shows. Of what there is none of, the example of its POST is made. */
async function othersOf({ shop, named, variantId, placeId }: Made): Promise<(readonly [string, string])[]> {
  const { nouns } = await portalNouns()
  const found: (readonly [string, string])[] = []
  for (const { resource, list, path, named: namedBy } of nouns) {
    if (list === undefined || named.has(list)) continue
    const maker = endpoints.find(one => one.kind === 'command' && one.path === `/${resource}`)
    const first = async () => (await shop.get(`/${resource}?limit=1`)).body.data[0]
    if (maker && (await first()) === undefined) {
      const references = { item_variant_id: () => variantId, storage_place_id: () => placeId }
      await shop.post(maker.path, fillReferences(maker as CommandEndpoint, references))
    }
    const record = await first()
    const { id, number, title } = namedBy?.(record) ?? record
    found.push([list, number ?? title])
    if (![...named].some(shown => shown.startsWith(`${path}/`))) found.push([`${path}/${id}`, number ?? title])
  }
  return found
}
