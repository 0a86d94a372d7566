/**
 * The guarantees of imports of suppliers, customers, opening stock and recipes: faults name line and column, and a second run changes
 * nothing, whatever happened in between.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importKinds } from '../../imports/kinds.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../../lib/platform/redis/redis.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()
const folder = await mkdtemp(join(tmpdir(), 'millrace-import-'))
let redis: Redis
test.before(() => {
  redis = connectRedis(service.redisUrl, 'worker', 'test')
})
test.after.always(async () => {
  await closeRedis(redis)
  await rm(folder, { recursive: true })
})

// One after the other: at the same time they would open as many connections, each of which plans all statements.
let files = 0
/** Imports rows. Returns the report and what was written to standard error. */
async function imported(client: Client, kind: string, rows: readonly string[], format: 'csv' | 'jsonl' = 'csv') {
  const path = join(folder, `${++files}.${format}`)
  await writeFile(path, rows.join('\n'))
  const out: string[] = []
  const err: string[] = []
  const args = ['import', '--tenant', client.tenantId, '--base-url', service.url, '--kind', kind, path, '--json']
  const status = await runCommandLine(args, {
    env: { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl },
    root: '/nonexistent',
    out: text => out.push(text),
    err: text => err.push(text.replace('millrace import: ', '')),
  })
  if (out.length === 0) throw new Error(err.join('\n'))
  const { created, already_there, failed, stopped } = JSON.parse(out.join('')) as Loose
  return { status, counts: [created, already_there, failed], stopped, err }
}

/** Removes all known Idempotency-Keys, as after the 30 days for which answers are kept. */
async function forget({ tenantId }: Client) {
  await service.pool.query(statement`delete from commands where tenant_id = ${tenantId}`)
  const answers = await redis.keys(`*${tenantId}:key:*`)
  if (answers.length === 0) throw new Error('no answers were kept')
  await redis.del(...answers)
}

const all = async (client: Client, path: string): Promise<Loose[]> => (await client.get(`${path}?limit=200`)).body.data

/** Makes products by sku. Returns the ids of their variants. */
async function goods(client: Client, ...given: (string | { sku: string; batch_tracked?: boolean })[]) {
  const ids: Record<string, string> = {}
  for (const entry of given) {
    const product = typeof entry === 'string' ? { sku: entry } : entry
    const { body } = await client.post('/products', { title: product.sku, ...product })
    ids[product.sku] = body.product?.variants[0].id ?? body.variants[0].id
  }
  return ids
}

test('suppliers are made once, by external_ref or else by title and values', async t => {
  const client = await service.tenant()
  const rows = [
    'title,external_ref,country_code,email',
    'Nordic Timber,NT,NO,office@nt.example',
    'No reference,,DE,',
    'No reference,,SE,',
    'No reference,,SE,',
  ]
  t.deepEqual((await imported(client, 'suppliers', rows)).counts, [4, 0, 0])
  const made = await all(client, '/suppliers')
  t.deepEqual((await imported(client, 'suppliers', rows)).counts, [0, 4, 0])
  await forget(client)
  t.deepEqual(await imported(client, 'suppliers', rows), { status: 0, counts: [0, 4, 0], stopped: null, err: [] })
  const more = ['{"title":"No reference","country_code":"SE"}', '{"title":"No reference","country_code":"FI"}']
  t.deepEqual((await imported(client, 'suppliers', more, 'jsonl')).counts, [1, 1, 0])
  t.deepEqual((await all(client, '/suppliers')).slice(0, 4), made)
  t.is((await all(client, '/suppliers')).length, 5)
})

