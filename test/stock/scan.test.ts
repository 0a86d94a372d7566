/** The meaning of a scanned code: variants, batches and documents of the tenant, in the order of the kinds. */
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

type Client = Awaited<ReturnType<typeof service.tenant>>
type Match = Readonly<Record<string, string | null>>

const scan = (client: Client, code: string) => client.get(`/scan?code=${encodeURIComponent(code)}`)
const matchesOf = async (client: Client, code: string): Promise<Match[]> => (await scan(client, code)).body.matches

const GTIN = '09521234543213'
const nothing = {
  ...{ gtin: null, sscc: null, batch_number: null, manufacture_date: null, expiry_date: null, serial_number: null },
  quantity: null,
}
const none = {
  ...{ item_id: null, item_variant_id: null, sku: null, title: null, batch_id: null, batch_number: null },
  ...{ source_type: null, source_id: null, number: null },
}

/** A tenant with a tracked product and a batch of it, and the expected matches. */
async function given() {
  const client = await service.tenant()
  const { body: place } = await client.post('/storage-places', { title: 'Main' })
  const { body: milk } = await client.post('/products', {
    title: 'Milk',
    batch_tracked: true,
    sku: 'MILK',
    barcodes: ['9521234543213', 'shelf-1'],
  })
  const [{ id }] = milk.variants
  const { body: adjustment } = await client.post('/stock-adjustments', {
    reason: 'INITIAL',
    number: 'IN-1',
    items: [{ item_variant_id: id, quantity: 5, batch_number: 'LOT-7', expiry_date: '2027-11-30' }],
  })
  const variant = { ...none, kind: 'VARIANT', item_id: milk.id, item_variant_id: id, sku: 'MILK', title: 'Milk' }
  const batch = { ...variant, kind: 'BATCH', batch_id: adjustment.items[0].batch_id, batch_number: 'LOT-7' }
  return { client, place, milk, variant, batch, adjustment }
}

test('an element string answers what it says, the variants of the GTIN and their batch', async t => {
  const { client, variant, batch } = await given()
  const code = `]d201${GTIN}1727113010LOT-7\u001d21S-1\u001d3012`
  const { status, body } = await scan(client, code)
  t.is(status, 200)
  t.deepEqual(body, {
    ...{ code, gtin: GTIN, sscc: null, batch_number: 'LOT-7', manufacture_date: null, expiry_date: '2027-11-30' },
    ...{ serial_number: 'S-1', quantity: 12 },
    matches: [variant, batch],
  })
  const weight = await scan(client, `(01)${GTIN}(3103)001250(10)new`)
  t.like(weight.body, { quantity: 1.25, batch_number: 'new', matches: [variant] })
  t.is(weight.body.matches.length, 1)
  t.deepEqual((await scan(client, '(00)106141412345678908')).body, {
    ...{ ...nothing, code: '(00)106141412345678908', sscc: '106141412345678908', matches: [] },
  })
  // A batch number alone names no variant.
  t.like((await scan(client, '(10)LOT-7')).body, { batch_number: 'LOT-7', matches: [] })
  t.deepEqual(await matchesOf(client, '(01)04006381333931(10)LOT-7'), [])
})

test('a broken string, a wrong check digit and a code out of bounds are refused, saying where', async t => {
  const { client } = await given()
  const refusal = async (code: string) => {
    const { status, body } = await scan(client, code)
    return `${status} ${body.error} ${body.message}`
  }
  t.is(
    await refusal(`]C101${GTIN.slice(0, -1)}4`),
    '400 validation_failed code: a wrong check digit in (01) at character 6',
  )
  t.is(await refusal(`]C101${GTIN}17271330`), '400 validation_failed code: no date in (17) at character 22')
  t.is(await refusal('x'.repeat(201)), '400 validation_failed code: must have at most 200 characters')
  t.is((await client.get('/scan')).status, 400)
  t.is((await client.get('/scan?code=')).status, 400)
  t.is((await client.get('/scan?code=%00')).status, 400)
  const { client: other } = await service.key(client.tenantId, { scopes: ['read:catalog'] })
  t.is((await scan(other, 'MILK')).status, 403)
})

