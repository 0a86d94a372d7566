/** Papers and labels of the portal, in a real browser: every line is on them, on A4 and on Letter, in black on white, and scanners can read them. */
import type { Locator, Page } from 'playwright-core'
import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

const LINES = 70
const LONG = `${'W'.repeat(80)} the long one`

/** The width between the margins of a page, at 96 pixels an inch. */
const papers = {
  A4: { width: Math.floor(((210 - 28) / 25.4) * 96), points: [595, 842] },
  Letter: { width: Math.floor(((215.9 - 28) / 25.4) * 96), points: [612, 792] },
} as const

type Paper = {
  readonly path: string
  readonly title: string
  readonly texts: readonly string[]
  readonly pages: number
}

async function shopWithPapers(shop: Client): Promise<{ papers: readonly Paper[]; secret: string }> {
  const { made } = shop
  const hall = await made('/storage-places', { title: 'Hall' })
  const goods = await made('/products', {
    title: 'Goods',
    variants: Array.from({ length: LINES }, (_, n) => ({ title: `Kind ${n}`, sku: `KIND-${n}`, price: 123.45 })),
  })
  const flour = await made('/products', { title: LONG, sku: 'FLOUR', batch_tracked: true, price: 777.25 })
  const bread = await made('/products', { title: 'Bread', sku: 'BREAD', price: 7 })
  const [flourId, breadId] = [flour.variants[0].id, bread.variants[0].id]
  const lot = (batch_number: string, quantity: number, expiry_date: string) => ({
    ...{ item_variant_id: flourId, batch_number, quantity, expiry_date, unit_cost: 1 },
  })
  await made('/stock-adjustments', {
    items: [lot('LATE', 10, '2099-03-01'), lot('SOON', 4, '2098-03-01'), lot('OVER', 9, '2020-03-01')],
  })
  const address = {
    name: 'Inn',
    line_1: 'Dam 1',
    line_2: null,
    city: 'Bremen',
    region: null,
    zip: '28195',
    country_code: 'DE',
  }
  const sold = await made('/sales-orders', {
    customer: { title: 'Inn' },
    shipping_address: address,
    items: [
      { item_variant_id: flourId, quantity: 6, price: 777.25 },
      { item_variant_id: flourId, quantity: 20, price: 777.25 },
      ...goods.variants.map(({ id }: { id: string }) => ({ item_variant_id: id, quantity: 1 })),
    ],
  })
  const parcel = await made('/sales-orders', {
    customer: { title: 'Inn' },
    shipping_address: address,
    items: [{ item_variant_id: flourId, quantity: 1, price: 777.25 }],
  })
  const shipped = await made(`/sales-orders/${parcel.id}/shipments`, { carrier: 'Post' })
  const farm = await made('/suppliers', { title: 'Farm', address: { line_1: 'Lane 2', city: 'Vechta' } })
  await made('/supplier-items', {
    ...{ supplier_id: farm.id, item_variant_id: flourId, supplier_sku: 'F-25' },
    ...{ purchase_unit_name: 'sack', conversion_rate: 25 },
  })
  const bought = await made('/purchase-orders', {
    supplier_id: farm.id,
    storage_place_id: hall.id,
    items: [{ item_variant_id: flourId, purchase_quantity: 4, purchase_price: 30.5, conversion_rate: 25 }],
  })
  const baking = await made('/operations', { title: 'Baking', cost_per_hour: 10 })
  await made('/recipes', {
    item_variant_id: breadId,
    materials: [{ item_variant_id: flourId, quantity: 2 }],
    operations: [{ operation_id: baking.id, duration: 0.5 }],
  })
  const order = await made('/manufacturing-orders', { item_variant_id: breadId, quantity: 3 })
  const soon = (await shop.get('/batches?number=SOON')).body.data[0]
  return {
    // A price, which a packing slip must not show.
    secret: '777.25',
    papers: [
      {
        path: `/print/pick-lists/${sold.id}`,
        title: sold.number,
        // Three of the batch that expires first, then ten of the next. Thirteen are missing.
        texts: [LONG, 'SOON', 'LATE', 'Not there', ...Array.from({ length: LINES }, (_, n) => `KIND-${n}`)],
        pages: 3,
      },
      {
        path: `/print/packing-slips/${shipped.id}`,
        title: shipped.number,
        texts: ['Dam 1', 'SOON', 'Post', LONG],
        pages: 1,
      },
      {
        path: `/print/purchase-orders/${bought.id}`,
        title: bought.number,
        texts: ['Lane 2', 'Hall', 'F-25', '4 × sack', '100 pcs in all', '€30.50', '€122.00'],
        pages: 1,
      },
      {
        path: `/print/work-orders/${order.id}`,
        title: order.number,
        texts: ['Bread', 'SOON', 'LATE', 'Baking', '1.5'],
        pages: 1,
      },
      {
        path: `/print/batch-labels/${soon.id}?copies=30`,
        title: 'SOON',
        texts: ['SKU FLOUR', 'To Mar 1, 2098'],
        pages: 2,
      },
      {
        path: `/print/shelf-labels/${flour.id}/${flourId}?copies=3`,
        title: 'FLOUR',
        texts: ['SKU FLOUR', 'Counted in pcs'],
        pages: 1,
      },
    ],
  }
}

