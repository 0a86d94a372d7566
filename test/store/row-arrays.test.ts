/** Rows arrive in PostgreSQL as they were given, whatever characters they contain. */

import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { inOneStatement, rowArrays } from '../../lib/platform/postgres/row-arrays.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { within } from '../support/within.ts'

const test = testsOf(import.meta)

const { databaseUrl } = await benchOfFile()
const pool = new RoundTripPool(databaseUrl, { size: 1, ...within(10_000) })
test.after.always(() => pool.end())

const TEXTS = [
  'plain',
  '',
  ' ',
  'NULL',
  'null',
  null,
  '"quoted"',
  "it's",
  '{a,b}',
  'a\\b',
  '\\n',
  '\\\\n',
  'a\nb\tc\rd\be\f',
  '\u0001\u001e\u001f\u007f',
  'é漢😀',
  ',;()',
  '$1 ? :x',
]
const columns = {
  n: 'bigint',
  word: 'text',
  body: 'json text',
  data: 'jsonb',
  list: 'text[]',
  yes: 'boolean',
  at: 'date',
}
const given = TEXTS.map((word, n) => ({
  n: String(9_007_199_254_740_993n + BigInt(n)),
  word,
  body: n % 5 === 0 ? null : JSON.stringify({ word, list: [word] }),
  data: n % 7 === 0 ? null : n % 7 === 1 ? [word, { word }] : { word, n },
  list: n % 3 === 0 ? [] : [`${word}x`.replaceAll('\u001f', ''), 'y"\\{},'],
  yes: n % 4 === 0 ? null : n % 4 === 1,
  at: n % 6 === 0 ? null : '2026-02-28',
}))

const answerOf = async (text: string, values: readonly unknown[]) => {
  const [[row] = []] = await pool.use(connection => connection.send([{ text, values }]))
  return JSON.parse(row?.['rows'] ?? 'null') as Record<string, unknown>[]
}

const { from, names, valuesOf } = rowArrays(columns)
const text = `
  select coalesce(json_agg(json_build_object(
    'n', n::text, 'word', word, 'body', body, 'data', data, 'list', list, 'yes', yes, 'at', at
  )), '[]')::text as rows from ${from} as r (${names})`

test('rows arrive as they were given, together and one by one', async t => {
  t.deepEqual(await answerOf(text, valuesOf(given)), given)
  for (const row of given) t.deepEqual(await answerOf(text, valuesOf([row])), [row])
})

test('a JSON text that would shift those of other rows is refused', t => {
  t.throws(() => valuesOf([{ body: '"a"' }, { body: '"\u001e"' }]), { instanceOf: RangeError })
})

test('a list with an item that its text cannot hold is refused', t => {
  for (const item of ['', 'a\u001fb']) t.throws(() => valuesOf([{ list: ['x', item] }]), { instanceOf: RangeError })
})

test('no rows are no rows', async t => {
  t.deepEqual(await answerOf(text, valuesOf([])), [])
})

test('what a row leaves out is null', async t => {
  const [row] = await answerOf(text, valuesOf([{ n: 1 }, { n: 2 }]))
  t.deepEqual(row, { n: '1', word: null, body: null, data: null, list: null, yes: null, at: null })
})

test('rows of several kinds stand in one statement, one of them twice, and in their order', async t => {
  const [ones, others] = inOneStatement({ a: 'text', b: 'bigint' }, { c: 'numeric' })
  const rows = await answerOf(
    `select json_agg(json_build_object('a', a, 'b', b, 'at', at, 'c', c, 'sum', sum) order by at)::text as rows
     from ${ones.from} with ordinality as one (${ones.names}, at)
     join (select row_number() over () as nth, c from ${others.from} as other (${others.names})) o on nth = at
     cross join (select sum(c)::text from ${others.from} as other (${others.names})) s`,
    [
      ...ones.valuesOf([
        { a: 'x', b: 1 },
        { a: 'y', b: 2 },
      ]),
      ...others.valuesOf([{ c: '0.1' }, { c: '0.2' }]),
    ],
  )
  t.deepEqual(rows, [
    { a: 'x', b: 1, at: 1, c: 0.1, sum: '0.3' },
    { a: 'y', b: 2, at: 2, c: 0.2, sum: '0.3' },
  ])
})