test('addresses are columns of their own, and rows with an address are made once', async t => {
  const client = await service.tenant()
  const rows = [
    'title,billing_address.city,shipping_address.line_1,shipping_address.country_code',
    'Ash,Bremen,"Kai 7, Halle 2",DE',
    'Ash,,Kai 8,',
    'Birch,,,',
  ]
  t.deepEqual((await imported(client, 'customers', rows)).counts, [3, 0, 0])
  const made = await all(client, '/customers')
  const address = {
    name: null,
    company: null,
    line_1: null,
    line_2: null,
    city: null,
    region: null,
    zip: null,
    country_code: null,
    phone: null,
  }
  t.deepEqual(
    made
      .toSorted((a, b) => a.title.localeCompare(b.title))
      .map(({ shipping_address, billing_address }) => [shipping_address, billing_address]),
    [
      [
        { ...address, line_1: 'Kai 7, Halle 2', country_code: 'DE' },
        { ...address, city: 'Bremen' },
      ],
      [{ ...address, line_1: 'Kai 8' }, null],
      [null, null],
    ],
  )
  await forget(client)
  t.deepEqual((await imported(client, 'customers', rows)).counts, [0, 3, 0])
  const wrong = await imported(client, 'customers', ['title,shipping_address.country_code', 'Elm,Germany'])
  t.deepEqual(wrong.counts, [0, 0, 1])
  t.regex(wrong.err[0] ?? '', /^line 2: shipping_address.country_code: must be an ISO 3166-1/)
})

test('the same row is a supplier and a customer', async t => {
  const client = await service.tenant()
  const rows = ['title', 'Harbour Furniture']
  t.deepEqual((await imported(client, 'suppliers', rows)).counts, [1, 0, 0])
  t.deepEqual((await imported(client, 'customers', rows)).counts, [1, 0, 0])
})

test('refused partners are told by line and column', async t => {
  const client = await service.tenant()
  const rows = ['title,external_ref,country_code', 'One,R-1,DE', 'Two,R-1,DE', ',R-2,DE', 'Three,,Germany']
  // One after the other, so that the test knows which of two rows has the reference.
  await imported(client, 'suppliers', rows.slice(0, 2))
  const { status, counts, err } = await imported(client, 'suppliers', rows)
  t.deepEqual([status, counts], [1, [0, 1, 3]])
  t.regex(err[0] ?? '', /^line 3: external_ref: is taken by /)
  t.is(err[1], 'line 4: title: is required')
  t.regex(err[2] ?? '', /^line 5: country_code: /)
})

test('opening stock comes in by place, in documents of the reason INITIAL, and only once', async t => {
  const client = await service.tenant()
  const ids = await goods(client, 'OAK', 'ASH', 'NONE', { sku: 'MILK', batch_tracked: true })
  const [main, second] = [
    (await client.post('/storage-places', { title: 'Main' })).body.id,
    (await client.post('/storage-places', { title: 'Second', code: 'S2' })).body.id,
  ]
  const rows = [
    'sku,place,quantity,unit_cost,batch_number,expiry_date',
    'OAK,,10,2.50,,',
    'OAK,S2,3,,,',
    'ASH,Second,4.5,1,,',
    'NONE,Main,0.000,,,',
    'MILK,Main,6,0.9,B-1,2099-01-31',
    'MILK,Main,7,0.9,B-2,2099-02-28',
  ]
  const first = await imported(client, 'opening-stock', rows)
  t.deepEqual(first, { status: 0, counts: [5, 1, 0], stopped: null, err: [] })
  const documents = await all(client, '/stock-adjustments')
  t.deepEqual(
    documents.map(({ reason, storage_place_id, items }) => [reason, storage_place_id, items.length]).sort(),
    [
      ['INITIAL', main, 3],
      ['INITIAL', second, 2],
    ].sort(),
  )
  const stock = async () =>
    (await all(client, '/stock'))
      .map(row => [row.sku, row.storage_place_id, row.batch_number, row.quantity, row.stock_value])
      .filter(([, , , quantity]) => quantity !== 0)
      .sort()
  const expected = [
    ['OAK', main, null, 10, 25],
    ['OAK', second, null, 3, 0],
    ['ASH', second, null, 4.5, 4.5],
    ['MILK', main, 'B-1', 6, 5.4],
    ['MILK', main, 'B-2', 7, 6.3],
  ].sort()
  t.deepEqual(await stock(), expected)

  // A second run books nothing: not when the lines are divided into other documents, not after the keys are forgotten, and not when all of
  // the stock is sold.
  const turned = [rows[0] ?? '', ...rows.slice(1).reverse()]
  t.deepEqual((await imported(client, 'opening-stock', turned)).counts, [0, 6, 0])
  await client.post('/stock-adjustments', { items: [{ item_variant_id: ids['OAK'], counted_quantity: 0 }] })
  await forget(client)
  t.deepEqual(await imported(client, 'opening-stock', turned), { status: 0, counts: [0, 6, 0], stopped: null, err: [] })
  t.deepEqual(
    await stock(),
    expected.filter(([sku, place]) => sku !== 'OAK' || place !== main),
  )
})

