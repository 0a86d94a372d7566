/** Lines of sales orders in a real browser: whether each is in stock, expected or short, and how orders of 500 lines are changed. */

import { eventually } from '../support/eventually.ts'
import { keptToItself, seriousFaults, show, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

/** The time from each key press until its effect was drawn. */
const TYPED = `performance.getEntriesByName('typed')`

const DAY_MS = 86_400_000
const dayAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
const shownDay = (day: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

test('each line of an open order says whether it is in stock, expected on a day, or short', async t => {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Hall' })
  const product = async (title: string, more = {}) => {
    const { body } = await shop.post('/products', { title, sku: title.toUpperCase(), price: 1, ...more })
    return body.variants[0].id as string
  }
  const [oak, ash, elm] = [await product('Oak'), await product('Ash'), await product('Elm')]
  const [fir, advice] = [await product('Fir', { batch_tracked: true }), await product('Advice', { type: 'SERVICE' })]
  const items = [oak, ash, elm].map(item_variant_id => ({ item_variant_id, quantity: 10, unit_cost: 1 }))
  const expired = { item_variant_id: fir, quantity: 9, batch_number: 'OLD', expiry_date: '2020-01-31' }
  await shop.post('/stock-adjustments', { items: [...items, expired] })
  const sale = (lines: readonly (readonly [string, number])[], delivery_date: string | null) =>
    shop.post('/sales-orders', {
      ...{ customer: { title: 'Inn' }, delivery_date },
      items: lines.map(([item_variant_id, quantity]) => ({ item_variant_id, quantity })),
    })
  // Another order needs 8 of the ash earlier. One needs all of the elm later, which does not matter.
  await sale([[ash, 8]], dayAfter(1))
  await sale([[elm, 100]], dayAfter(9))
  const lines = [
    [oak, 4],
    [ash, 5],
    [ash, 20],
    [elm, 10],
    [fir, 3],
    [advice, 1],
  ] as const
  const { body: order } = await sale(lines, dayAfter(5))
  const buy = (quantity: number, expected_date: string | null) =>
    shop.post('/purchase-orders', {
      supplier: { title: 'Farm' },
      ...{ expected_date, items: [{ item_variant_id: ash, quantity }] },
    })
  await buy(3, dayAfter(3))

  const visit = await signedIn(browser, service, shop.token, `/sales-orders/${order.id}`)
  const { page, requests } = visit
  const row = (name: RegExp, index = 0) => page.getByRole('row', { name }).nth(index)
  await row(/^Oak/).getByText('In stock').waitFor()
  await row(/^Ash/)
    .getByText(`Expected ${shownDay(dayAfter(3))}`)
    .waitFor()
  await row(/^Ash/, 1).getByText('Short of 20').waitFor()
  await row(/^Elm/).getByText('In stock').waitFor()
  await row(/^Fir/).getByText('Short of 3').waitFor()
  t.is(
    await row(/^Advice/)
      .getByText(/stock|Short/)
      .count(),
    0,
  )
  // One read of the stock entries, and one projection for each variant that is scarce.
  t.is(requests.filter(url => url.includes('/stock?')).length, 1)
  t.is(new Set(requests.filter(url => url.includes('/projection?'))).size, 3)
  // The line has a button with the planner's proposal.
  await row(/^Ash/, 1).getByRole('button', { name: /^Buy/ }).waitFor()
  await show(page, '/sales-orders')
  const listed = (number: string) => page.getByRole('row', { name: new RegExp(number) })
  await listed('SO-00001').getByText('Can ship now').waitFor()
  await listed('SO-00002').getByText('Short of 100').waitFor()
  await listed('SO-00003').getByText('Short of 2 products').waitFor()
  await listed('SO-00002').getByText('Elm').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await show(page, `/sales-orders/${order.id}`)
  await row(/^Fir/).getByText('Short of 3').waitFor()
  await buy(20, null)
  await page.reload()
  await row(/^Ash/, 1).getByText('On its way, no day').waitFor()
  // The form of a shipment shows what it cannot take, and for which orders the rest is reserved.
  await page.getByRole('button', { name: 'Ship', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByText('Ash: 25 pcs wanted, 10 pcs can be taken.').waitFor()
  await form.getByText('Fir: 3 pcs wanted, 0 pcs can be taken. 9 pcs have expired: OLD on Jan 31, 2020.').waitFor()
  await form.getByText('Elm: 10 pcs of what is taken is reserved by SO-00002.').waitFor()
  t.is(await form.getByText(/^Advice:/).count(), 0)
  await form.getByLabel('Quantity of Elm').fill('11')
  await form.getByRole('button', { name: 'Ship', exact: true }).click()
  await form.getByText('at most 10').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await keptToItself(t, visit, { service, token: shop.token })
})

test('an order of 500 lines is changed: a line is found, typing in it draws that line alone, and all that was changed is sent', async t => {
  const shop = await service.tenant()
  await shop.post('/storage-places', { title: 'Hall' })
  const variants = Array.from({ length: 100 }, (_, index) => ({
    sku: `N${index + 1}`,
    price: 1,
    title: `Nail ${index + 1}`,
  }))
  const { body: nail } = await shop.post('/products', { title: 'Nail', variants })
  const lines = Array.from({ length: 500 }, (_, index) => ({
    ...{ item_variant_id: nail.variants[index % 100].id, quantity: index + 1 },
  }))
  const { body: order } = await shop.post('/sales-orders', { customer: { title: 'Inn' }, items: lines })
  t.is(order.items.length, 500)

  const visit = await signedIn(browser, service, shop.token, `/sales-orders/${order.id}`)
  const { page } = visit
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await form.getByText('50 of 500 are shown').waitFor()
  t.is(await form.getByLabel(/^Quantity/).count(), 50)
  const first = form.getByLabel(/^Quantity/).first()
  // The test logs how long typing takes and does not judge it, since other tests run at the same time.
  await page.evaluate(`addEventListener('keydown', () => performance.mark('key'), { capture: true })
    addEventListener('input', () => requestAnimationFrame(() => setTimeout(() => performance.measure('typed', 'key'))))`)
  const typing = async (text: string): Promise<number> => {
    await first.focus()
    await page.evaluate('performance.clearMeasures()')
    await first.press('End')
    await first.pressSequentially(text)
    await eventually(async () => (await page.evaluate<number>(`${TYPED}.length`)) >= text.length)
    const took = await page.evaluate<number[]>(`${TYPED}.map(({ duration }) => duration)`)
    return took.toSorted((one, other) => one - other)[Math.floor(took.length / 2)] ?? 0
  }
  t.log(`a key in one of 50 lines shown: ${Math.round(await typing('2345678'))} ms`)
  for (let shown = 100; shown <= 500; shown += 50) {
    await form.getByRole('button', { name: 'Show more lines' }).click()
    await form.getByText(`${shown} of 500 are shown`).waitFor()
  }
  t.is(await form.getByLabel(/^Quantity/).count(), 500)
  t.log(`a key in one of 500 lines shown: ${Math.round(await typing('0'))} ms`)
  await first.fill('7')
  await form.getByLabel('Find a line').fill('N100')
  // Changed lines stay visible beside the lines that are found.
  await form.getByText('5 of 5 are shown').waitFor()
  t.is(await form.getByLabel(/^Quantity/).count(), 6)
  await form
    .getByLabel(/^Quantity/)
    .nth(5)
    .fill('0.0000001')
  await form.getByLabel('Find a line').fill('N33')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  const refused = form
    .getByRole('textbox', { name: /^Quantity/, includeHidden: true })
    .and(page.locator('[aria-invalid="true"]'))
  await refused.waitFor()
  await refused.fill('9')
  await form.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(`${order.number} is saved`).waitFor()
  const { body: saved } = await shop.get(`/sales-orders/${order.id}`)
  const changed = saved.items.filter((item: { quantity: number }, index: number) => item.quantity !== index + 1)
  t.deepEqual(
    changed.map(({ id, quantity }: { id: string; quantity: number }) => [id, quantity]),
    [
      [order.items[0].id, 7],
      [order.items[499].id, 9],
    ],
  )
  t.deepEqual(await seriousFaults(page), [])
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 400/ })
})
