/** Files that the portal imports are those of `bin/millrace import`: the same columns, bodies and keys. */
import { csvReader } from '../../csv/records.ts'
import { canonicalJson } from '../../lib/platform/json.ts'
import { bodyOf, type Columns } from '../../lib/tools/import/columns.ts'
import { importKinds } from '../../lib/tools/import/kinds.ts'
import { hashOf } from '../../lib/tools/import/service.ts'
import { entriesOf } from '../../portal/src/screens/import/entries.ts'
import { importKinds as browserKinds } from '../../portal/src/screens/import/kinds.ts'
import { guessed, mappingFault, rowsOf, signOf } from '../../portal/src/screens/import/rows.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const inBrowser = (text: string) => {
  const reader = csvReader()
  return [...reader.read(text), ...reader.end()]
}

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
  const rows = rowsOf(records, { kind, mapping, sign: 'point' })
  t.deepEqual(
    rows.flatMap(({ faults }) => faults),
    [],
  )
  const keys = entriesOf(rows, kind).map(({ entry }) => entry.idempotency_key)
  const expected = lines.map(cells => {
    const read = bodyOf(columns, { header, sign: 'point' }, cells)
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
  const rows = rowsOf(records, { kind, mapping, sign: 'point' })
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

test('the numbers of the columns that are read show what stands before decimals, or the file is asked about', t => {
  const kind = browserKinds.products
  const signIn = (text: string) => {
    const records = inBrowser(text)
    return signOf(records, { kind, mapping: guessed(records[0]?.cells ?? [], kind) })
  }
  t.is(signIn('title;price\nOak;1,50\nElm;1\n'), 'comma')
  t.is(signIn('title,price,note\nOak,1.5,"1.250"\n'), 'point')
  t.like(signIn('title,price\nOak,1.5\nElm,1.250\n'), { why: 'either', line: 3, column: 'price', text: '1.250' })
  t.like(signIn('title;price\nOak;1,50\nElm;1.50\n'), { why: 'mixed', line: 3, before: { line: 2 } })
  const records = inBrowser('title;price\nOak;1.250,50\nElm;1.50\n')
  const rows = rowsOf(records, { kind, mapping: guessed(['title', 'price'], kind), sign: 'comma' })
  t.is(JSON.stringify(rows[0]?.body), '{"title":"Oak","price":{"figure":"1250.50"}}')
  t.deepEqual(rows[1]?.faults, [{ line: 3, column: 'price', reason: '"1.50" is no number' }])
})
