/**
 * Runs commands that are larger than the examples: all fields, several lines, batches, quarantine. Other tests check their answers.
 * Commands of orders are in larger-orders.ts.
 */
import type { Loose } from '../../support/command-context.ts'
import { buy, type Goods, manufacture, type Partners, sell } from './larger-orders.ts'
import type { SendingTenant } from './tenant.ts'

type Send = SendingTenant['send']

export async function sendLargerCommands(tenant: SendingTenant): Promise<void> {
  const { send } = tenant
  const goods = await makeGoods(send)
  await moveStock(send, goods)
  const partners = await makePartners(send)
  await buy(send, goods, partners)
  await sell(send, goods, partners)
  await manufacture(tenant, goods)
  await changeProducts(send, goods)
  await followEvents(send)
}

async function makeGoods(send: Send): Promise<Goods> {
  const main = await send('POST', '/storage-places', { title: 'Main hall', code: 'MAIN', external_ref: 'place-1' })
  const side = await send('POST', '/storage-places', { title: 'Side hall' })
  const variant = async (title: string, given: object = {}) =>
    (await send('POST', '/products', { title, sku: title.toUpperCase(), ...given })).variants[0].id
  const product = await send('POST', '/products', {
    title: 'Wood',
    external_ref: 'product-1',
    variants: [
      { title: 'Oak', sku: 'OAK', barcode: 'B-1', minimum_stock: 20, attributes: { hard: 'yes' } },
      { title: 'Pine', sku: 'PINE', barcode: 'B-2', purchase_price: 2 },
    ],
  })
  const [wood, steel] = product.variants.map(({ id }: Loose) => id)
  const milk = await variant('Milk', { batch_tracked: true, shelf_life_days: 10, unit_name: 'l' })
  const table = await variant('Desk', { type: 'PRODUCT', minimum_stock: 5 })
  const service = await variant('Assembly', { type: 'SERVICE' })
  return { main: main.id, side: side.id, product, wood, steel, milk, table, service }
}

async function moveStock(send: Send, { main, side, wood, steel, milk }: Goods): Promise<void> {
  const opened = await send('POST', '/stock-adjustments', {
    storage_place_id: main,
    number: 'OPENING',
    external_ref: 'adjustment-1',
    reason: 'INITIAL',
    items: [
      { item_variant_id: wood, quantity: 100, unit_cost: 2.5 },
      { item_variant_id: steel, quantity: 100 },
      { item_variant_id: milk, quantity: 40, unit_cost: 1.1, batch_number: 'M-1', expiry_date: '2099-01-31' },
      {
        item_variant_id: milk,
        quantity: 40,
        unit_cost: 1.2,
        batch_number: 'M-2',
        manufacture_date: '2026-01-31',
        expiry_date: '2099-01-31',
      },
    ],
  })
  const batch = opened.items[2].batch_id
  await send('POST', '/stock-adjustments', {
    storage_place_id: main,
    reason: 'COUNT',
    items: [
      { item_variant_id: wood, counted_quantity: 99, expected_quantity: 100 },
      { item_variant_id: milk, counted_quantity: 39, batch_id: batch },
      { item_variant_id: milk, quantity: -1, batch_number: 'M-2' },
    ],
  })
  await send('POST', '/stock-transfers', {
    from_storage_place_id: main,
    to_storage_place_id: side,
    number: 'MOVE-1',
    external_ref: 'transfer-1',
    items: [
      { item_variant_id: wood, quantity: 5 },
      { item_variant_id: milk, quantity: 4, batch_id: batch, to_quarantine: true },
      { item_variant_id: milk, quantity: 30 },
    ],
  })
  await send('POST', '/stock-transfers', {
    from_storage_place_id: side,
    to_storage_place_id: main,
    items: [{ item_variant_id: milk, quantity: 2, batch_id: batch, from_quarantine: true }],
  })
}

async function makePartners(send: Send): Promise<Partners> {
  const made: Record<string, string> = {}
  for (const kind of ['supplier', 'customer'] as const) {
    const facts = { country_code: 'DE', email: 'a@example.com', phone: '1', tax_number: '2', currency: 'EUR' }
    const { id } = await send('POST', `/${kind}s`, { title: 'Known', ...facts, external_ref: `${kind}-1` })
    await send('PATCH', `/${kind}s/${id}`, { title: 'Better known', ...facts, phone: '3', external_ref: `${kind}-2` })
    const other = await send('POST', `/${kind}s`, { title: 'Gone' })
    await send('PATCH', `/${kind}s/${other.id}`, { archived: true })
    made[kind] = id
  }
  return made as Partners
}

async function changeProducts(send: Send, { product, side }: Goods): Promise<void> {
  const [oak, pine] = product.variants
  await send('PATCH', `/products/${product.id}`, {
    title: 'Wood, sawn',
    category: 'Materials',
    unit_name: 'm',
    external_ref: 'product-2',
    variants: [
      { id: oak.id, sku: 'OAK-2', barcode: 'B-3', price: 9, minimum_stock: 10, attributes: { hard: 'very' } },
      { id: pine.id, minimum_stock: 10 },
      { title: 'Beech', sku: 'BEECH' },
    ],
  })
  const { variants } = await send('PATCH', `/products/${product.id}`, { batch_tracked: false })
  await send('PATCH', `/products/${product.id}`, { variants: [{ id: variants[2].id, archived: true }] })
  const other = await send('POST', '/products', {
    title: 'Gone soon',
    sku: 'GONE',
    minimum_stock: 3,
    batch_tracked: true,
  })
  await send('PATCH', `/products/${other.id}`, { batch_tracked: false, archived: true })
  await send('PATCH', `/storage-places/${side}`, { code: 'SIDE', sales_allowed: false, external_ref: 'place-2' })
  const empty = await send('POST', '/storage-places', { title: 'Empty hall' })
  await send('PATCH', `/storage-places/${empty.id}`, { archived: true })
}

async function followEvents(send: Send): Promise<void> {
  const hook = await send('POST', '/webhook-subscriptions', { url: 'https://example.com/all', events: ['*'] })
  await send('PATCH', `/webhook-subscriptions/${hook.id}`, {
    url: 'https://example.com/some',
    events: ['product.created', 'product.updated'],
    enabled: false,
  })
  await send('PATCH', `/webhook-subscriptions/${hook.id}`, { enabled: true })
  for (const overlap_seconds of [3_600, 0])
    await send('POST', `/webhook-subscriptions/${hook.id}/rotate-secret`, { overlap_seconds })
  const delivery = await send('POST', `/webhook-subscriptions/${hook.id}/test`)
  await send('POST', `/webhook-deliveries/${delivery.id}/redeliver`)
  const since = new Date(Date.now() - 3_600_000).toISOString()
  await send('POST', `/webhook-subscriptions/${hook.id}/recover`, { since })
}
