/**
 * Several sales orders at a time: they are chosen, their papers are printed together, they are packed, and shipped with tracking. Each
 * order shows its outcome.
 */
import type { ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { keptToItself, seriousFaults, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('ten orders are shipped with tracking and their pick lists printed in few clicks, and each says what became of it', async t => {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Hall' })
  const { body: board } = await shop.post('/products', {
    title: 'Board',
    variants: [
      { title: 'Large', sku: 'BRD-L', price: 9 },
      { title: 'Small', sku: 'BRD-S', price: 5 },
    ],
  })
  const [large, small] = board.variants.map(({ id }: { id: string }) => id)
  await shop.post('/stock-adjustments', {
    items: [
      { item_variant_id: large, quantity: 9, unit_cost: 1 },
      { item_variant_id: small, quantity: 50, unit_cost: 1 },
    ],
  })
  for (let n = 0; n < 10; n++)
    await shop.post('/sales-orders', {
      customer: { title: 'Inn' },
      // The last order needs more than is left.
      items: [
        { item_variant_id: large, quantity: n === 9 ? 2 : 1 },
        { item_variant_id: small, quantity: 2 },
      ],
    })

  const visit = await signedIn(browser, service, shop.token, '/sales-orders')
  const { page } = visit
  const form = page.getByRole('dialog')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('checkbox', { name: 'Choose SO-00003' }).waitFor()
  t.true(await page.getByRole('button', { name: 'Ship', exact: true }).isDisabled())

  // The pick lists of the chosen orders are opened and printed.
  await press('Choose all')
  await page.getByText('10 chosen').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await page.getByRole('link', { name: 'Pick lists' }).click()
  await page.getByRole('heading', { name: 'Pick list of 10 orders' }).waitFor()
  t.is(await page.getByRole('button', { name: 'Print' }).count(), 1)
  const wave = page.getByRole('table').first()
  // The stock for all orders together, by sku, and what is missing.
  t.deepEqual(
    (await wave.getByRole('row').allInnerTexts()).map(text =>
      text
        .replaceAll(/\s+/g, ' ')
        .replace(/ SO-.*/, '')
        .trim(),
    ),
    [
      'Place What Batch Quantity For Picked',
      'Hall Board – Large BRD-L – 9 pcs',
      'Hall Board – Large BRD-L Not there 2 pcs',
      'Hall Board – Small BRD-S – 20 pcs',
    ],
  )
  t.is(await page.getByRole('heading', { level: 1 }).count(), 11)
  t.deepEqual(await seriousFaults(page), [])

  await show(page, '/sales-orders')
  for (let n = 1; n <= 10; n++)
    await page.getByRole('checkbox', { name: `Choose SO-${String(n).padStart(5, '0')}` }).click()
  await press('Pack')
  await form.getByRole('button', { name: 'Pack' }).click()
  await page.getByText('SO-00010 is packed with').waitFor()
  await press('Ship')
  await form.getByLabel('Carrier').fill('Post')
  // A scanner ends each number with Enter: it goes on to the next, and ships nothing.
  await form.getByLabel('Tracking number of SO-00001, Inn').focus()
  for (let n = 1; n <= 10; n++) {
    await page.keyboard.type(`T${n}`)
    await page.keyboard.press('Enter')
  }
  await form.locator('button:focus', { hasText: 'Ship' }).waitFor()
  t.is(await form.getByLabel('Tracking number of SO-00010, Inn').inputValue(), 'T10')
  t.deepEqual((await shop.get('/sales-shipments')).body.data, [])
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Ship' }).dblclick()
  await page.getByText('SO-00001 is shipped with SH-').waitFor()
  await page.getByText(/SO-00010 is not: .*not enough/i).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  const { body: shipments } = await shop.get('/sales-shipments')
  t.deepEqual(
    shipments.data
      .map(({ carrier, tracking_number: number }: Record<string, string>) => `${carrier} ${number}`)
      .toSorted(),
    Array.from({ length: 9 }, (_, n) => `Post T${n + 1}`),
  )
  await page.getByRole('link', { name: 'Packing slips' }).click()
  await page.getByRole('heading', { name: 'Packing slip SH-00009' }).waitFor()
  t.is(await page.getByRole('heading', { level: 1 }).count(), 9)
  t.is(await page.getByRole('cell', { name: /Board – Small\s*BRD-S/ }).count(), 9)
  await keptToItself(t, visit, { service, token: shop.token })
})

test('two orders are picked on a phone by ticking what lies at each place, and shipped as they were picked', async t => {
  const shop = await service.tenant()
  const made = async (path: string, body: object) => (await shop.post(path, body)).body
  const hall = await made('/storage-places', { title: 'Hall' })
  const attic = await made('/storage-places', { title: 'Attic' })
  const variant = async (body: object) => (await made('/products', body)).variants[0].id
  const milk = await variant({ title: 'Milk', sku: 'MILK', batch_tracked: true, price: 2 })
  const board = await variant({ title: 'Board', sku: 'BOARD', barcode: '4012345678901', price: 9 })
  const components = [
    { item_variant_id: milk, quantity: 2 },
    { item_variant_id: board, quantity: 1 },
  ]
  const set = await variant({ title: 'Breakfast', sku: 'SET', type: 'KIT', price: 20, components })
  const lot = (batch_number: string, quantity: number, expiry_date: string) => ({
    ...{ item_variant_id: milk, batch_number, quantity, expiry_date, unit_cost: 1 },
  })
  const board3 = { item_variant_id: board, quantity: 3, unit_cost: 1 }
  await made('/stock-adjustments', {
    storage_place_id: hall.id,
    items: [lot('M-1', 3, '2091-05-01'), lot('M-2', 9, '2092-05-01'), board3],
  })
  await made('/stock-adjustments', { storage_place_id: attic.id, items: [board3] })
  const one = await made('/sales-orders', {
    customer: { title: 'Inn' },
    items: [
      { item_variant_id: milk, quantity: 4, storage_place_id: hall.id },
      { item_variant_id: board, quantity: 4, storage_place_id: attic.id },
      { title: 'Card with a greeting', quantity: 1, price: 0 },
    ],
  })
  const two = await made('/sales-orders', {
    customer: { title: 'Bar' },
    items: [{ item_variant_id: set, quantity: 2 }],
  })

  const path = `/sales-orders/pick?ids=${one.id},${two.id}`
  const visit = await signedIn(browser, service, shop.token, path, { width: 390, height: 844 })
  const { page } = visit
  const box = (name: RegExp) => page.getByRole('checkbox', { name })
  let clicks = 0
  const click = async (what: ReturnType<typeof box>) => {
    clicks++
    await what.click()
  }
  const press = (name: string) => click(page.getByRole('button', { name, exact: true }).last())
  await page.getByText('0 of 5 picked').waitFor()
  await page.getByText('pcs').first().waitFor()
  // Sorted by place and by sku. The orders share the stock, and missing goods have no box.
  t.deepEqual(
    (await page.getByRole('heading').allInnerTexts()).filter(text => !text.startsWith('Pick')),
    ['Attic', 'Hall', 'Not kept in stock'],
  )
  t.deepEqual(await page.locator('main label').filter({ hasText: '×' }).allInnerTexts(), [
    '3 pcs × Board',
    '2 pcs × Board',
    '3 pcs × Milk',
    '5 pcs × Milk',
    '1 × Card with a greeting',
  ])
  await page.getByText('Not there: 1 pcs × Board').waitFor()
  await page.getByText(`MILK · batch M-2 · to May 1, 2092 · for ${one.number}, ${two.number} (Breakfast)`).waitFor()
  t.true(await page.getByRole('button', { name: 'Ship', exact: true }).isDisabled())
  await fits(t, page)

  // A scanner types where the focus is: in the field of this page. A scan ticks a line, or says why it ticks none.
  const scan = async (text: string) => {
    await page
      .locator('input:focus')
      .and(page.getByLabel('Scan', { exact: true }))
      .waitFor()
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  await scan('NOPE-1')
  await page.getByText(/^NOPE-1: /).waitFor()
  await scan('4012345678901')
  await page.getByText('1 of 5 picked').waitFor()
  await scan('M-2')
  await page.getByText('2 of 5 picked').waitFor()
  await scan('M-2')
  await page.getByText('Milk is picked already').waitFor()
  await page.reload()
  await page.getByText('2 of 5 picked').waitFor()
  t.true(await box(/3 pcs × Board/).isChecked())

  // One part of the kit is not ticked, so the kit waits.
  await click(box(/3 pcs × Milk/))
  await click(box(/Card/))
  await press('Pack')
  await press('Pack')
  await page.getByText(`${one.number} is packed with`).waitFor()
  t.is(await page.getByText(`${two.number} is`).count(), 0)
  await click(box(/2 pcs × Board/))
  await press('Ship')
  t.deepEqual(await seriousFaults(page), [])
  await press('Ship')
  await page.getByText(`${two.number} is shipped with`).waitFor()
  t.is(clicks, 7)
  await page.getByText('Not there: 1 pcs × Board').waitFor()
  await page.getByText('0 of 0 picked').waitFor()
  const { data: batches } = (await shop.get('/batches')).body
  const numbers = new Map(batches.map(({ id, number }: { id: string; number: string }) => [id, number]))
  const { data: shipments } = (await shop.get('/sales-shipments')).body
  type Line = { quantity: number; batch_id: string | null; components: readonly Omit<Line, 'components'>[] }
  const lines: Line[] = shipments.flatMap(({ items }: { items: Line[] }) => items)
  t.deepEqual(
    lines
      .flatMap(line => (line.components.length > 0 ? line.components : [line]))
      .map(({ quantity, batch_id }) => [quantity, batch_id === null ? null : numbers.get(batch_id)]),
    [
      [3, 'M-1'],
      [1, 'M-2'],
      [3, null],
      [1, null],
      [4, 'M-2'],
      [2, null],
    ],
  )
  await fits(t, page)
  await keptToItself(t, visit, { service, token: shop.token })
})

/** axe finds nothing serious in either colour scheme, and a phone does not scroll sideways. */
async function fits(t: ExecutionContext, page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    t.deepEqual(await seriousFaults(page), [])
  }
  t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'))
}
