/** Imports that change existing records (`--update`), and rows that are variants of one product. */
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { counts, fine, importsInto } from './imports-into.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()
const imported = await importsInto(service, test)

/** Sorted by title, since products of several rows are made at the same time. */
const shown = async (client: Client) =>
  (await client.get('/products?limit=200')).body.data
    .map(({ title, external_ref, category, variants }: Loose) => [
      ...[title, external_ref, category],
      variants.map(({ title, sku, price }: Loose) => [title, sku, price]),
    ])
    .sort()

// One after the other: at once they would open as many connections, each of which plans all statements.
test('--update changes what the file has of records that are there, and makes the others', async t => {
  const client = await service.tenant()
  const made = await imported(client, [
    'title,sku,price,category',
    'Oak,OAK,12.5,wood',
    'Ash,ASH,2,wood',
    'Elm,ELM,3,wood',
  ])
  t.like(counts(made), fine(3, 0, 0))
  const { body } = await client.get('/events?order=desc&limit=1')
  const [{ sequence }] = body.data
  // The file has no title, so the titles stay. An empty cell leaves the value as it is.
  const lines = ['sku,price,category', 'OAK,13,', 'ASH,2,wood', 'ELM,,tree']
  t.like(counts(await imported(client, lines, '--update')), fine(0, 2, 1))
  t.deepEqual(await shown(client), [
    ['Ash', null, 'wood', [['Ash', 'ASH', 2]]],
    ['Elm', null, 'tree', [['Elm', 'ELM', 3]]],
    ['Oak', null, 'wood', [['Oak', 'OAK', 13]]],
  ])
  const told = (await client.get(`/events?after_sequence=${sequence}`)).body.data
  t.deepEqual(column(told, 'type'), ['product.updated', 'product.updated'])
  // Again nothing changes; what somebody took back is changed again.
  t.like(counts(await imported(client, lines, '--update')), fine(0, 0, 3))
  const [oak] = (await client.get('/products?sku=OAK')).body.data
  await client.patch(`/products/${oak.id}`, { price: 12.5 })
  t.like(counts(await imported(client, lines, '--update')), fine(0, 1, 2))

  // Records are found by external_ref first, else by sku. A record found by its sku gets the reference.
  const named = ['external_ref,sku,title', 'r-1,OAK,Oak beam', 'r-2,PINE,Pine']
  t.like(counts(await imported(client, named, '--update')), fine(1, 1, 0))
  t.like(counts(await imported(client, ['external_ref,title', 'r-1,Beam'], '--update')), fine(0, 1, 0))
  const other = await imported(client, ['external_ref,sku', 'r-9,OAK'], '--update')
  t.is(other.failed, 1)
  t.regex(other.errors[0].message, /^sku: is that of product \d+, whose external_ref is "r-1"$/)
  const absent = await imported(client, ['sku,price', 'NONE,1'], '--update')
  t.regex(absent.errors[0].message, /^title: is required/)
  t.deepEqual((await shown(client)).at(1), ['Beam', 'r-1', 'wood', [['Oak', 'OAK', 13]]])
})

