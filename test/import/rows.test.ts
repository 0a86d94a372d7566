/** The guarantees of reading files: CSV in every spelling, JSON lines, right line numbers, and no guesses. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import fc from 'fast-check'
import { bodyOf, readHeader, recordOf } from '../../imports/columns.ts'
import { lineFaults } from '../../imports/line-faults.ts'
import { readNumber, signFaultText, signFinder } from '../../imports/numbers.ts'
import { openingStock } from '../../imports/opening-stock.ts'
import { plannedChange } from '../../imports/product-change.ts'
import { lookupOf, products } from '../../imports/products.ts'
import { CsvError, csvReader } from '../../imports/records.ts'
import { codeFault } from '../../imports/rows.ts'
import { faultText } from '../../imports/service.ts'
import { canonical, type Fields, readValue } from '../../imports/values.ts'
import { joinedRows } from '../../imports/variant-rows.ts'
import { formatOf, readRows } from '../../lib/tools/import/rows.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const { columns } = products
const folder = await mkdtemp(join(tmpdir(), 'millrace-import-'))
test.after.always(() => rm(folder, { recursive: true }))

/** The text in pieces of this size, since a file comes in pieces. */
function* pieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

function records(text: string, size = 1_000): unknown[] {
  const reader = csvReader()
  const found = [...pieces(text, size)].flatMap(piece => reader.read(piece))
  return [...found, ...reader.end()].map(({ line, cells }) => [line, ...cells])
}

test('cells hold quotes, separators and line ends, and records know their first line', t => {
  const text = 'a,b\r\n"x, ""y""","two\nlines"\n\n , \r\n"",end'
  const expected = [
    [1, 'a', 'b'],
    [2, 'x, "y"', 'two\nlines'],
    [5, ' ', ' '],
    [6, '', 'end'],
  ]
  for (const size of [1, 2, 3, 1_000]) t.deepEqual(records(text, size), expected, `in pieces of ${size}`)
  t.deepEqual(records('a\rb\r'), [
    [1, 'a'],
    [2, 'b'],
  ])
  t.deepEqual(records('a;b,c\n1;2'), [
    [1, 'a;b', 'c'],
    [2, '1;2'],
  ])
  t.deepEqual(records('a;b;c\n1,5;2;'), [
    [1, 'a', 'b', 'c'],
    [2, '1,5', '2', ''],
  ])
  t.deepEqual(records('a\tb\n1\t2\n'), [
    [1, 'a', 'b'],
    [2, '1', '2'],
  ])
  t.deepEqual(records(''), [])
})

test('a quoted cell that does not end, or goes on after its end, is told with its line', t => {
  const fault = t.throws(() => records('a\nb\n"c\nd'), { instanceOf: CsvError })
  t.is((fault as CsvError).line, 3)
  t.throws(() => records('a\n"b"c'), { message: 'text follows a quoted cell' })
})

test('any table is read back, whatever the pieces', t => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'ü', ' ', ',', '"', '\n', '\r\n', ';'), maxLength: 6 })
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }), fc.nat(7), (rows, size) => {
      const text = ['x,y,z', ...rows.map(row => row.map(quoted).join(','))].join('\r\n')
      const found = records(text, size + 1)
      t.deepEqual(
        found.slice(1).map(record => (record as unknown[]).slice(1)),
        rows,
      )
    }),
    { numRuns: 200 },
  )
})

