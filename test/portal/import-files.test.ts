/** Files that the portal imports are those of `bin/millrace import`: the same records, columns, bodies and keys. */
import test from 'ava'
import fc from 'fast-check'
import { canonicalJson } from '../../lib/platform/json.ts'
import { bodyOf, type Columns } from '../../lib/tools/import/columns.ts'
import { CsvError, csvRecords } from '../../lib/tools/import/csv.ts'
import { importKinds } from '../../lib/tools/import/kinds.ts'
import { hashOf } from '../../lib/tools/import/service.ts'
import { CsvError as BrowserError, csvRecords as inBrowser } from '../../portal/src/screens/import/csv.ts'
import { entriesOf } from '../../portal/src/screens/import/entries.ts'
import { importKinds as browserKinds } from '../../portal/src/screens/import/kinds.ts'
import { guessed, mappingFault, rowsOf, spellingOf } from '../../portal/src/screens/import/rows.ts'

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield text
}

const read = async (text: string) => {
  try {
    return await Array.fromAsync(csvRecords(piecesOf(text)))
  } catch (error) {
    if (error instanceof CsvError) return error.line
    throw error
  }
}

const readInBrowser = (text: string) => {
  try {
    return inBrowser(text)
  } catch (error) {
    if (error instanceof BrowserError) return error.line
    throw error
  }
}

test('a browser reads the same records on the same lines as the command', async t => {
  const piece = fc.constantFrom('a', 'b c', '"', '""', ',', ';', '\t', '\n', '\r\n', '\r', ' ', '"x,\ny"')
  const texts = fc.array(piece, { maxLength: 14 }).map(pieces => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(texts, async text => {
      t.deepEqual(readInBrowser(text), await read(text), JSON.stringify(text))
    }),
    { numRuns: 3_000 },
  )
  t.deepEqual(readInBrowser('\uFEFFtitle\r\n"Oak ""bench"""\r\n'), [
    { line: 1, cells: ['title'] },
    { line: 2, cells: ['Oak "bench"'] },
  ])
})

test('each kind has the same columns, and asks for the same', t => {
  for (const [name, kind] of Object.entries(browserKinds)) {
    const columns: Columns = importKinds.find(other => other.name === name)?.columns ?? {}
    const types = Object.fromEntries(Object.entries(columns).map(([column, { type }]) => [column, type]))
    t.deepEqual<unknown, unknown>(kind.columns, types, name)
    const required = Object.keys(columns).filter(column => columns[column]?.required)
    t.deepEqual<unknown, unknown>(kind.required, required, name)
  }
})

test('a line has the same body and the same key, however its numbers are spelled', t => {
  const header = ['title', 'price', 'is_sellable', 'shelf_life_days']
  const columns = importKinds.find(({ name }) => name === 'products')?.columns ?? {}
  const kind = browserKinds.products
  const lines = [
    ['Oak', '149.950', 'Yes', '007'],
    ['  Pine ', '.50', 'no', '+1'],
    ['Elm', '-0', '', '1e3'],
    ['Ash', '12345678901234567890.10', '0', ''],
  ]
  const records = [header, ...lines].map((cells, index) => ({ line: index + 1, cells }))
  const mapping = guessed(header, kind)
  const rows = rowsOf(records, { kind, mapping, spelling: 'point' })
  t.deepEqual(
    rows.flatMap(({ faults }) => faults),
    [],
  )
  const keys = entriesOf(rows, kind).map(({ entry }) => entry.idempotency_key)
  const expected = lines.map(cells => {
    const read = bodyOf(columns, header, cells)
    return `import-${hashOf(canonicalJson('body' in read ? read.body : {}))}-1`
  })
  t.deepEqual(keys, expected)
  const [first, second] = entriesOf([...rows.slice(0, 1), ...rows.slice(0, 1)], kind)
  t.not(first?.entry.idempotency_key, second?.entry.idempotency_key)
  t.is(JSON.stringify(first?.entry.body), '{"title":"Oak","price":149.950,"is_sellable":true,"shelf_life_days":7}')
})

test('faults name their line and column, and a header that says nothing is asked about', t => {
  const kind = browserKinds.customers
  const text = 'Title;Shipping_address.city;external ref\nInn;Ghent;A\n;Bruges;A\n"Two\nlines";x\n'
  const records = inBrowser(text)
  const mapping = guessed(records[0]?.cells ?? [], kind)
  t.deepEqual(mapping, ['title', 'shipping_address.city', 'external_ref'])
  const rows = rowsOf(records, { kind, mapping, spelling: 'point' })
  t.deepEqual<unknown, unknown>(rows[0]?.body, {
    title: 'Inn',
    shipping_address: { city: 'Ghent' },
    external_ref: 'A',
  })
  t.deepEqual(
    rows.flatMap(({ faults }) => faults),
    [
      { line: 3, column: 'external_ref', reason: 'line 2 has A, too' },
      { line: 3, column: 'title', reason: 'is needed' },
      { line: 4, column: null, reason: '2 cells, but the header has 3 columns' },
    ],
  )
  t.is(mappingFault(mapping, kind), null)
  t.regex(mappingFault(guessed(['name'], kind), kind) ?? '', /title/)
  t.regex(mappingFault(['title', 'title'], kind) ?? '', /Two columns are title/)
})

test('decimals with a comma are read as such where the file says so', t => {
  const kind = browserKinds.products
  const records = inBrowser('title;price\nOak;1,50\nElm;1.50\n')
  const spelling = spellingOf(records, ';')
  t.is(spelling, 'comma')
  const rows = rowsOf(records, { kind, mapping: guessed(['title', 'price'], kind), spelling })
  t.deepEqual<unknown, unknown>(rows[0]?.body, { title: 'Oak', price: { figure: '1.50' } })
  t.deepEqual(rows[1]?.faults, [{ line: 3, column: 'price', reason: '"1.50" is no number' }])
})