test('opening stock that cannot come in is told by line and column, and the rest of its document comes in', async t => {
  const client = await service.tenant()
  const ids = await goods(client, 'OAK', 'ASH', 'ELM', 'FIR', 'YEW', { sku: 'MILK', batch_tracked: true })
  await client.post('/storage-places', { title: 'Main' })
  for (const title of ['Twin', 'Twin']) await client.post('/storage-places', { title })
  await client.post('/stock-adjustments', { items: [{ item_variant_id: ids['ELM'], quantity: 5 }] })
  await imported(client, 'opening-stock', ['sku,quantity', 'FIR,1'])
  const rows = [
    '{"sku":"OAK","quantity":1}',
    '{"sku":"GONE","quantity":1}',
    '{"sku":"OAK","quantity":2,"place":"Nowhere"}',
    '{"sku":"OAK","quantity":2,"place":"Twin"}',
    '{"sku":"ASH","quantity":1.1234567}',
    '{"sku":"ASH","quantity":2,"batch_number":"B"}',
    '{"sku":"ELM","quantity":2}',
    '{"sku":"FIR","quantity":2}',
    '{"sku":"OAK","quantity":7}',
    '{"sku":"MILK","quantity":1,"batch_number":"B","expiry_date":"soon"}',
    '{"sku":"YEW","quantity":-1}',
    '{"sku":"YEW","quantity":1,"colour":"red"}',
    '{"sku":"YEW"}',
    '{"sku":"YEW","quantity":4,"unit_cost":2}',
  ]
  const { status, counts, err } = await imported(client, 'opening-stock', rows, 'jsonl')
  t.deepEqual([status, counts], [1, [1, 0, 13]], err.join('\n'))
  const expected: [number, RegExp][] = [
    [2, /^sku: no unarchived variant has the sku "GONE"$/],
    [3, /^place: no storage place has the code or title "Nowhere"$/],
    [4, /^place: "Twin" are several storage places/],
    [5, /^quantity: /],
    [6, /^batch_number: ASH is not batch-tracked$/],
    [7, /^quantity: ELM at Main: 0 expected, 5 on hand; opening stock is only for what has none$/],
    [8, /^quantity: the opening stock was booked before, with other figures, by SA-/],
    [9, /^sku: stands on line 1 already, with the same place and batch$/],
    [10, /^expiry_date: /],
    [11, /^quantity: /],
    [12, /^colour: is no field/],
    [13, /^quantity: is required$/],
    [14, /^sku: stands on line 11 already/],
  ]
  const told = err.map(line => /^line (\d+): (.*)$/s.exec(line)?.slice(1) ?? [line])
  t.deepEqual(
    told.map(([line]) => Number(line)),
    expected.map(([line]) => line),
  )
  for (const [at, [line, pattern]] of expected.entries()) t.regex(told[at]?.[1] ?? '', pattern, `line ${line}`)
  const oak = (await all(client, '/stock')).filter(({ sku }) => sku === 'OAK')
  t.deepEqual(column(oak, 'quantity'), [1])
})