test('a byte order mark, a line that names the separator, and empty last columns are no faults', async t => {
  for (const size of [1, 2, 3, 1_000]) {
    t.deepEqual(records('\uFEFFsep=;\r\na,b;c\r\n1,5;2\r\n', size), [
      [2, 'a,b', 'c'],
      [3, '1,5', '2'],
    ])
    t.deepEqual(records('"sep=|"\na|b', size), [[2, 'a', 'b']])
    t.deepEqual(records('sep=,,,\na,b', size), [[2, 'a', 'b']])
  }
  t.deepEqual(records('sep=;'), [])
  const text = '\uFEFFsep=;\n;;;\ntitle;price;;\nOak;1,5;;\n ; ;;\n\nElm;;;;;\n;2;;\nAsh;1;;x\n'
  t.deepEqual(await rowsOf(t, 'excel.csv', text), [
    [4, '{"price":15e-1,"title":"Oak"}'],
    [7, '{"title":"Elm"}'],
    [8, '{"price":2e0}'],
    [9, '4 cells, but the header has 2 columns'],
  ])
})

test('a number is read with the sign before its decimals, and the other one in thousands', t => {
  const read = (text: string) => [readNumber(text, 'comma'), readNumber(text, 'point')]
  for (const [text, comma, point] of [
    ['1.250,50', '1250.50', null],
    ['1,250.50', null, '1250.50'],
    ['-1.250.000', '-1250000', null],
    ['12,50', '12.50', null],
    ['12.50', null, '12.50'],
    ['1.250', '1250', '1.250'],
    ['+1,250', '1.250', '1250'],
    ['0.250', null, '0.250'],
    ['1234.567', null, '1234.567'],
    ['1.2500', null, '1.2500'],
    ['1.25.000', null, null],
    ['1.250,000.5', null, null],
    ['1.250e3', null, '1.250e3'],
    ['12', '12', '12'],
    ['', null, null],
    [',', null, null],
  ] as const)
    t.deepEqual(read(text), [comma, point], text)
})

test('the numbers of a file show the sign before decimals, unless one means two things or two differ', t => {
  const find = (...texts: string[]) => {
    const finder = signFinder()
    for (const [at, text] of texts.entries()) {
      const fault = finder.hear({ line: at + 2, column: 'price', text })
      if (fault) return signFaultText(fault)
    }
    return finder.found()
  }
  t.is(find('1', '', 'cheap'), 'point')
  t.is(find('12', '12,5', '1.250,00'), 'comma')
  t.is(find('12.5', '1,250.00'), 'point')
  t.is(find('12,5', '1.250'), 'line 3: price: "1.250" is 1250 with a decimal comma, and 1.250 with a decimal point')
  t.is(find('-1,250'), 'line 2: price: "-1,250" is -1.250 with a decimal comma, and -1250 with a decimal point')
  t.is(find('12,5', '3', '12.5'), 'line 4: price: "12.5" has another decimal sign than "12,5" on line 2')
})

test('a code that a spreadsheet turned into a number is refused, and one that looks like it is not', t => {
  const fault = /^"4.00638E\+12" is what a spreadsheet makes of a long number/
  t.regex(codeFault('barcode', '4.00638E+12') ?? '', fault)
  t.regex(codeFault('sku', '4.00638E+12') ?? '', fault)
  for (const [column, text] of [
    ['barcode', '4,00638E+12'],
    ['barcode', '4E+12'],
    ['address.phone', '4.91E+11'],
    ['batch_number', '2.0261e+08'],
  ] as const)
    t.not(codeFault(column, text), null, text)
  for (const [column, text] of [
    ['barcode', '4006381333931'],
    ['sku', '4E+12'],
    ['sku', '1E5'],
    ['sku', 'X4.0E+12'],
    ['title', '4.00638E+12'],
  ] as const)
    t.is(codeFault(column, text), null, text)
})

test('a file whose numbers mean two things gives no row', async t => {
  const file = 'title;price\nOak;3\nElm;1.250\n'
  await t.throwsAsync(rowsOf(t, 'g.csv', file), {
    message: /^line 3: price: "1.250" is 1250 with .*: say which with --decimal comma or --decimal point$/,
  })
  // In a column of texts it is a text.
  t.deepEqual(await rowsOf(t, 'h.csv', 'title\n1.250\n'), [[2, '{"title":"1.250"}']])
  t.deepEqual(await rowsOf(t, 'i.jsonl', '{"title":"a","variants":[{"barcode":"4.00638E+12"}]}'), [
    [
      1,
      'variants.barcode: "4.00638E+12" is what a spreadsheet makes of a long number, whose last digits are lost: format the column as text',
    ],
  ])
})

