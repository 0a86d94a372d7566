/** Files that the portal imports give the same as with `bin/millrace import`: the same columns, bodies and keys. */

import type { BulkResult } from '@millrace/client'
import { bodyOf, readHeader } from '../../imports/columns.ts'
import { plainHeading } from '../../imports/headings.ts'
import type { ImportKind } from '../../imports/kind.ts'
import { importKinds, kindOf } from '../../imports/kinds.ts'
import { newEntries } from '../../imports/record-writer.ts'
import { csvReader } from '../../imports/records.ts'
import type { Entry, Result, Service } from '../../imports/service.ts'
import { takeRows } from '../../imports/take-rows.ts'
import { canonical, type Fields, fieldsIn } from '../../imports/values.ts'
import { canonicalJson, parseJson } from '../../lib/platform/json.ts'
import { hashOf } from '../../lib/tools/import/service.ts'
import { gathered } from '../../portal/src/screens/import/gathered.ts'
import { hashOf as hashInBrowser } from '../../portal/src/screens/import/hash.ts'
import { rehearsed } from '../../portal/src/screens/import/rehearsed.ts'
import { guessed, mappingFault, rowsOf, shopRecords, signOf } from '../../portal/src/screens/import/rows.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const [products, customers] = [kindOf('products'), kindOf('customers')]
const anew = { update: false }

const inBrowser = (text: string) => {
  const reader = csvReader()
  return [...reader.read(text), ...reader.end()]
}

const tableOf = (kind: ImportKind, text: string) => {
  const records = inBrowser(text)
  return { records, kind, mapping: guessed(records[0]?.cells ?? [], kind) }
}

test('the columns of a header are those of the command line', t => {
  for (const kind of importKinds) {
    const header = Object.keys(kind.columns).map(name => name.replace('*', 'My name'))
    t.deepEqual<unknown, unknown>(guessed(header, kind), readHeader(kind.columns, header))
  }
  const header = ['Handle', 'Title', 'Variant Title', 'Barcodes', 'metadata.Colour.a', 'metadata.', 'colour']
  t.deepEqual(guessed(header, products), [
    ...['external_ref', 'title', 'variant_title', 'barcodes', 'metadata.Colour.a', null, null],
  ])
})

test('columns are guessed from the headings of shops and spreadsheets in four languages', t => {
  const columnsOf = (header: string, kind = products) => guessed(header.split(';'), kind)
  const all = ['title', 'sku', 'barcode', 'price', 'purchase_price', 'quantity', 'place']
  for (const header of [
    'Name;Item no.;EAN;Sales price;Cost;Stock;Location',
    'Product Name;Product code;Barcode;Price (EUR);Cost price;Qty;Warehouse',
    'Bezeichnung;Artikel-Nr.;GTIN;Verkaufspreis [€];EK-Preis;Lagerbestand;Lagerort',
    "Désignation;Référence;Code-barres;Prix de vente;Prix d'achat;Quantité;Entrepôt",
    'Nombre;Código;Código de barras;Precio;Coste;Existencias;Almacén',
  ])
    t.deepEqual(columnsOf(header), all, header)
  // A heading that equals the column's name is taken first, wherever it is.
  t.deepEqual(columnsOf('Name;title;Stock;quantity'), [null, 'title', null, 'quantity'])
  t.deepEqual(columnsOf('Artikelnummer;Bestand;EK;MHD;Charge', kindOf('opening-stock')), [
    ...['sku', 'quantity', 'unit_cost', 'expiry_date', 'batch_number'],
  ])
  t.deepEqual(columnsOf('Product;Component;Qty', kindOf('recipes')), ['sku', 'material_sku', 'quantity'])
  for (const kind of importKinds)
    for (const [heading, column] of Object.entries(kind.aliases ?? {})) {
      t.is(plainHeading(heading), heading)
      t.true(Object.hasOwn(kind.columns, column), `${kind.name}: ${heading}`)
    }
})

test('several lines of one thing are no fault where they say what lies at several places', t => {
  const table = tableOf(products, 'Name;SKU;Stock;Location\nOak;OAK;5;Main\nOak;OAK;3;Second\nElm;OAK;1;Main\n')
  t.deepEqual(
    rowsOf(table.records, { ...table, sign: 'point', ...anew }).map(({ faults }) => faults.map(({ column }) => column)),
    [[], [], ['sku']],
  )
})