test('two imports of one opening stock at once bring it in once', async t => {
  const client = await service.tenant()
  await goods(client, 'OAK', 'ASH')
  const files = [
    ['sku,quantity', 'OAK,1', 'ASH,2'],
    ['sku,quantity', 'ASH,2', 'OAK,1'],
  ]
  await Promise.all(files.map(rows => imported(client, 'opening-stock', rows)))
  t.deepEqual((await all(client, '/stock')).map(({ sku, quantity }) => [sku, quantity]).sort(), [
    ['ASH', 2],
    ['OAK', 1],
  ])
})

test('more rows of one place than a document holds come in with several', async t => {
  const client = await service.tenant()
  await goods(client, { sku: 'MILK', batch_tracked: true })
  const rows = ['sku,batch_number,quantity', ...Array.from({ length: 505 }, (_, n) => `MILK,B-${n},1`)]
  t.deepEqual((await imported(client, 'opening-stock', rows)).counts, [505, 0, 0])
  t.deepEqual((await all(client, '/stock-adjustments')).map(({ items }) => items.length).sort(), [5, 500])
})

test('rows of a product become its recipe, once, in whatever order they stand', async t => {
  const client = await service.tenant()
  const ids = await goods(client, 'TABLE', 'CHAIR', 'OAK', 'GLUE')
  const rows = ['sku,material_sku,quantity,notes', 'TABLE,OAK,4.5,', 'CHAIR,OAK,1,seat', 'TABLE,GLUE,.2,']
  t.deepEqual((await imported(client, 'recipes', rows)).counts, [3, 0, 0])
  const made = await all(client, '/recipes')
  const shown = made.map(({ sku, materials }) => [
    sku,
    materials.map(({ item_variant_id, quantity, notes }: Loose) => [item_variant_id, quantity, notes]),
  ])
  t.deepEqual(shown.sort(), [
    ['CHAIR', [[ids['OAK'], 1, 'seat']]],
    [
      'TABLE',
      [
        [ids['OAK'], 4.5, null],
        [ids['GLUE'], 0.2, null],
      ],
    ],
  ])
  await forget(client)
  t.deepEqual(await imported(client, 'recipes', [rows[0] ?? '', ...rows.slice(1).reverse()]), {
    status: 0,
    counts: [0, 3, 0],
    stopped: null,
    err: [],
  })
  t.deepEqual(await all(client, '/recipes'), made)
})

test('recipes are imported as they are written: materials for so many, and what is lost on the way', async t => {
  const client = await service.tenant()
  await goods(client, 'TABLE', 'CHAIR', 'OAK', 'GLUE')
  const header = 'sku,output_quantity,material_sku,quantity,scrap_percent'
  const rows = [header, 'TABLE,3,OAK,5,12.5', 'TABLE,,GLUE,0.2,', 'CHAIR,,OAK,1,0', 'TABLE,3.0,TABLE-TOP,1,']
  await goods(client, 'TABLE-TOP')
  t.deepEqual((await imported(client, 'recipes', rows)).counts, [4, 0, 0])
  const made = await all(client, '/recipes')
  const shown = made.map(({ sku, output_quantity, materials }) => [
    ...[sku, output_quantity],
    ...materials.map(({ sku, quantity, scrap_percent }: Loose) => [sku, quantity, scrap_percent].join(' ')),
  ])
  t.deepEqual(shown.sort(), [
    ['CHAIR', 1, 'OAK 1 0'],
    ['TABLE', 3, 'OAK 5 12.5', 'GLUE 0.2 0', 'TABLE-TOP 1 0'],
  ])
  await forget(client)
  t.deepEqual((await imported(client, 'recipes', rows)).counts, [0, 4, 0])
  t.deepEqual((await imported(client, 'recipes', [header, 'CHAIR,2,OAK,1,'])).counts, [0, 0, 1])
  t.deepEqual((await imported(client, 'recipes', [header, 'CHAIR,1,OAK,1,1'])).counts, [0, 0, 1])
  t.deepEqual(await all(client, '/recipes'), made)

  const others = await service.tenant()
  await goods(others, 'TABLE', 'CHAIR', 'OAK', 'GLUE')
  const faulty = [header, 'TABLE,3,OAK,5,', 'TABLE,2,GLUE,1,', 'CHAIR,1,OAK,1,1000.1']
  const { counts, err } = await imported(others, 'recipes', faulty)
  t.deepEqual(counts, [0, 0, 3])
  const another = 'line 3: output_quantity: is another one in line 2: a recipe of TABLE has one'
  t.true(err.includes(another), err.join('\n'))
  t.true(err.includes('line 2: the recipe of TABLE is not made: see line 3'), err.join('\n'))
  t.regex(err.join('\n'), /line 4: scrap_percent: must be 1000 or less/)
  t.deepEqual(await all(others, '/recipes'), [])
})