test('a header names known columns, once each, and a title', t => {
  t.deepEqual(readHeader(columns, [' Title', 'SKU']), ['title', 'sku'])
  t.regex(JSON.stringify(readHeader(columns, ['title', 'colour'])), /colour.* is no column/)
  t.deepEqual(readHeader(columns, ['title', 'sku', 'Sku']), { fault: 'the column sku is there twice' })
  t.deepEqual(readHeader(columns, ['sku']), { fault: 'the column title is missing' })
})

test('cells become fields: empty ones absent, numbers with all their digits, flags in words', t => {
  const header = ['title', 'sku', 'price', 'is_sellable', 'shelf_life_days']
  const read = (...cells: string[]) => {
    const read = bodyOf(columns, { header, sign: 'point' }, cells)
    return 'faults' in read ? faultText(read.faults) : canonical(read.body)
  }
  t.is(read(' Oak ', '007', '', '', ''), canonical(readValue('{"title":"Oak","sku":"007"}')))
  t.is(
    read('Oak', '', '0.100000', 'Yes', '30'),
    canonical(readValue('{"title":"Oak","price":0.1,"is_sellable":true,"shelf_life_days":30}')),
  )
  for (const [text, number] of [
    ['.5000', '0.5'],
    ['+1', '1'],
    ['007', '7'],
    ['12.', '12'],
    ['1e3', '1000'],
    ['-0.5', '-0.5'],
  ])
    t.is(read('Oak', '', text ?? '', '', ''), canonical(readValue(`{"title":"Oak","price":${number}}`)))
  t.is(read('Oak', '', '1,5', '', ''), 'price: "1,5" is no number')
  t.is(read('Oak', '', '.', '', ''), 'price: "." is no number')
  t.is(read('Oak', '', '', 'maybe', ''), 'is_sellable: "maybe" is no true or false')
  t.is(read('Oak', '', `${'0'.repeat(200)}1`, '', ''), `price: "${'0'.repeat(200)}1" is no number`)
  t.is(read('Oak', ''), '2 cells, but the header has 5 columns')
})

async function rowsOf(t: ExecutionContext, name: string, content: string | Uint8Array): Promise<unknown[]> {
  const path = join(folder, name)
  await writeFile(path, content)
  const found: unknown[] = []
  for await (const { line, content, bytesRead } of readRows(path, { format: formatOf(name) ?? 'csv', columns })) {
    t.true(bytesRead > 0)
    found.push([line, 'faults' in content ? faultText(content.faults) : canonical(content.body)])
  }
  return found
}

test('files are read by the end of their name, with or without a byte order mark', async t => {
  t.deepEqual(
    [formatOf('a.CSV'), formatOf('a.jsonl'), formatOf('a.ndjson'), formatOf('a.json')],
    ['csv', 'jsonl', 'jsonl', undefined],
  )
  t.deepEqual(await rowsOf(t, 'a.csv', '\uFEFFtitle,price\nÖl,1\nx\n'), [
    [2, '{"price":1e0,"title":"Öl"}'],
    [3, '1 cells, but the header has 2 columns'],
  ])
  t.deepEqual(await rowsOf(t, 'a.jsonl', '{"title":"a"}\r\n\n[1]\n{"title":"b","title":"c"}\n{"x"\n{"title":"d"}'), [
    [1, '{"title":"a"}'],
    [3, 'must be a JSON object'],
    [4, 'title: the key appears twice'],
    [5, 'body: ":" was expected at position 4'],
    [6, '{"title":"d"}'],
  ])
})

