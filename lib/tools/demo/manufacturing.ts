/**
 * The demo roastery's production: operations, recipes on two levels (green coffee is roasted, roasted beans are bagged), and orders in
 * every stage.
 */
import type { DemoIds, Made, Write } from '../../kit/documents/examples.ts'

const operations = {
  roast: { title: 'Roasting', cost_per_hour: 28, position: 10, unit_name: 'roaster' },
  grind: { title: 'Grinding', cost_per_hour: 22, position: 20, unit_name: 'mill' },
  pack: { title: 'Packing', cost_per_hour: 18.5, position: 30, unit_name: 'bench' },
}

/** Materials and hours for one unit (kg or bag). Roasting loses a sixth of the weight. */
const espressoBeans = { materials: { 'GRN-SAN': 0.72, 'GRN-SID': 0.48 }, hours: { roast: 0.024 } }
const espressoBag = { 'RST-ESP': 0.25, 'BAG-250': 1, 'LBL-01': 1 }
const espresso = { materials: espressoBag, hours: { pack: 0.01 } }
const espressoGround = { materials: espressoBag, hours: { grind: 0.004, pack: 0.012 } }
/** The single origin is roasted and bagged in one order, ten bags at a time. One label in twenty tears. */
const filter = {
  output_quantity: 10,
  materials: { 'GRN-SID': 3, 'BAG-250': 10, 'LBL-01': 10 },
  scrap: { 'LBL-01': 5 },
  hours: { roast: 0.06, pack: 0.1 },
}

/**
 * Three operations, four recipes (one of an item), and six orders: two done, one partly done, one started (some labels came back), one not
 * started, one blocked.
 */
export async function fillManufacturing(write: Write, ids: DemoIds, externalRef: string): Promise<void> {
  await fillRecipes(write, ids)

  const order = (sku: string, quantity: number, extra: object, name: string) =>
    write('/manufacturing-orders', { item_variant_id: ids.variant(sku), quantity, ...extra }, `make-${name}`)
  const move = ({ id }: Made, step: string, body: object, name: string) =>
    write(`/manufacturing-orders/${id}/${step}`, body, `make-${name}-${step}`)

  const roast = await order('RST-ESP', 50, { output_expiry_date: '2031-02-28', notes: 'Weekly roast' }, 'roast')
  await move(roast, 'start', {}, 'roast')
  await move(roast, 'complete', {}, 'roast')
  // It expires before the opening stock, so that it is sold first: a trace of its coffee finds customers.
  const beans = await order('ESP-BEAN', 80, { output_expiry_date: '2030-11-30' }, 'beans')
  await move(beans, 'start', {}, 'beans')
  await move(beans, 'complete', {}, 'beans')
  const sidamo = await order('FIL-SID', 60, { output_expiry_date: '2031-05-31' }, 'filter')
  await move(sidamo, 'start', {}, 'filter')
  await move(sidamo, 'complete', { quantity: 25 }, 'filter')
  // Four days after the festival, which needs 25 of them.
  const made = { production_date: '2031-06-18', output_expiry_date: '2032-03-14', priority: 5 }
  const ground = await order('ESP-GRND', 40, made, 'ground')
  await move(ground, 'start', {}, 'ground')
  await move(ground, 'materials', { items: [{ item_variant_id: ids.variant('LBL-01'), quantity: -2 }] }, 'ground')
  // Mistyped, and changed before its start.
  const next = await order('ESP-BEAN', 600, {}, 'next')
  await write(`/manufacturing-orders/${next.id}`, { quantity: 60 }, 'next-less', 'PATCH')
  const later = await order('ESP-BEAN', 20, {}, 'later')
  await move(later, 'block', { reason: 'The roaster is being cleaned' }, 'later')

  await write(
    '/stock-transfers',
    {
      external_ref: externalRef,
      from_storage_place_id: ids.place('ROAST'),
      to_storage_place_id: ids.place('SHOP'),
      notes: 'From this week’s roast',
      items: [{ item_variant_id: ids.variant('FIL-SID'), quantity: 10 }],
    },
    'transfer-roast',
  )
}

async function fillRecipes(write: Write, { variant, item }: DemoIds): Promise<void> {
  const operationIds = new Map<string, string>()
  for (const [name, body] of Object.entries(operations))
    operationIds.set(name, (await write('/operations', body, `operation-${name}`)).id)
  type Figures = Record<string, number>
  type Recipe = { output_quantity?: number; materials: Figures; scrap?: Figures; hours: Figures }
  const recipe = (of: object, { output_quantity = 1, materials, scrap = {}, hours }: Recipe, name: string) =>
    write(
      '/recipes',
      {
        ...of,
        output_quantity,
        materials: Object.entries(materials).map(([sku, quantity]) => ({
          item_variant_id: variant(sku),
          quantity,
          scrap_percent: scrap[sku] ?? 0,
        })),
        operations: Object.entries(hours).map(([step, duration]) => ({
          operation_id: operationIds.get(step),
          duration,
        })),
      },
      `recipe-of-${name}`,
    )
  await recipe({ item_variant_id: variant('RST-ESP') }, espressoBeans, 'roast')
  await recipe({ item_id: item('ESP-BEAN') }, espresso, 'espresso')
  await recipe({ item_variant_id: variant('ESP-GRND') }, espressoGround, 'espresso-ground')
  await recipe({ item_variant_id: variant('FIL-SID') }, filter, 'filter')
}