/** Faults on paper: colours, and elements beyond its edge. */
const faultsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll('.sheet, .sheet *')].flatMap(element => {
    if (element.closest('.no-print') || element.closest('svg')) return []
    const { color, backgroundColor } = getComputedStyle(element)
    const { right } = element.getBoundingClientRect()
    return [
      ...(color === 'rgb(0, 0, 0)' ? [] : [element.tagName + ' has the colour ' + color]),
      ...(['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)'].includes(backgroundColor) ? [] : [element.tagName + ' is on ' + backgroundColor]),
      ...(right <= innerWidth + 1 ? [] : [element.tagName + ' ends at ' + right + ' of ' + innerWidth]),
    ]
  }).concat(getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)' ? [] : ['the page is not white'])`)

test('papers hold every line on A4 and Letter, black on white from a dark screen too, without what stands around them', async t => {
  const shop = await service.tenant()
  const { papers: all, secret } = await shopWithPapers(shop)
  const visit = await signedIn(browser, service, shop.token, all[0]?.path)
  const { page } = visit
  for (const { path, title, texts, pages } of all) {
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
    await page.setViewportSize({ width: 1400, height: 900 })
    await page.goto(`${service.url}/portal${path}`)
    const sheet = page.locator('.sheet')
    for (const text of texts) await sheet.getByText(text).first().waitFor()
    t.is(await page.title(), title)
    t.deepEqual(await seriousFaults(page), [], path)
    if (path.includes('packing')) t.false(((await sheet.textContent()) ?? '').includes(secret))

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    t.is(await page.getByRole('navigation').count(), 0)
    t.is(await page.getByRole('button', { name: 'Print' }).count(), 0)
    for (const [format, { width, points }] of Object.entries(papers)) {
      await page.setViewportSize({ width, height: 1000 })
      t.deepEqual(await faultsOf(page), [], `${path} on ${format}`)
      t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), `${path} on ${format}`)
      const pdf = (await page.pdf({ format: format as 'A4' | 'Letter' })).toString('latin1')
      const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
      for (const [, wide, high] of boxes) {
        t.true(Math.abs(Number(wide) - points[0]) <= 1 && Math.abs(Number(high) - points[1]) <= 1, `${wide} × ${high}`)
      }
      t.true(boxes.length >= pages, `${path} has ${boxes.length} pages on ${format}`)
    }
  }
  const table = 'document.querySelector(".sheet thead")'
  await page.goto(`${service.url}/portal${all[0]?.path}`)
  await page.locator('.sheet thead').waitFor()
  t.is(await page.evaluate(`getComputedStyle(${table}).display`), 'table-header-group')
  t.is(await page.evaluate(`getComputedStyle(${table}.nextSibling.firstChild).breakInside`), 'avoid')
  await keptToItself(t, visit, { service, token: shop.token })
})