test('a line of JSON without an end is refused before it fills the memory', async t => {
  const line = `{"title":"${'x'.repeat(1_100_000)}`
  await t.throwsAsync(rowsOf(t, 'f.jsonl', `{"title":"a"}\n${line}`), { message: 'line 2: is longer than 1 MiB' })
})

test('a row that is no body has known fields, the required ones, and text where text belongs', t => {
  const read = (row: string) => {
    const read = recordOf(openingStock.columns, readValue(row) as Fields)
    return 'record' in read ? canonical(read.record) : faultText([read])
  }
  t.is(read('{"sku":" A ","quantity":1,"place":null,"batch_number":" "}'), '{"quantity":1e0,"sku":"A"}')
  t.regex(read('{"sku":"A","colour":1}'), /^colour: is no field; the fields are sku, place, quantity/)
  t.is(read('{"sku":7,"quantity":1}'), 'sku: must be text')
  t.is(read('{"sku":"","quantity":1}'), 'sku: is required')
  t.is(read('{"sku":"A"}'), 'quantity: is required')
})

test('a refusal of a document is told for each line that it names, by the columns', t => {
  const items = { list: 'items', columns: { item_variant_id: 'sku' } }
  const faults = (message: string) => [...lineFaults(message, items)].map(([at, found]) => [at, faultText(found)])
  t.deepEqual(faults('items[3].unit_cost: must be 0 or more'), [[3, 'unit_cost: must be 0 or more']])
  t.deepEqual(faults('items[0].item_variant_id: a; b; items[12].quantity: c; items[0].quantity: d'), [
    [0, 'sku: a; b; quantity: d'],
    [12, 'quantity: c'],
  ])
  t.deepEqual(faults('date: must be later'), [])
})

test('a file that is no text, no table or not there is told so', async t => {
  await t.throwsAsync(rowsOf(t, 'b.csv', new Uint8Array([0x74, 0xff, 0xfe])), { message: 'the file is not UTF-8' })
  await t.throwsAsync(rowsOf(t, 'c.csv', ''), { message: 'the file is empty' })
  await t.throwsAsync(rowsOf(t, 'd.csv', 'title,colour\n'), { message: /^line 1: "colour" is no column/ })
  await t.throwsAsync(rowsOf(t, 'e.csv', 'title\n"x'), { message: 'line 2: a quoted cell does not end' })
})

test('a product is the same when all that the row gives is so', t => {
  const product = readValue(
    '{"title":"Oak","category":null,"external_ref":"r","variants":[{"sku":"OAK","price":1.50,"attributes":{"a":"b"}}]}',
  ) as Fields
  const isSame = (text: string) => {
    const row = { line: 2, body: readValue(text) as Fields }
    const said = { ...joinedRows([row], { update: true }), first: row }
    return plannedChange(product, said, { update: true, refusal: null }).body === null
  }
  t.true(isSame('{"title":" Oak ","sku":"OAK","price":1.5}'))
  t.true(isSame('{"title":"Oak","category":null,"variants":[{"sku":"OAK","attributes":{"a":"b"}}]}'))
  t.false(isSame('{"title":"Oak","sku":"OAK","price":1.51}'))
  t.false(isSame('{"title":"Elm","sku":"OAK"}'))
  t.false(isSame('{"title":"Oak","category":"x"}'))
  t.false(isSame('{"title":"Oak","variants":[{"sku":"OAK"},{"sku":"ELM"}]}'))
})

test('a row is looked up by its external_ref, else by its first sku', t => {
  const lookup = (row: string) => lookupOf(readValue(row) as Fields)
  t.is(lookup('{"external_ref":" a&b ","sku":"x"}'), 'external_ref=a%26b')
  t.is(lookup('{"sku":"x y"}'), 'archived=false&sku=x%20y')
  t.is(lookup('{"variants":[{"title":"a"},{"sku":"B"}]}'), 'archived=false&sku=B')
  t.is(lookup('{"title":"a","sku":null}'), null)
})
