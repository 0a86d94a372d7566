/** The portal's import in a real browser: faults by line, each line booked once, and large files while the page stays usable. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Loose } from '../support/command-context.ts'
import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { temporaryFolder } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

const choose = (page: Page, name: string, text: string | Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

const said = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text).waitFor()

test('a file is checked line by line, imported once however often, and what is refused comes back as a file', async t => {
  const shop = await service.tenant()
  await shop.post('/products', { title: 'There', sku: 'TAKEN' })
  const visit = await signedIn(browser, service, shop.token, '/import')
  const { page } = visit
  const file = [
    'Title;SKU;Price;note',
    '"Oak ""bench""";OAK;149,95;first',
    'Elm;TAKEN;1;',
    'Ash;ASH;cheap;',
    '+49 Pine;OAK;2;',
    'Fir;FIR;-1;',
    '"Two\r\nlines";TWO;3;',
  ].join('\r\n')
  await choose(page, 'goods.csv', `\uFEFF${file}\r\n`)
  await page.getByText('6 lines, of which the first 5 are shown').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await press(page, 'Check all lines')
  await said(page, '6 of 6 lines: 2 can be made, 4 refused.')
  for (const row of [/^3 sku .*TAKEN/, /^4 price "cheap" is no number$/, /^5 sku line 2 has OAK, too$/, /^6 price /])
    await page.getByRole('row', { name: row }).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  t.is((await shop.get('/products')).body.data.length, 1)

  await press(page, /^Import 6 lines/)
  await said(page, '6 of 6 lines: 2 made, 4 refused.')
  await press(page, /^Import 6 lines/)
  await said(page, '6 of 6 lines: 0 made, 2 unchanged, 4 refused.')
  const { body } = await shop.get('/products?order=asc')
  t.deepEqual(
    body.data.map(
      ({ title, variants: [{ sku, price }] }: { title: string; variants: [{ sku: string; price: number }] }) => [
        title,
        sku,
        price,
      ],
    ),
    [
      ['There', 'TAKEN', null],
      ['Oak "bench"', 'OAK', 149.95],
      ['Two\r\nlines', 'TWO', 3],
    ],
  )

  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Refused lines as CSV')])
  t.is(download.suggestedFilename(), 'goods-refused.csv')
  const refused = await readFile(await download.path(), 'utf8')
  t.regex(refused, /^\uFEFFTitle,SKU,Price,note,fault\r\nElm,TAKEN,1,,"?sku: /)
  t.regex(refused, /\r\n\+49 Pine,OAK,2,,/)

  // The refused lines are corrected and pasted. The column with the fault is left out.
  await press(page, 'Paste')
  await page.getByLabel('Pasted lines').fill('Title,SKU,Price,fault\nElm,ELM,1,sku\nAsh,ASH,1.50,price\n')
  await press(page, 'Read what is pasted')
  await press(page, /^Import 2 lines/)
  await said(page, '2 of 2 lines: 2 made, 0 refused.')
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, { service, token: shop.token })
})

test('columns are chosen by hand where their names say nothing, and a file that is none says why', async t => {
  const shop = await service.tenant()
  await shop.post('/products', { title: 'Flour', sku: 'FLOUR' })
  const visit = await signedIn(browser, service, shop.token, '/import?kind=suppliers')
  const { page } = visit
  await choose(page, 'bad.csv', 'title\n"Oak')
  await page.getByRole('alert').getByText('Line 2: a quoted cell does not end.').waitFor()
  await choose(page, 'bad.csv', Buffer.from([0x74, 0xff, 0x0a]))
  await page.getByText('It is not UTF-8').waitFor()
  await choose(page, 'farms.csv', 'Farm,ref,address.city\nHill,H1,Ghent\nDale,D1,Bruges\n')
  await page.getByRole('alert').getByText('No column is title').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await page.getByRole('combobox', { name: 'Farm', exact: true }).click()
  await page.getByRole('option', { name: 'title', exact: true }).click()
  await page.getByRole('combobox', { name: 'ref', exact: true }).click()
  await page.getByRole('option', { name: 'external_ref', exact: true }).click()
  await press(page, 'Check all lines')
  await said(page, '2 of 2 lines: 2 can be made, 0 refused. Nothing is wrong.')
  await press(page, /^Import 2 lines/)
  await said(page, '2 of 2 lines: 2 made, 0 refused.')
  const { body: suppliers } = await shop.get('/suppliers')
  t.is(suppliers.data.find(({ external_ref: ref }: { external_ref: string }) => ref === 'H1').address.city, 'Ghent')

  await page.getByRole('combobox', { name: 'What it holds' }).click()
  await page.getByRole('option', { name: 'Supplier items' }).click()
  await choose(page, 'items.csv', 'supplier_ref,sku,price\nH1,FLOUR,12.5\nX9,FLOUR,1\nD1,NONE,1\n')
  await press(page, /^Import 3 lines/)
  await said(page, '3 of 3 lines: 1 made, 2 refused.')
  await page.getByRole('row', { name: /^3 supplier_ref no supplier has the external_ref "X9"$/ }).waitFor()
  await page.getByRole('row', { name: /^4 sku / }).waitFor()
  t.like((await shop.get('/supplier-items')).body.data[0], { price: 12.5 })
  await keptToItself(t, visit, { service, token: shop.token })
})

test('a file with stock asks for a place first, and is read anew when it was mended and is chosen again', async t => {
  const shop = await service.tenant()
  const { page } = await signedIn(browser, service, shop.token, '/import')
  const path = join(await temporaryFolder(), 'goods.csv')
  for (const title of ['Elm', 'Oak']) {
    await writeFile(path, `title,sku,stock\n${title},ONE,5\n`)
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByLabel('CSV file').click()])
    await chooser.setFiles(path)
    await page.getByRole('cell', { name: title }).waitFor()
  }
  await page.getByText('There is no storage place yet').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await press(page, 'New storage place')
  await page.getByRole('dialog').getByLabel('Name').fill('Hall')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByText('There is no storage place yet').waitFor({ state: 'detached' })
  await press(page, /^Import 1 line/)
  await said(page, '1 of 1 lines: 1 made, 0 refused.')
  t.like((await shop.get('/stock')).body.data[0], { title: 'Oak', quantity: 5 })
  t.not((await shop.get('/stock')).body.data[0].storage_place_id, null)
})

test('five thousand lines are taken in while the page answers', async t => {
  const shop = await service.tenant()
  const visit = await signedIn(browser, service, shop.token, '/import?kind=customers')
  const { page } = visit
  const lines = Array.from(
    { length: 5_000 },
    (_, n) => `Customer ${n},C-${n},c${n}@example.com,"${n}, High Street",Ghent`,
  )
  await choose(
    page,
    'all.csv',
    `title,external_ref,email,shipping_address.line_1,shipping_address.city\n${lines.join('\n')}\n`,
  )
  await press(page, /^Import 5,000 lines/)
  // Meanwhile the page reacts to clicks.
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  for (const isOpen of [true, false]) {
    await page.getByRole('button', { name: 'Paste', exact: true }).click()
    await page.getByLabel('Pasted lines').waitFor({ state: isOpen ? 'visible' : 'detached' })
  }
  await page.getByText('5,000 of 5,000 lines: 5,000 made, 0 refused.').waitFor({ timeout: 5 * 60_000 })
  let customers = 0
  for (let cursor = ''; ; ) {
    const { body } = await shop.get(`/customers?limit=200${cursor && `&cursor=${cursor}`}`)
    customers += body.data.length
    cursor = body.next_cursor
    if (cursor === '') break
  }
  t.is(customers, 5_000)
  await keptToItself(t, visit, { service, token: shop.token })
})

test('an import waits for the rate of its key, and one that the quota ends says so and can go on', async t => {
  const shop = await service.tenant()
  const { token } = await service.key(shop.tenantId, { ratePerMinute: 600, burst: 20, dailyDocuments: 40 })
  const visit = await signedIn(browser, service, token, '/import')
  const { page } = visit
  const lines = Array.from({ length: 50 }, (_, n) => `Oak ${n},OAK-${n}`)
  await choose(page, 'oak.csv', `title,sku\n${lines.join('\n')}\n`)
  await page.getByText('The key may make 40 documents a day').waitFor()
  await press(page, /^Import 50 lines/)
  await said(page, '40 of 50 lines: 40 made, 0 refused, 10 not sent.')
  await page.getByRole('alert').getByText('It stopped.').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  t.is((await shop.get('/products?limit=100')).body.data.length, 40)
  await keptToItself(t, visit, { service, token, expected: /status of 429/ })
})

test('a check counts the limit of the plan and of the day as the import does, part by part', async t => {
  const shop = await service.tenant({ plan: 'free' })
  for (let n = 0; n < 8; n++) await shop.post('/products', { title: `There ${n}`, sku: `THERE-${n}` })
  const lines = Array.from({ length: 60 }, (_, n) => (n === 3 ? 'Twin,THERE-1' : `Oak ${n},OAK-${n}`))
  const file = `title,sku\n${lines.join('\n')}\n`
  // The key's burst makes parts of 40 lines, so the limit of the plan is reached within the second part.
  const { token: key } = await service.key(shop.tenantId, { ratePerMinute: 100_000, burst: 80 })
  const visit = await signedIn(browser, service, key, '/import')
  const { page } = visit
  await choose(page, 'oak.csv', file)
  await press(page, 'Check all lines')
  await said(page, '43 of 60 lines: 42 can be made, 1 refused, 17 left over.')
  await page.getByText('Your plan is Free').waitFor()
  await page.getByRole('alert').getByText('The check stopped here').waitFor()
  await press(page, /^Import 60 lines/)
  await said(page, '43 of 60 lines: 42 made, 1 refused, 17 not sent.')
  await keptToItself(t, visit, { service, token: key })

  const few = await service.tenant()
  const { token } = await service.key(few.tenantId, { ratePerMinute: 6_000, burst: 100, dailyDocuments: 12 })
  const other = await signedIn(browser, service, token, '/import')
  await choose(other.page, 'oak.csv', file)
  await press(other.page, 'Check all lines')
  await said(other.page, '12 of 60 lines: 12 can be made, 0 refused, 48 left over.')
  await other.page.getByRole('alert').getByText('The key may make no more documents today.').waitFor()
  await keptToItself(t, other, { service, token })
})

test('a file whose numbers mean two things is imported once it was said how decimals are written', async t => {
  const shop = await service.tenant()
  const visit = await signedIn(browser, service, shop.token, '/import')
  const { page } = visit
  await choose(page, 'preise.csv', 'sep=;\ntitle;sku;price;;\nOak;OAK;1.250;;\n;;;;\nElm;ELM;3;;\n')
  await page
    .getByRole('alert')
    .getByText(/line 3: price: "1.250" is 1250 with a decimal comma/)
    .waitFor()
  t.is(await page.getByRole('button', { name: /^Import/ }).count(), 0)
  t.deepEqual(await seriousFaults(page), [])
  await page.getByRole('combobox', { name: 'Decimals are written with' }).click()
  await page.getByRole('option', { name: 'Decimals like 1,5' }).click()
  await press(page, /^Import 2 lines/)
  await said(page, '2 of 2 lines: 2 made, 0 refused.')
  const { body } = await shop.get('/products?sku=OAK')
  t.is(body.data[0].variants[0].price, 1250)
  await keptToItself(t, visit, { service, token: shop.token })
})

test('a check says what would be made, changed and left, and the import does just that', async t => {
  const shop = await service.tenant()
  await shop.post('/products', { title: 'Oak', sku: 'OAK', price: 1, category: 'wood' })
  await shop.post('/products', { title: 'Ash', sku: 'ASH', price: 2 })
  await shop.post('/products', { title: 'There', sku: 'TAKEN', external_ref: 'there' })
  const visit = await signedIn(browser, service, shop.token, '/import')
  const { page } = visit
  const file = [
    'handle,title,variant_title,sku,price,barcodes,metadata.Shelf',
    ',,,OAK,1.5,,A 7',
    ',,,ASH,2,,',
    'mug,Mug,S,M-S,5,"4006381333931,X-1",',
    'mug,,L,M-L,7,,',
    'mug,,XL,TAKEN,9,,',
    'jug,Jug,,JUG,3,,',
    'mug,,M,M-M,6,,',
    'jug,,,JUG,4,,',
    ',Fir,,FIR,-1,,',
  ]
  await choose(page, 'goods.csv', `${file.join('\n')}\n`)
  await page.getByRole('switch', { name: 'Change what is there' }).check()
  t.deepEqual(await seriousFaults(page), [])
  await press(page, 'Check all lines')
  await said(page, '9 of 9 lines: 4 can be made, 2 can be changed, 1 unchanged, 2 refused.')
  for (const row of [/^6 sku "TAKEN" is taken by/, /^10 price must be 0 or more$/])
    await page.getByRole('row', { name: row }).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  t.is((await shop.get('/products')).body.data.length, 3)
  await press(page, /^Import 9 lines/)
  await said(page, '9 of 9 lines: 4 made, 2 changed, 1 unchanged, 2 refused.')
  await press(page, /^Import 9 lines/)
  await said(page, /^9 of 9 lines: 0 made, .* unchanged, 2 refused.$/)
  const { body } = await shop.get('/products?order=asc')
  t.deepEqual(
    body.data
      .map(({ title, category, metadata, variants }: Loose) => [
        ...[title, category, metadata],
        variants.map(({ sku, price, barcodes }: Loose) => [sku, price, ...barcodes]),
      ])
      .sort(),
    [
      ['Ash', null, {}, [['ASH', 2]]],
      ['Jug', null, {}, [['JUG', 4]]],
      [
        ...['Mug', null, {}],
        [
          ['M-S', 5, '4006381333931', 'X-1'],
          ['M-L', 7],
          ['M-M', 6],
        ],
      ],
      ['Oak', 'wood', { Shelf: 'A 7' }, [['OAK', 1.5]]],
      ['There', null, {}, [['TAKEN', null]]],
    ],
  )
  // References of unknown records are looked up, and answered with 404.
  await keptToItself(t, visit, { service, token: shop.token, expected: /status of 404/ })
})

test('goods come in with their stock and their recipes, once, by headings that are guessed and remembered', async t => {
  const shop = await service.tenant()
  const { body: main } = await shop.post('/storage-places', { title: 'Main' })
  await shop.post('/products', { title: 'Glue', sku: 'GLUE' })
  const visit = await signedIn(browser, service, shop.token, '/import')
  const { page } = visit
  const file = [
    'Name;Artikel-Nr.;Preis;EK-Preis;Bestand;Lager;Charge;MHD;batch_tracked;Haltbar',
    'Oak;OAK;12,50;4,5;10;;;;;x',
    'Oak;OAK;12,50;4,5;3;Nowhere;;;;x',
    'Milk;MILK;2;1,25;6;Main;B-1;2099-01-31;yes;x',
    'Milk two;MILK-2;2;1,25;6;Main;;soon;yes;x',
    'Glue;GLUE;;;2;;;;;x',
    'Table;TABLE;99;;;;;;;x',
    'Bare;;1,5;;4;;;;;x',
    'Lost;LOST;3;;4;Nowhere;;;;x',
  ].join('\n')
  await choose(page, 'bestand.csv', file)
  await page.getByText('Your plan is Pro').waitFor()
  for (const [heading, column] of [
    ...[
      ['Artikel-Nr.', 'sku'],
      ['Bestand', 'quantity'],
      ['MHD', 'expiry_date'],
      ['Haltbar', '– left out –'],
    ],
  ] as const)
    t.is(await page.getByRole('combobox', { name: heading, exact: true }).inputValue(), column)
  t.deepEqual(await seriousFaults(page), [])
  await press(page, 'Check all lines')
  await said(page, '8 of 8 lines: 5 can be made, 3 refused.')
  for (const row of [/^3 place no storage place has the code or title "Nowhere"$/, /^5 expiry_date /])
    await page.getByRole('row', { name: row }).waitFor()
  t.is((await shop.get('/products')).body.data.length, 1)
  await press(page, /^Import 8 lines/)
  await said(page, '8 of 8 lines: 5 made, 3 refused.')
  // What is refused is not made, or says what of it is made.
  await page.getByRole('row', { name: /^5 expiry_date .* \(the product is made, without this stock\)$/ }).waitFor()
  const made = (await shop.get('/products')).body.data
  t.deepEqual(made.map(({ title }: Loose) => title).toSorted(), ['Bare', 'Glue', 'Milk', 'Milk two', 'Oak', 'Table'])
  await press(page, 'Check all lines')
  await said(page, '8 of 8 lines: 0 can be made, 5 unchanged, 3 refused.')
  await press(page, /^Import 8 lines/)
  await said(page, '8 of 8 lines: 0 made, 5 unchanged, 3 refused.')
  const stock = (await shop.get('/stock')).body.data
  t.deepEqual(
    stock
      .map((row: Loose) => [row.title, row.storage_place_id, row.batch_number, row.quantity, row.stock_value])
      .sort(),
    [
      ['Bare', main.id, null, 4, 0],
      ['Glue', main.id, null, 2, 0],
      ['Milk', main.id, 'B-1', 6, 7.5],
      ['Oak', main.id, null, 10, 45],
    ],
  )
  t.is((await shop.get('/stock-adjustments')).body.data.length, 1)

  // For the next file with these headings the form starts with the choices for this one.
  await page.getByRole('combobox', { name: 'Haltbar', exact: true }).click()
  await page.getByRole('option', { name: 'category', exact: true }).click()
  await page.reload()
  await choose(page, 'bestand.csv', file)
  const haltbar = page.getByRole('combobox', { name: 'Haltbar', exact: true })
  await haltbar.waitFor()
  t.is(await haltbar.inputValue(), 'category')

  const kind = async (name: string) => {
    await page.getByRole('combobox', { name: 'What it holds' }).click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  await kind('Recipes')
  await choose(page, 'rezepte.csv', 'Produkt;Material;Menge\nTABLE;OAK;4,5\nTABLE;GLUE;0,2\nMILK;NONE;1\n')
  t.is(await page.getByRole('switch', { name: 'Change what is there' }).count(), 0)
  await press(page, 'Check all lines')
  await said(page, '3 of 3 lines: 2 can be made, 1 refused.')
  await press(page, /^Import 3 lines/)
  await said(page, '3 of 3 lines: 2 made, 1 refused.')
  t.deepEqual(
    (await shop.get('/recipes')).body.data.map(({ sku, materials }: Loose) => [sku, materials.length]),
    [['TABLE', 2]],
  )
  await kind('Opening stock')
  await choose(page, 'stock.csv', 'SKU,Qty,Unit cost\nTABLE,2,50\nOAK,10,4.5\nGLUE,3,\n')
  t.deepEqual(await seriousFaults(page), [])
  await press(page, 'Check all lines')
  await said(page, '3 of 3 lines: 1 can be made, 1 unchanged, 1 refused.')
  await press(page, /^Import 3 lines/)
  await said(page, '3 of 3 lines: 1 made, 1 unchanged, 1 refused.')
  await keptToItself(t, visit, { service, token: shop.token })
})

test("a shop's export is recognised and goes in as it is", async t => {
  const shop = await service.tenant()
  const visit = await signedIn(browser, service, shop.token, '/import')
  const { page } = visit
  const file = [
    'Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src,Status',
    'mug,Mug,<b>Tea</b>,Size,Small,M-S,1.250,a.jpg,active',
    'mug,,,,,,,b.jpg,',
    'mug,,,,Large,M-L,7.00,,',
  ]
  await choose(page, 'products_export.csv', `${file.join('\n')}\n`)
  await page.getByRole('combobox', { name: 'Whose columns it has' }).waitFor()
  await page.getByText('2 lines', { exact: true }).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await press(page, 'Check all lines')
  await said(page, '2 of 2 lines: 2 can be made, 0 refused. Nothing is wrong.')
  await press(page, /^Import 2 lines/)
  await said(page, '2 of 2 lines: 2 made, 0 refused.')
  const { body } = await shop.get('/products/by-ref/mug')
  t.like(body, { title: 'Mug', description: 'Tea' })
  t.deepEqual(
    body.variants.map(({ title, sku, price }: Loose) => [title, sku, price]),
    [
      ['Small', 'M-S', 1.25],
      ['Large', 'M-L', 7],
    ],
  )
  await page.getByRole('combobox', { name: 'Whose columns it has' }).click()
  await page.getByRole('option', { name: "WooCommerce's export of products" }).click()
  await page.getByRole('alert').getByText('the column Type is missing').waitFor()
  await keptToItself(t, visit, { service, token: shop.token })
})
