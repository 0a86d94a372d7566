/** Several sales orders at once: chosen, their papers printed together, packed, shipped with tracking; each says what became of it. */
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
      // The last one takes more than is left.
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

  // Their pick lists: choose, open, print.
  await press('Choose all')
  await page.getByText('10 chosen').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await page.getByRole('link', { name: 'Pick lists' }).click()
  await page.getByRole('heading', { name: 'Pick list of 10 orders' }).waitFor()
  t.is(await page.getByRole('button', { name: 'Print' }).count(), 1)
  const wave = page.getByRole('table').first()
  // What is there for all together, by sku, and what is not there.
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
  for (let n = 1; n <= 10; n++)
    await form.getByLabel(`Tracking number of SO-${String(n).padStart(5, '0')}`).fill(`T${n}`)
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