test('a recipe is made as a whole or not at all, and every row of it is told', async t => {
  const client = await service.tenant()
  await goods(client, 'TABLE', 'CHAIR', 'STOOL', 'BENCH', 'OAK', 'GLUE')
  await imported(client, 'recipes', ['sku,material_sku,quantity', 'BENCH,OAK,1'])
  const rows = [
    'sku,material_sku,quantity',
    'TABLE,OAK,4',
    'TABLE,GONE,1',
    'CHAIR,OAK,1',
    'CHAIR,CHAIR,1',
    'STOOL,OAK,1',
    'BENCH,OAK,2',
    'GONE,OAK,2',
    'CHAIR,GLUE,-1',
  ]
  const { status, counts, err } = await imported(client, 'recipes', rows)
  t.deepEqual([status, counts], [1, [1, 0, 7]], err.join('\n'))
  const told = new Map(err.map(line => /^line (\d+): (.*)$/.exec(line)?.slice(1) as [string, string]))
  t.is(told.get('2'), 'the recipe of TABLE is not made: see line 3')
  t.is(told.get('3'), 'material_sku: no unarchived variant has the sku "GONE"')
  t.regex(told.get('9') ?? '', /^quantity: must be greater than 0/)
  t.is(told.get('4'), 'the recipe of CHAIR is not made: see line 9')
  t.regex(told.get('7') ?? '', /^sku: BENCH has another recipe \(\d+\); change that one$/)
  t.is(told.get('8'), 'sku: no unarchived variant has the sku "GONE"')
  t.deepEqual((await all(client, '/recipes')).map(({ sku }) => sku).sort(), ['BENCH', 'STOOL'])
})

test('a file of recipes with a row that cannot be read makes none, since one would lack a material', async t => {
  const client = await service.tenant()
  await goods(client, 'TABLE', 'OAK', 'GLUE')
  const rows = ['sku,material_sku,quantity', 'TABLE,OAK,4', 'TABLE,GLUE,much']
  const { status, counts, stopped, err } = await imported(client, 'recipes', rows)
  t.deepEqual([status, counts], [1, [0, 0, 1]])
  t.is(err[0], 'line 3: quantity: "much" is no number')
  t.regex(stopped, /^line 3 cannot be read, so which recipe lacks a material is not known\. Nothing was made\.$/)
  t.deepEqual(await all(client, '/recipes'), [])
})

test('the help of import lists every kind with its columns', async t => {
  const out: string[] = []
  const terminal = { env: {}, root: '/nonexistent', out: (text: string) => out.push(text), err: t.fail }
  t.is(await runCommandLine(['help', 'import'], terminal), 0)
  for (const { name, columns } of importKinds) {
    const section = (out[0] ?? '').split(`\n  ${name}: `)[1]?.split(/\n {2}[\w-]+: /)[0] ?? ''
    for (const [column, { required }] of Object.entries(columns))
      t.regex(section, new RegExp(`[ ,]${column}${required ? '\\*' : ''}(,|$)`, 'm'), `${name}: ${column}`)
  }
  t.true((out[0] ?? '').split('\n').every(line => line.length <= 120))
})