test('a line has the same body and the same key, however its numbers are spelled', t => {
  const header = ['title', 'price', 'is_sellable', 'shelf_life_days', 'barcodes', 'metadata.a.b']
  const lines = [
    ['Oak', '149.950', 'Yes', '007', '', ''],
    ['  Pine ', '.50', 'no', '+1', ' 4006381333931, X-1|X 2 ', 'Fir'],
    ['Elm', '-0', '', '1e3', '', ''],
    ['Ash', '12345678901234567890.10', '0', '', '', ''],
  ]
  const records = [header, ...lines].map((cells, index) => ({ line: index + 1, cells }))
  const rows = rowsOf(records, { kind: products, mapping: guessed(header, products), sign: 'point', ...anew })
  t.deepEqual(
    rows.flatMap(({ faults }) => faults),
    [],
  )
  const path = { path: '/products', keyPrefix: 'import', lookupOf: () => null }
  const newEntry = newEntries({ hash: hashInBrowser } as Service, path)
  const entries = rows.map(({ body }) => newEntry(body))
  const expected = lines.map(cells => {
    const read = bodyOf(products.columns, { header, sign: 'point' }, cells)
    return 'body' in read ? newEntries({ hash: hashOf } as Service, path)(read.body).key : ''
  })
  t.deepEqual(
    entries.map(({ key }) => key),
    expected,
  )
  t.not(newEntry(rows[0]?.body as Fields).key, entries[0]?.key)
  t.is(JSON.stringify(entries[0]?.body), '{"title":"Oak","price":149.950,"is_sellable":true,"shelf_life_days":7}')
  t.is(
    JSON.stringify(entries[1]?.body),
    '{"title":"Pine","price":0.50,"is_sellable":false,"shelf_life_days":1,"barcodes":["4006381333931","X-1","X 2"],"metadata":{"a.b":"Fir"}}',
  )
  // The text from which keys are made is the same as in the service.
  for (const { body } of rows) t.is(canonical(body), canonicalJson(parseJson(JSON.stringify(body))))
})

test('faults name their line and column, and a header that says nothing is asked about', t => {
  const table = tableOf(customers, 'Title;Shipping_address.city;external ref\nInn;Ghent;A\n;Bruges;A\n"Two\nlines";x\n')
  t.deepEqual(table.mapping, ['title', 'shipping_address.city', 'external_ref'])
  const rows = rowsOf(table.records, { ...table, sign: 'point', ...anew })
  t.is(canonical(rows[0]?.body ?? null), '{"external_ref":"A","shipping_address":{"city":"Ghent"},"title":"Inn"}')
  t.deepEqual(
    rows.map(({ line, faults }) => [line, ...faults]),
    [
      [2],
      [3, { column: 'external_ref', reason: 'line 2 has A, too' }, { column: 'title', reason: 'is needed' }],
      [4, { column: null, reason: '2 cells, but the header has 3 columns' }],
    ],
  )
  t.is(mappingFault(table.mapping, customers, anew), null)
  t.regex(mappingFault(guessed(['farm'], customers), customers, anew) ?? '', /title/)
  t.regex(mappingFault(['title', 'title'], customers, anew) ?? '', /Two columns are title/)
  // The existing records have a title, and lines change them one after the other.
  t.is(mappingFault(['external_ref', 'email'], customers, { update: true }), null)
  const changing = rowsOf(table.records, { ...table, sign: 'point', update: true })
  t.deepEqual(
    changing.slice(0, 2).flatMap(({ faults }) => faults),
    [],
  )
})

test('lines with the same reference are variants, and lines that say the same are no fault', t => {
  const table = tableOf(
    products,
    'handle,title,variant_title,sku\nmug,Mug,S,M-S\nmug,,L,M-L\n,Jug,,JUG\n,Jug,,JUG\n,Jar,,JUG\n,,,X\n',
  )
  t.deepEqual(
    rowsOf(table.records, { ...table, sign: 'point', ...anew }).flatMap(({ line, faults }) =>
      faults.map(each => [line, each]),
    ),
    [
      [6, { column: 'sku', reason: 'line 4 has JUG, too' }],
      [7, { column: 'title', reason: 'is needed' }],
    ],
  )
})

test('the numbers of the columns that are read show what stands before decimals, or the file is asked about', t => {
  const signIn = (text: string) => {
    const { records, ...table } = tableOf(products, text)
    return signOf(records, table)
  }
  t.is(signIn('title;price\nOak;1,50\nElm;1\n'), 'comma')
  t.is(signIn('title,price,note\nOak,1.5,"1.250"\n'), 'point')
  t.like(signIn('title,price\nOak,1.5\nElm,1.250\n'), { why: 'either', line: 3, column: 'price', text: '1.250' })
  t.like(signIn('title;price\nOak;1,50\nElm;1.50\n'), { why: 'mixed', line: 3, before: { line: 2 } })
  const table = tableOf(products, 'title;price\nOak;1.250,50\nElm;1.50\n')
  const rows = rowsOf(table.records, { ...table, sign: 'comma', ...anew })
  t.is(JSON.stringify(rows[0]?.body), '{"title":"Oak","price":1250.50}')
  t.deepEqual(rows[1]?.faults, [{ column: 'price', reason: '"1.50" is no number' }])
})

