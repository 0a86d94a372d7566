/**
 * What the demo roastery makes: operations, recipes, and orders in every stage, made through the API. Like all of the demo it
 * can be filled twice, or again after a break. It must not make products or places.
 */
import type { Send } from './demo-client.ts'

type Made = { readonly id: string }
type Product = Made & { readonly variants: readonly { readonly id: string; readonly sku: string | null }[] }
type Place = Made & { readonly code: string | null }
type Page<T> = { readonly data: readonly T[] }

const operations = {
  roast: { title: 'Roasting', cost_per_hour: 28, position: 10, unit_name: 'roaster' },
  grind: { title: 'Grinding', cost_per_hour: 22, position: 20, unit_name: 'mill' },
  pack: { title: 'Packing', cost_per_hour: 18.5, position: 30, unit_name: 'bench' },
}

/** Per bag of 250 g: a sixth of the weight is lost in the roaster. */
const espresso = { 'GRN-SAN': 0.18, 'GRN-SID': 0.12, 'BAG-250': 1, 'LBL-01': 1 }
const filter = { 'GRN-SID': 0.3, 'BAG-250': 1, 'LBL-01': 1 }

/** Hours per bag. */
const asBeans = { roast: 0.006, pack: 0.01 }
const ground = { roast: 0.006, grind: 0.004, pack: 0.012 }

/**
 * Fills what is made: green coffee goes to the roastery, three recipes (one of an item), and four orders: done, half done,
 * not started and blocked.
 */
export async function fillManufacturing(send: Send): Promise<void> {
  // The last thing that is made tells later runs that all is there.
  const { data: blocked } = (await send('GET', '/manufacturing-orders?status=BLOCKED&limit=1')) as Page<Made>
  if (blocked.length > 0) return
  const post = async (path: string, body: unknown, name: string) =>
    (await send('POST', path, body, `demo-${name}`)) as Made
  const { variant, item, place } = await whatIsThere(send)

  await post(
    '/stock-transfers',
    {
      from_storage_place_id: place('GREEN'),
      to_storage_place_id: place('ROAST'),
      notes: 'Green coffee for the week',
      items: [
        { item_variant_id: variant('GRN-SAN'), quantity: 60 },
        { item_variant_id: variant('GRN-SID'), quantity: 70 },
      ],
    },
    'transfer-roastery',
  )

  const operationIds = new Map<string, string>()
  for (const [name, body] of Object.entries(operations))
    operationIds.set(name, (await post('/operations', body, `operation-${name}`)).id)
  const recipe = (of: object, materials: Record<string, number>, steps: Record<string, number>, name: string) =>
    post(
      '/recipes',
      {
        ...of,
        materials: Object.entries(materials).map(([sku, quantity]) => ({ item_variant_id: variant(sku), quantity })),
        operations: Object.entries(steps).map(([step, duration]) => ({
          operation_id: operationIds.get(step),
          duration,
        })),
      },
      `recipe-${name}`,
    )
  await recipe({ item_id: item('ESP-BEAN') }, espresso, asBeans, 'espresso')
  await recipe({ item_variant_id: variant('ESP-GRND') }, espresso, ground, 'espresso-ground')
  await recipe({ item_variant_id: variant('FIL-SID') }, filter, asBeans, 'filter')

  const order = (sku: string, quantity: number, extra: object, name: string) =>
    post('/manufacturing-orders', { item_variant_id: variant(sku), quantity, ...extra }, `order-${name}`)
  const move = ({ id }: Made, step: string, body: unknown, name: string) =>
    post(`/manufacturing-orders/${id}/${step}`, body, `order-${name}`)

  const beans = await order('ESP-BEAN', 80, { output_expiry_date: '2031-05-31', notes: 'Weekly roast' }, 'beans')
  await move(beans, 'start', {}, 'beans-start')
  await move(beans, 'complete', {}, 'beans-complete')
  const sidamo = await order('FIL-SID', 60, { output_expiry_date: '2031-05-31' }, 'filter')
  await move(sidamo, 'start', {}, 'filter-start')
  await move(sidamo, 'complete', { quantity: 25 }, 'filter-part')
  await order('ESP-GRND', 40, { priority: 5 }, 'ground')
  const later = await order('ESP-BEAN', 120, {}, 'later')
  await move(later, 'block', { reason: 'The roaster is being cleaned' }, 'later-block')
}

/** Ids by sku and by the code of a place. */
async function whatIsThere(send: Send) {
  const { data: products } = (await send('GET', '/products?limit=200')) as Page<Product>
  const { data: places } = (await send('GET', '/storage-places?limit=200')) as Page<Place>
  const variants = products.flatMap(product => product.variants.map(({ id, sku }) => ({ id, sku, itemId: product.id })))
  const bySku = (sku: string) => found(variants.find(candidate => candidate.sku === sku))
  return {
    variant: (sku: string) => bySku(sku).id,
    item: (sku: string) => bySku(sku).itemId,
    place: (code: string) => found(places.find(candidate => candidate.code === code)).id,
  }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the demo lacks what it should have by now')
  return value
}
