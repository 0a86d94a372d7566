/** The planner in a real browser: each short row has a button that buys, makes or transfers it, and one button does all of it. */

import { fitsAll, keptToItself, seriousFaults, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

const DAY_MS = 86_400_000
const dayAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** Tables of four legs each are sold. Legs are bought by the box of 12, glue by the jar, and the yard has some legs. */
async function joinery() {
  const shop = await service.tenant()
  const { body: hall } = await shop.post('/storage-places', { title: 'Hall' })
  const { body: yard } = await shop.post('/storage-places', { title: 'Yard' })
  const product = async (title: string, more = {}) => {
    const { body } = await shop.post('/products', {
      title,
      sku: title.toUpperCase(),
      price: 1,
      purchase_price: 1,
      ...more,
    })
    return body.variants[0].id as string
  }
  const [table, leg, glue] = [
    await product('Table', { lead_time_days: 2 }),
    await product('Leg'),
    await product('Glue'),
  ]
  const { body: gluing } = await shop.post('/operations', { title: 'Gluing', cost_per_hour: 10 })
  await shop.post('/recipes', {
    item_variant_id: table,
    operations: [{ operation_id: gluing.id, duration: 0.5 }],
    materials: [
      { item_variant_id: leg, quantity: 4 },
      { item_variant_id: glue, quantity: 0.5 },
    ],
  })
  const { body: farm } = await shop.post('/suppliers', { title: 'Farm' })
  await shop.post('/supplier-items', {
    ...{ supplier_id: farm.id, item_variant_id: leg, purchase_unit_name: 'box of 12', conversion_rate: 12, price: 24 },
    ...{ minimum_quantity: 2, multiple_of: 1, lead_time_days: 7, is_preferred: true },
  })
  const lay = { storage_place_id: yard.id, items: [{ item_variant_id: leg, quantity: 6, unit_cost: 1 }] }
  await shop.post('/stock-adjustments', lay)
  const { body: sale } = await shop.post('/sales-orders', {
    customer: { title: 'Inn' },
    items: [
      { item_variant_id: table, quantity: 5 },
      { item_variant_id: leg, quantity: 10 },
    ],
  })
  return { shop, hall, yard, table, leg, glue, farm, sale }
}

test('what is short is transferred, bought or made from its row', async t => {
  const { shop, hall, yard, leg, farm } = await joinery()
  const visit = await signedIn(browser, service, shop.token, '/planner')
  const { page } = visit
  const form = page.getByRole('dialog')
  const row = (name: RegExp) => page.getByRole('row', { name })
  const legs = row(/^Leg/)
  // 10 are sold and 20 are needed for the missing tables. They are ordered as 36 in boxes, of which the supplier sells at least two.
  await legs.getByText('6 pcs can be taken at Yard.').waitFor()
  await legs.getByRole('button', { name: 'Buy 36' }).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await legs.getByRole('button', { name: 'Transfer' }).click()
  t.is(await form.getByLabel('Quantity').inputValue(), '6')
  await form.getByRole('button', { name: 'Transfer' }).dblclick()
  await page.getByText('Transferred with ST-00001').waitFor()
  const [moved] = (await shop.get('/stock-transfers')).body.data
  t.like(moved, { from_storage_place_id: yard.id, to_storage_place_id: hall.id, items: [{ quantity: 6 }] })
  await legs.getByText('6 pcs can be taken').waitFor({ state: 'detached' })

  await legs.getByRole('button', { name: 'Buy 24' }).click()
  await form.getByText('24 pcs are missing, with 20 pcs for what else is to be made.').waitFor()
  t.is(await form.getByRole('combobox', { name: 'Supplier' }).inputValue(), 'Farm')
  t.is(await form.getByLabel('Quantity').inputValue(), '24')
  t.is(await form.getByLabel('Expected', { exact: true }).inputValue(), dayAfter(7))
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Create' }).dblclick()
  await page.getByRole('heading', { name: 'PO-00001' }).waitFor()
  const [bought] = (await shop.get('/purchase-orders')).body.data
  t.like(bought, {
    supplier: { id: farm.id },
    storage_place_id: hall.id,
    items: [{ item_variant_id: leg, quantity: 24 }],
  })

  await show(page, '/planner')
  await row(/^Leg/).waitFor({ state: 'detached' })
  await row(/^Table/)
    .getByRole('button', { name: 'Make 5' })
    .click()
  t.is(await form.getByLabel('Due').inputValue(), dayAfter(2))
  await form.getByLabel('Starts').fill(dayAfter(3))
  await form.getByText('it is due before it starts').waitFor()
  await form.getByLabel('Priority').fill('2')
  await form.getByLabel('Reference').fill('JOB-1')
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Create' }).dblclick()
  await page.getByRole('heading', { name: 'MO-00001' }).waitFor()
  const [made] = (await shop.get('/manufacturing-orders')).body.data
  t.like(made, { quantity: 5, manufacturing_location_id: hall.id, priority: 2, external_ref: 'JOB-1' })
  t.like(made, { planned_start_date: `${dayAfter(3)}T00:00:00.000Z`, production_date: `${dayAfter(2)}T00:00:00.000Z` })
  await keptToItself(t, visit, { service, token: shop.token })
})

test('all of it is ordered in one step, over all levels and in the units of the suppliers, after saying what would happen', async t => {
  const { shop, hall, leg, glue, farm } = await joinery()
  await shop.post('/suppliers', { title: 'Mill' })
  const visit = await signedIn(browser, service, shop.token, '/planner/replenishment')
  const { page } = visit
  const form = page.getByRole('dialog')
  await page.getByRole('row', { name: /Leg/ }).getByText('6 pcs can be taken at Yard.').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Order and make' }).click()
  await form.getByText('3 rows become 3 orders').waitFor()
  await form.getByRole('combobox', { name: /^Supplier of what/ }).fill('Mill')
  await page.getByRole('option', { name: 'Mill' }).click()
  await form.getByRole('button', { name: 'What will happen?' }).click()
  await form.getByText(/to Farm: 1 line, €72\.00$/).waitFor()
  await form.getByText(/5 pcs × Table are to be made$/).waitFor()
  t.deepEqual((await shop.get('/purchase-orders')).body.data, [])
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Order and make' }).dblclick()
  await page.getByText('3 orders are made').waitFor()
  const orders = (await shop.get('/purchase-orders')).body.data
  const lines = orders.flatMap((order: (typeof orders)[number]) =>
    order.items.map((item: (typeof orders)[number]) => [
      ...[order.storage_place_id, item.item_variant_id, item.quantity, item.purchase_quantity, item.purchase_unit_name],
    ]),
  )
  t.deepEqual(lines, [
    [hall.id, leg, 36, 3, 'box of 12'],
    [hall.id, glue, 2.5, null, null],
  ])
  t.is(orders[0].supplier.id, farm.id)
  await page.getByText('Nothing is short').waitFor()
  await keptToItself(t, visit, { service, token: shop.token })
})

test('what a sales order is short of is made for it; before the start its order says what is there, in each step what it costs', async t => {
  const { shop, hall, leg, glue, sale } = await joinery()
  const visit = await signedIn(browser, service, shop.token, `/sales-orders/${sale.id}`)
  const { page } = visit
  const form = page.getByRole('dialog')
  const table = page.getByRole('row', { name: /^Table/ })
  await table.getByText('Short of 5').waitFor()
  await table.getByRole('button', { name: 'Make 5 pcs', exact: true }).waitFor()
  t.is(
    await page
      .getByRole('row', { name: /^Leg/ })
      .getByRole('button', { name: /to order/ })
      .count(),
    0,
  )
  await table.getByRole('button', { name: 'Make 5 pcs to order' }).click()
  await form.getByText('It is made for SO-00001.').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Create' }).dblclick()
  await page.getByRole('heading', { name: 'MO-00001' }).waitFor()
  const [made] = (await shop.get('/manufacturing-orders')).body.data
  t.like(made, { type: 'MAKE_TO_ORDER', sales_order_id: sale.id, quantity: 5 })
  await page.getByRole('link', { name: 'SO-00001' }).click()
  const ofSale = page.getByRole('table', { name: 'Made to order' })
  await ofSale.getByRole('row', { name: /^MO-00001 Table Not started/ }).waitFor()
  await fitsAll(t, page)
  await ofSale.getByRole('link', { name: 'MO-00001' }).click()

  const materials = page.getByRole('region', { name: 'Materials' })
  const legs = materials.getByRole('row', { name: /^Leg/ })
  await materials.getByText('Short of 2 materials').waitFor()
  await legs.getByText('Short of 20').waitFor()
  await legs.getByRole('button', { name: /^Buy/ }).waitFor()
  await fitsAll(t, page)
  await shop.post('/stock-adjustments', {
    storage_place_id: hall.id,
    items: [
      { item_variant_id: leg, quantity: 30, unit_cost: 2 },
      { item_variant_id: glue, quantity: 5, unit_cost: 4 },
    ],
  })
  await page.reload()
  await materials.getByText('Can start now').waitFor()

  // 20 legs of 2.00 and 2.5 of glue of 4.00. 2.5 hours of 10.00.
  const cells = async (table: string, name: RegExp) =>
    (
      await page.getByRole('table', { name: table }).getByRole('row', { name }).getByRole('cell').allTextContents()
    ).slice(1)
  const costs = page.getByRole('table', { name: 'Costs' })
  await costs.getByRole('columnheader', { name: 'So far' }).waitFor()
  await costs.getByText('€75.00').waitFor()
  t.deepEqual(await cells('Costs', /^Total/), ['€75.00', '–'])
  await shop.post(`/manufacturing-orders/${made.id}/start`, {})
  // The stock now costs something else than was planned.
  await shop.post('/stock-adjustments', {
    storage_place_id: hall.id,
    items: [{ item_variant_id: leg, quantity: 100, unit_cost: 9 }],
  })
  await page.reload()
  await costs.getByText('€75.00').first().waitFor()
  await page.getByRole('columnheader', { name: 'Cost so far' }).waitFor()
  t.deepEqual(await cells('Costs', /^Materials/), ['€50.00', '€50.00'])
  t.deepEqual(await cells('Costs', /^Total/), ['€75.00', '€75.00'])
  t.deepEqual((await cells('Tasks', /^Gluing/)).slice(-2), ['€25.00', '€25.00'])
  t.is(await materials.getByText(/^Can start|^Short/).count(), 0)
  await shop.post(`/manufacturing-orders/${made.id}/complete`, { quantity: 5 })
  await page.reload()
  await costs.getByRole('columnheader', { name: 'Final' }).waitFor()
  await page.getByRole('columnheader', { name: 'Final cost' }).waitFor()
  await costs.getByText('€75.00').first().waitFor()
  t.deepEqual(await cells('Costs', /^Total/), ['€75.00', '€75.00'])
  t.deepEqual(await cells('Costs', /^Per unit/), ['€15.00', '€15.00'])
  await keptToItself(t, visit, { service, token: shop.token })
})

test('of 82 proposals all or none are chosen, and quantities changed in whole units; one tick draws no other row', async t => {
  const { shop, leg } = await joinery()
  for (let n = 0; n < 79; n++) await shop.post('/products', { title: `Nail ${n}`, minimum_stock: 5, purchase_price: 1 })
  const visit = await signedIn(browser, service, shop.token, '/planner/replenishment', { height: 1200 })
  const { page } = visit
  const box = (name: string) => page.getByRole('checkbox', { name: `Order ${name}`, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.getByText('box of 12', { exact: true }).waitFor()
  await button('None').click()
  t.false(await box('Leg').isChecked())
  t.true(await button('Order and make').isDisabled())
  await button('All').click()
  t.true(await box('Leg').isChecked())

  // Every number that is drawn is formatted by this function.
  await page.evaluate(`(() => {
    const { get } = Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, 'format')
    window.drawn = 0
    Object.defineProperty(Intl.NumberFormat.prototype, 'format', { get() { window.drawn++; return get.call(this) } })
  })()`)
  await box('Leg').click()
  t.false(await box('Leg').isChecked())
  t.true((await page.evaluate<number>('window.drawn')) < 10, 'numbers of other rows are not drawn')
  await page.evaluate('window.drawn = 0')
  const legs = page.getByRole('textbox', { name: 'Quantity of Leg' })
  await legs.fill('4')
  await page.getByText('48 pcs, proposed 36').waitFor()
  const drawn = await page.evaluate<number>('window.drawn')
  t.true(drawn > 0 && drawn < 20, `${drawn} numbers are drawn`)
  await box('Leg').click()
  await page.getByRole('row', { name: /Leg/ }).getByText('€96.00').waitFor()
  await legs.fill('2.5')
  await page.getByRole('row', { name: /Leg/ }).getByText('a whole number').waitFor()
  t.is(await button('Order and make').getAttribute('title'), 'Leg: a whole number')
  t.deepEqual(await seriousFaults(page), [])

  await legs.fill('4')
  await button('None').click()
  await box('Leg').click()
  await button('Order and make').click()
  await page.getByText('1 row becomes 1 order').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Order and make' }).dblclick()
  await page.getByText('1 order is made').waitFor()
  const [order] = (await shop.get('/purchase-orders')).body.data
  t.like(order.items, [{ item_variant_id: leg, quantity: 48, purchase_quantity: 4 }])
  await fitsAll(t, page)
  await keptToItself(t, visit, { service, token: shop.token })
})