test('an export of a shop has the columns of products, and keeps its lines', t => {
  const records = inBrowser(
    'Handle,Title,Variant SKU,Variant Price,Image Src\nmug,Mug,M,1.250,a\nmug,,,,b\njug,Jug,J,2,\n',
  )
  t.deepEqual(shopRecords(records, 'shopify'), [
    {
      line: 1,
      cells: 'external_ref title description category variant_title sku barcode price purchase_price'.split(' '),
    },
    { line: 2, cells: ['mug', 'Mug', '', '', '', 'M', '', '1.250', ''] },
    { line: 4, cells: ['jug', 'Jug', '', '', '', 'J', '', '2', ''] },
  ])
  t.deepEqual(shopRecords(records, 'woocommerce'), { fault: 'the column Type is missing' })
})

test('a check counts what the plan and the day have room for, however many were asked for before', async t => {
  const sent: number[] = []
  /** Answers a bulk of mode `all` as a tenant does whose plan has room for this many variants. */
  const tenantWith = (room: number) => async (entries: readonly Entry[]) => {
    sent.push(entries.length)
    let left = room
    let isOver = false
    return entries.map(({ body }): BulkResult<Fields> => {
      const variants = fieldsIn(body['variants']).length || 1
      left -= variants
      const isTaken = body['sku'] === 'TAKEN'
      const code = isOver ? 'not_applied' : isTaken ? 'validation_failed' : 'SUBSCRIPTION_LIMIT'
      isOver ||= left < 0 || isTaken
      if (isOver) return { ok: false, replayed: false, error: { code, message: code, fields: [] } } as never
      return { ok: true, replayed: false, body: { variants: Array.from({ length: variants }, () => ({})) } } as never
    })
  }
  const checked = async (room: number, documents: number) => {
    const ask = rehearsed({ documents, isLimited: true }, 100)
    const told: string[] = []
    for (let part = 0; part < 20; part++) {
      const entries = Array.from({ length: 50 }, (_, n): Entry => {
        const sku = part === 2 && n === 7 ? 'TAKEN' : `S-${part}-${n}`
        return { method: 'POST', path: '/products', key: sku, body: { title: sku, sku } }
      })
      for (const each of await ask(entries, tenantWith(room)))
        told.push('error' in each ? 'end' : 'refusal' in each.answer ? 'refused' : 'fine')
      if (told.includes('end')) break
    }
    return ['fine', 'refused', 'end'].map(name => told.filter(each => each === name).length)
  }
  t.deepEqual(await checked(777, 10_000), [777, 1, 22])
  t.true(Math.max(...sent) <= 58, `${Math.max(...sent)} entries`)
  t.deepEqual(await checked(10_000, 60), [60, 0, 40])
})

test('rows are taken in slices, between which the page can do something else', async t => {
  let [turns, isOver] = [0, false]
  const others = (async () => {
    for (; !isOver; turns++) await new Promise(resolve => setTimeout(resolve))
  })()
  const send = gathered<Entry, Result>(
    async entries => entries.map(({ body }) => ({ answer: { isReplay: false, body } })),
    50,
  )
  const service = { isDry: false, entriesMax: 1, hash: String, read: async () => null, write: send } as Service
  const rows = Array.from({ length: 2_000 }, (_, n) => ({
    line: n + 2,
    content: { body: { title: `Inn ${n}`, external_ref: `C-${n}` } },
  }))
  let taken = 0
  const onOutcomes = (outcomes: readonly unknown[]) => {
    taken += outcomes.length
  }
  await takeRows(rows, { importer: customers.open(service), atOnce: 50, onOutcomes })
  isOver = true
  await others
  t.is(taken, 2_000)
  // Each call takes 50 lines at most.
  t.true(turns >= 2_000 / 50, `${turns} turns`)
})

test('what is asked in one turn goes together, in its order, and a fault ends what it belongs to', async t => {
  const asked: (readonly number[])[] = []
  const ask = gathered<number, string>(async entries => {
    asked.push(entries)
    return entries.map(entry => (entry === 3 ? { error: new Error('three') } : { answer: `${entry}` }))
  }, 2)
  const answers = await Promise.allSettled([1, 2, 3, 4, 5].map(ask))
  t.deepEqual(asked, [[1, 2], [3, 4], [5]])
  t.deepEqual(
    answers.map(answer => (answer.status === 'fulfilled' ? answer.value : answer.reason.message)),
    ['1', '2', 'three', '4', '5'],
  )
  t.is(await ask(6), '6')
})