test('a plain code is a sku, else a barcode, else a batch, else a document; the first kind ends the search', async t => {
  const { client, variant, batch, adjustment } = await given()
  const document = {
    ...{ ...none, kind: 'DOCUMENT', source_type: 'STOCK_ADJUSTMENT', source_id: adjustment.id, number: 'IN-1' },
  }
  t.deepEqual((await scan(client, 'MILK')).body, { ...nothing, code: 'MILK', matches: [variant] })
  t.deepEqual(await matchesOf(client, ' shelf-1 '), [variant])
  t.deepEqual(await matchesOf(client, 'LOT-7'), [batch])
  t.deepEqual(await matchesOf(client, 'IN-1'), [document])
  t.deepEqual(await matchesOf(client, 'milk'), [])
  for (const code of ['9521234543213', GTIN, ']E09521234543213'])
    t.deepEqual((await scan(client, code)).body, { ...nothing, code, gtin: GTIN, matches: [variant] })
  // A code without the start of an element string, which is no sku.
  t.like((await scan(client, `01${GTIN}10LOT-7`)).body, {
    gtin: GTIN,
    batch_number: 'LOT-7',
    matches: [variant, batch],
  })

  const spelled = async (code: string) => (await matchesOf(client, code)).map(({ kind, title }) => `${kind} ${title}`)
  await client.post('/products', { title: 'A', barcode: 'IN-1' })
  t.deepEqual(await spelled('IN-1'), ['VARIANT A'])
  await client.post('/products', { title: 'B', barcode: 'LOT-7', sku: `01${GTIN}10LOT-7` })
  t.deepEqual(await spelled('LOT-7'), ['VARIANT B'])
  const { body: own } = await scan(client, `01${GTIN}10LOT-7`)
  t.like(own, { gtin: null, batch_number: null })
  t.is(own.matches[0].title, 'B')
  await client.post('/products', { title: 'C', sku: 'shelf-1' })
  t.deepEqual(await spelled('shelf-1'), ['VARIANT C'])
})

test('documents of all kinds are found by their number, if the key may read their kind', async t => {
  const { client, place } = await given()
  const { body: oak } = await client.post('/products', { title: 'Oak', sku: 'OAK' })
  const [{ id }] = oak.variants
  const items = [{ item_variant_id: id, quantity: 1 }]
  const same = { number: 'DOC-1' }
  const { body: sale } = await client.post('/sales-orders', { customer: { title: 'C' }, items, ...same })
  const { body: buy } = await client.post('/purchase-orders', { supplier: { title: 'S' }, items, ...same })
  const { body: make } = await client.post('/manufacturing-orders', { item_variant_id: id, quantity: 1, ...same })
  const { body: count } = await client.post('/stock-counts', { storage_place_id: place.id, ...same })
  const found = async (by: Client) =>
    (await matchesOf(by, 'DOC-1')).map(({ source_type, source_id, number }) => [source_type, source_id, number])
  t.deepEqual((await found(client)).toSorted(), [
    ['MANUFACTURING_ORDER', make.id, 'DOC-1'],
    ['PURCHASE_ORDER', buy.id, 'DOC-1'],
    ['SALES_ORDER', sale.id, 'DOC-1'],
    ['STOCK_COUNT', count.id, 'DOC-1'],
  ])
  const { client: stock } = await service.key(client.tenantId, { scopes: ['read:stock'] })
  t.deepEqual(await found(stock), [['STOCK_COUNT', count.id, 'DOC-1']])
  const { client: sales } = await service.key(client.tenantId, { scopes: ['read:stock', 'read:sales'] })
  t.deepEqual((await found(sales)).map(([type]) => type).toSorted(), ['SALES_ORDER', 'STOCK_COUNT'])
  // A deleted order is no document.
  await client.request('DELETE', `/manufacturing-orders/${make.id}`)
  t.is((await found(client)).length, 3)
  t.deepEqual(await found(await service.tenant()), [])
})

test('archived variants come last, and there are at most 20 matches', async t => {
  const client = await service.tenant()
  const make = async (title: string, body = {}) => (await client.post('/products', { title, ...body })).body
  const archived = await make('Old', { sku: 'X', barcode: '40170725' })
  await client.patch(`/products/${archived.id}`, { archived: true })
  await make('New', { sku: 'X', barcode: '0000040170725' })
  const titles = async (code: string) => (await matchesOf(client, code)).map(({ title }) => title)
  for (const code of ['X', '40170725', '(01)00000040170725']) t.deepEqual(await titles(code), ['New', 'Old'])
  await client.patch(`/products/${archived.id}`, { archived: false, sku: 'Y' })
  t.deepEqual(await titles('40170725'), ['Old', 'New'])
  await make('Many', { variants: Array.from({ length: 25 }, (_, n) => ({ title: `v${n}`, barcode: 'many' })) })
  t.deepEqual(
    await titles('many'),
    Array.from({ length: 20 }, (_, n) => `v${n}`),
  )
  t.deepEqual(await titles('A\u0308'), [])
  await make('Umlaut', { sku: '\u00c4' })
  t.deepEqual(await titles('A\u0308'), ['Umlaut'])
})