test("rows that repeat a product's external_ref are its variants, however often they are imported", async t => {
  const client = await service.tenant()
  const lines = [
    'external_ref,title,variant_title,sku,price',
    'mug,Mug,Small,MUG-S,5',
    'jug,Jug,,JUG,9',
    'mug,,Large,MUG-L,7',
    'mug,Mug,Huge,MUG-H,',
  ]
  t.like(counts(await imported(client, lines)), fine(4, 0, 0))
  const mug = [
    'Mug',
    'mug',
    null,
    [
      ['Small', 'MUG-S', 5],
      ['Large', 'MUG-L', 7],
      ['Huge', 'MUG-H', null],
    ],
  ]
  t.deepEqual(await shown(client), [['Jug', 'jug', null, [['Jug', 'JUG', 9]]], mug])
  t.like(counts(await imported(client, lines)), fine(0, 0, 4))
  t.like(counts(await imported(client, lines, '--update')), fine(0, 0, 4))
  // The handle of a shop is a reference too. An unknown sku is a new variant.
  const changed = [
    'handle,title,variant_title,sku,price',
    'mug,Mug,Small,MUG-S,5.5',
    'mug,,Tiny,MUG-T,2',
    'mug,,,MUG-L,7',
  ]
  const without = await imported(client, changed)
  t.is(without.failed, 1, JSON.stringify(without))
  t.like(counts(await imported(client, changed, '--update')), fine(0, 1, 2))
  t.deepEqual((await shown(client))[1][3], [
    ['Small', 'MUG-S', 5.5],
    ['Large', 'MUG-L', 7],
    ['Huge', 'MUG-H', null],
    ['Tiny', 'MUG-T', 2],
  ])
  const wrong = await imported(client, ['external_ref,title,sku', 'cup,Cup,C-1', 'cup,Bowl,C-2'])
  t.deepEqual(wrong.errors, [{ line: 3, message: 'title: is another one than on line 2, of the same product' }])
  const unclear = await imported(client, ['external_ref,price', 'mug,1'], '--update')
  t.regex(unclear.errors[0].message, /^sku: the product has several variants/)
})

test('forty variants of one product from one file are made in its order, with the values of the last of equal rows', async t => {
  const client = await service.tenant()
  const rows = Array.from({ length: 40 }, (_, at) => `p,P,V${at},S-${at},${at}`)
  const again = Array.from({ length: 40 }, (_, at) => `p,P,V${at},S-${at},${at + 100}`)
  const report = await imported(client, ['external_ref,title,variant_title,sku,price', ...rows, ...again], '--update')
  t.like(counts(report), fine(40, 40, 0))
  const [[, , , variants]] = await shown(client)
  t.deepEqual(
    variants,
    Array.from({ length: 40 }, (_, at) => [`V${at}`, `S-${at}`, at + 100]),
  )
})

test('--update changes partners and supplier items, and keeps the parts of an address that the file lacks', async t => {
  const client = await service.tenant()
  const address = { line_1: 'Kai 1', city: 'Bremen' }
  await client.post('/suppliers', { title: 'Mill', external_ref: 'mill', address, phone: '1' })
  const lines = ['external_ref,address.city,email', 'mill,Hamburg,a@b.example']
  t.like(counts(await imported(client, lines, '--kind', 'suppliers', '--update')), fine(0, 1, 0))
  t.like(counts(await imported(client, lines, '--kind', 'suppliers', '--update')), fine(0, 0, 1))
  const { body } = await client.get('/suppliers/by-ref/mill')
  t.like(body, { title: 'Mill', phone: '1', email: 'a@b.example', address: { line_1: 'Kai 1', city: 'Hamburg' } })

  await client.post('/products', { title: 'Oak', sku: 'OAK' })
  const items = ['supplier_ref,sku,price', 'mill,OAK,4']
  t.like(counts(await imported(client, items, '--kind', 'supplier-items', '--update')), fine(1, 0, 0))
  t.like(
    counts(await imported(client, ['supplier_ref,sku,price', 'mill,OAK,5'], '--kind', 'supplier-items', '--update')),
    fine(0, 1, 0),
  )
  const usage = await imported(client, ['sku,quantity', 'OAK,1'], '--kind', 'opening-stock', '--update')
  t.is(usage.status, 2)
  t.regex(usage.err, /--update is not for opening-stock/)
})

test('JSON lines with variants change these', async t => {
  const client = await service.tenant()
  const line = (price: number, more: Loose[] = []) =>
    JSON.stringify({ title: 'Mug', external_ref: 'mug', variants: [{ title: 'S', sku: 'S', price }, ...more] })
  t.like(counts(await imported(client, [line(1)])), fine(1, 0, 0))
  t.like(counts(await imported(client, [line(2, [{ title: 'L', sku: 'L' }])], '--update')), fine(0, 1, 0))
  t.deepEqual((await shown(client))[0][3], [
    ['S', 'S', 2],
    ['L', 'L', null],
  ])
  t.like(counts(await imported(client, [line(2, [{ title: 'L', sku: 'L' }])], '--update')), fine(0, 0, 1))
})
