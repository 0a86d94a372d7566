/** Files of products with their stock: the product and its opening stock are made once, however often the file is imported. */
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { counts, fine, importsInto } from './imports-into.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()
const imported = await importsInto(service, test)

/** The stock: sku, place, batch with its expiry, quantity and value. */
async function stockOf(client: Client): Promise<unknown[]> {
  const places = new Map((await client.get('/storage-places')).body.data.map(({ id, title }: Loose) => [id, title]))
  const batches = new Map(
    (await client.get('/batches')).body.data.map(({ id, expiry_date }: Loose) => [id, expiry_date]),
  )
  return (await client.get('/stock?limit=200')).body.data
    .map(({ title, sku, storage_place_id, batch_number, batch_id, quantity, stock_value }: Loose) => [
      ...[sku ?? title, places.get(storage_place_id) ?? null, batch_number, batches.get(batch_id) ?? null],
      ...[quantity, stock_value],
    ])
    .sort()
}

// One after the other: at once they would open as many connections, each of which plans all statements.
test('a list of goods with what lies of them makes products and their stock, once', async t => {
  const client = await service.tenant()
  for (const title of ['Main', 'Second']) await client.post('/storage-places', { title })
  const lines = [
    'Bezeichnung;Artikel-Nr.;Verkaufspreis;EK-Preis;batch_tracked;Lagerbestand;Lagerort;Charge;MHD',
    'Oak;OAK;12,50;4,5;;10;;;',
    'Oak;OAK;12,50;4,5;;3;Second;;',
    'Milk;MILK;2,00;1,25;yes;6;Main;B-1;2099-01-31',
    'Elm;ELM;1,00;;;0;;;',
    'Without a sku;;3,00;2,5;;4;;;',
    'Fir;FIR;1,00;;;;;;',
  ]
  const stock = [
    ['MILK', 'Main', 'B-1', '2099-01-31', 6, 7.5],
    ['OAK', 'Main', null, null, 10, 45],
    ['OAK', 'Second', null, null, 3, 13.5],
    ['Without a sku', 'Main', null, null, 4, 10],
  ]
  t.like(counts(await imported(client, lines)), fine(6, 0, 0))
  t.deepEqual(await stockOf(client), stock)
  t.is((await client.get('/products')).body.data.length, 5)
  t.like(counts(await imported(client, lines)), fine(0, 0, 6))
  // Another price changes the product, and books no stock.
  const dearer = lines.map(line => line.replace('Oak;OAK;12,50', 'Oak;OAK;13,50'))
  t.like(counts(await imported(client, dearer.slice(0, 5), '--update')), fine(0, 1, 3))
  t.deepEqual(await stockOf(client), stock)
  t.is((await client.get('/stock-adjustments')).body.data.length, 2)

  // A product that was made without stock gets it from a later file. Stock that is there by other bookings is reported.
  const later = ['title,sku,quantity', 'Fir,FIR,5']
  t.like(counts(await imported(client, later)), fine(1, 0, 0))
  const report = await imported(client, [
    'title,sku,quantity,place,batch_number',
    'Fir,FIR,6,,',
    'Ash,ASH,1,Nowhere,',
    'Yew,YEW,-1,,',
    'Box,BOX,2,,B-9',
    'Pine,OAK,2,,',
  ])
  t.deepEqual(
    report.errors.map(({ line, message }: Loose) => `${line} ${message.split(':')[0]}`),
    ['2 quantity', '3 place', '4 quantity', '5 batch_number', '6 sku'],
  )
  t.deepEqual((await stockOf(client)).length, stock.length + 1)
})

test('stock stands with the variants of a product, and with each row of a place', async t => {
  const client = await service.tenant()
  await client.post('/storage-places', { title: 'Main' })
  const lines = [
    'handle,title,variant_title,sku,price,quantity,unit_cost',
    'mug,Mug,Small,M-S,5,7,2',
    'mug,,Large,,7,2,3',
    'jug,Jug,,,9,1,4',
  ]
  t.like(counts(await imported(client, lines)), fine(3, 0, 0))
  const stock = (await stockOf(client)) as unknown[][]
  t.deepEqual(stock.map(row => row.slice(4)).sort(), [
    [1, 4],
    [2, 6],
    [7, 14],
  ])
  for (const more of [[], ['--update']]) t.like(counts(await imported(client, lines, ...more)), fine(0, 0, 3))
  t.deepEqual(await stockOf(client), stock)
})