test('supplier items are made once, by external_ref or else by supplier and variant; what names nothing is told', async t => {
  const client = await service.tenant()
  const ids = await goods(client, 'CUP', 'MUG')
  const supplier = (await client.post('/suppliers', { title: 'Kiln', external_ref: 'K' })).body.id
  const rows = [
    'supplier_ref,supplier_id,sku,item_variant_id,conversion_rate,price,is_preferred,external_ref',
    'K,,CUP,,12,10.50,yes,',
    `,${supplier},,${ids['MUG']},6,,,si-1`,
    'X,,CUP,,,,,',
    'K,,NONE,,,,,',
    ',,CUP,,,,,',
    'K,,CUP,,13,,,',
  ]
  const { counts, err } = await imported(client, 'supplier-items', rows)
  t.deepEqual(counts, [2, 0, 4])
  const faults = err.join('\n')
  for (const fault of [
    'supplier_ref: no supplier has the external_ref "X"',
    'sku: no unarchived variant has the sku "NONE"',
    'supplier_id: is required',
    'is for this supplier and variant already',
  ])
    t.true(faults.includes(fault), fault)
  const made = await all(client, '/supplier-items')
  t.deepEqual(
    made
      .toSorted((a, b) => b.conversion_rate - a.conversion_rate)
      .map(({ item_variant_id, conversion_rate, price, is_preferred }) => [
        item_variant_id,
        conversion_rate,
        price,
        is_preferred,
      ]),
    [
      [ids['CUP'], 12, 10.5, true],
      [ids['MUG'], 6, null, false],
    ],
  )
  await forget(client)
  t.deepEqual((await imported(client, 'supplier-items', rows.slice(0, 3))).counts, [0, 2, 0])
  t.deepEqual(await all(client, '/supplier-items'), made)
})

test('rows of one variant go in the order of the file: the last preferred supplier stays', async t => {
  const client = await service.tenant()
  const skus = Array.from({ length: 20 }, (_, n) => `CUP-${n}`)
  const ids = await goods(client, ...skus)
  const suppliers = ['title,external_ref', 'First,S1', 'Second,S2', 'Last,S3']
  await imported(client, 'suppliers', suppliers)
  const last = (await all(client, '/suppliers')).find(({ title }) => title === 'Last')?.id
  // Rows with skus and references need look-ups. Rows with ids need none.
  const rows = skus.flatMap(sku => [`S1,,${sku},,yes`, `S2,,,${ids[sku]},yes`, `,${last},,${ids[sku]},yes`])
  const file = ['supplier_ref,supplier_id,sku,item_variant_id,is_preferred', ...rows]
  for (const counts of [
    [rows.length, 0, 0],
    [0, rows.length, 0],
  ]) {
    t.deepEqual((await imported(client, 'supplier-items', file)).counts, counts)
    const preferred = (await all(client, '/supplier-items')).filter(({ is_preferred }) => is_preferred)
    t.deepEqual(
      preferred.map(item => [item.item_variant_id, item.supplier_id]).sort(),
      skus.map(sku => [ids[sku], last]).sort(),
    )
  }
})

test('rows of partners with one external_ref go in the order of the file', async t => {
  const client = await service.tenant()
  const rows = Array.from({ length: 60 }, (_, row) => `${Math.floor(row / 6)},R-${row % 6}`)
  t.deepEqual((await imported(client, 'customers', ['title,external_ref', ...rows])).counts, [6, 0, 54])
  t.deepEqual(
    column(await all(client, '/customers'), 'title'),
    Array.from({ length: 6 }, () => '0'),
  )
})