/** CODE 128 of F-1, computed by hand: start B, F (38), - (13), 1 (17), the check sum (104 + 38 + 2 * 13 + 3 * 17) mod 103 = 13, stop. */
const F_1 = '11010010000 10001100010 10011011100 10011100110 10011011100 1100011101011'.replaceAll(' ', '')

test('lines tell the variants of two products apart, on papers, pages and forms', async t => {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Hall' })
  const variants = (code: string) => ['Small', 'Large'].map(title => ({ title, sku: `${code}-${title[0]}`, price: 5 }))
  const made = ['Cup', 'Shirt'].map(async title => {
    const { body } = await shop.post('/products', { title, variants: variants(title.toUpperCase()) })
    return body.variants[0].id as string
  })
  const ids = await Promise.all(made)
  const items = ids.map(item_variant_id => ({ item_variant_id, quantity: 2 }))
  await shop.post('/stock-adjustments', { items })
  const { body: order } = await shop.post('/sales-orders', { customer: { title: 'Inn' }, items })
  const visit = await signedIn(browser, service, shop.token, `/sales-orders/${order.id}`)
  const { page } = visit
  const both = async (within: Locator) => {
    for (const [title, sku] of [
      ['Cup – Small', 'CUP-S'],
      ['Shirt – Small', 'SHIRT-S'],
    ] as const)
      await within.getByRole('row').filter({ hasText: title }).filter({ hasText: sku }).first().waitFor()
  }
  await both(page.locator('main'))
  await page.getByRole('button', { name: 'Ship', exact: true }).click()
  await both(page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  const { body: shipment } = await shop.post(`/sales-orders/${order.id}/shipments`, {
    items: [
      { sales_order_item_id: order.items[0].id, quantity: 1 },
      { sales_order_item_id: order.items[1].id, quantity: 1 },
    ],
  })
  for (const paper of [`packing-slips/${shipment.id}`, `pick-lists/${order.id}`]) {
    await page.goto(`${service.url}/portal/print/${paper}`)
    await both(page.getByRole('article'))
  }
  await keptToItself(t, visit, { service, token: shop.token })
})

test('a label has bars that read as its text, and a text that no barcode can hold is said to be none', async t => {
  const shop = await service.tenant()
  const { body: product } = await shop.post('/products', { title: 'Flour', sku: 'FLOUR', batch_tracked: true })
  const items = ['F-1', 'Æble'].map(batch_number => ({
    ...{ item_variant_id: product.variants[0].id, quantity: 1, batch_number },
  }))
  await shop.post('/stock-adjustments', { items })
  const { body: batches } = await shop.get('/batches')
  const idOf = (number: string) => batches.data.find((batch: { number: string }) => batch.number === number).id
  const visit = await signedIn(browser, service, shop.token, `/print/batch-labels/${idOf('F-1')}`)
  const { page } = visit
  await page.getByRole('img', { name: 'Barcode of F-1' }).waitFor()
  const drawn = await page.evaluate<{ bars: number[][]; width: number }>(`({
    bars: [...document.querySelectorAll('.label rect')].map(bar => [bar.x.baseVal.value, bar.width.baseVal.value]),
    width: document.querySelector('.label svg').viewBox.baseVal.width,
  })`)
  const modules = Array.from({ length: drawn.width }, (_, at) =>
    drawn.bars.some(([x = 0, width = 0]) => x <= at && at < x + width) ? '1' : '0',
  ).join('')
  t.is(modules, `${'0'.repeat(10)}${F_1}${'0'.repeat(10)}`)
  await page.getByLabel('Copies').fill('3')
  await page.getByRole('img', { name: 'Barcode of F-1' }).nth(2).waitFor()
  await page.goto(`${service.url}/portal/print/batch-labels/${idOf('Æble')}`)
  await page.getByText('This text cannot be a barcode').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await keptToItself(t, visit, { service, token: shop.token })
})
