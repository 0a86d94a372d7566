/**
 * Barcodes of variants: `barcode` is the first of `barcodes`, a GTIN equals itself with zeros before it, and a filter finds each of them.
 */
import fc from 'fast-check'
import * as v from 'valibot'
import { barcodeKey } from '../../lib/domain/catalogue/barcode-rules.ts'
import { changeProduct as change, createProduct as create } from '../../lib/domain/catalogue/commands.ts'
import { getProduct as get, listProducts } from '../../lib/domain/catalogue/endpoints.ts'
import { hasCheckDigit } from '../../lib/domain/catalogue/gtin.ts'
import { rows, sql, statement } from '../../lib/platform/postgres/postgres.ts'
import { benchOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const EAN = '4006381333931'
const GTIN = `0${EAN}`

type Coded = { readonly barcode: string | null; readonly barcodes: readonly string[] }
const codesOf = ({ variants: [{ barcode, barcodes }] }: { variants: [Coded] }) => [barcode, barcodes]

test('barcode is the first of barcodes, and naming it replaces the first', async t => {
  const tenant = await bench.tenant()
  const made = await tenant.done(create, { title: 'Mug', barcodes: [' B-1 ', 'B-2', 'B-3'] })
  const at = { id: made.id }
  t.deepEqual(codesOf(made), ['B-1', ['B-1', 'B-2', 'B-3']])
  t.deepEqual(await tenant.read(get, at), made)
  const after = async (body: object) => codesOf(await tenant.done(change, body, at))
  t.deepEqual(await after({ barcode: 'B-0' }), ['B-0', ['B-0', 'B-2', 'B-3']])
  t.deepEqual(await after({ barcode: null }), ['B-2', ['B-2', 'B-3']])
  t.deepEqual(await after({ variants: [{ id: made.variants[0].id, barcodes: ['B-3', 'B-2'] }] }), [
    'B-3',
    ['B-3', 'B-2'],
  ])
  t.is(
    await tenant.refusal(change, { barcode: 'B-2' }, at),
    'validation_failed barcode: is one of the other barcodes of the variant',
  )
  for (const same of [{ barcode: 'B-3' }, { barcodes: ['B-3', 'B-2'] }])
    t.deepEqual((await tenant.run(change, same, at)).events, [])
  t.deepEqual(await after({ barcodes: [] }), [null, []])
  t.deepEqual(await after({ barcode: null }), [null, []])
  t.deepEqual(await after({ barcode: 'B-9' }), ['B-9', ['B-9']])
  const single = await tenant.done(create, { title: 'Cup', barcode: 'B-1' })
  t.deepEqual(codesOf(single), ['B-1', ['B-1']])
})

test('both names at once, a barcode twice, and more than 20 are refused', async t => {
  const tenant = await bench.tenant()
  const refusal = (body: object) => tenant.refusal(create, { title: 'Mug', ...body })
  const both = { barcode: null, barcodes: [] }
  t.is(await refusal(both), 'validation_failed barcode: must not stand beside barcodes')
  t.is(await refusal({ variants: [{}, both] }), 'validation_failed variants[1].barcode: must not stand beside barcodes')
  t.is(await refusal({ barcodes: ['a', 'a '] }), 'validation_failed barcodes: names "a" twice')
  t.is(await refusal({ barcodes: [EAN, GTIN] }), `validation_failed barcodes: names "${GTIN}" twice`)
  // The check digit is wrong, so these are no GTINs but two different texts.
  t.is(await refusal({ barcodes: ['4006381333932', '04006381333932'] }), 'done')
  const many = Array.from({ length: 21 }, (_, n) => `b${n}`)
  t.is(await refusal({ barcodes: many }), 'validation_failed barcodes: must have at most 20 entries')
  t.is(await refusal({ barcodes: many.slice(1) }), 'done')
  t.is(await refusal({ barcodes: null }), 'validation_failed barcodes: must not be null')
  const made = await tenant.done(create, { title: 'Cup', variants: [{}, {}] })
  t.is(
    await tenant.refusal(change, { variants: [{ title: 'x', ...both }] }, { id: made.id }),
    'validation_failed variants[0].barcode: must not stand beside barcodes',
  )
})

test('the filter barcode looks in all barcodes, GTINs with any zeros before them; q takes them as they are', async t => {
  const tenant = await bench.tenant()
  await tenant.done(create, { title: 'EAN', barcodes: ['X-1', EAN] })
  await tenant.done(create, { title: 'GTIN', barcode: GTIN })
  await tenant.done(create, { title: 'Short', barcode: '40170725' })
  await tenant.done(create, { title: 'No GTIN', barcode: '007' })
  const found = async (filters: Record<string, string>) =>
    (await tenant.page(listProducts, { filters })).map(({ title }: { title: string }) => title)
  for (const barcode of [EAN, GTIN]) t.deepEqual(await found({ barcode }), ['EAN', 'GTIN'])
  for (const barcode of ['40170725', '0000040170725', '00000040170725'])
    t.deepEqual(await found({ barcode }), ['Short'])
  t.deepEqual(await found({ barcode: '7' }), [])
  t.deepEqual(await found({ barcode: '007' }), ['No GTIN'])
  t.deepEqual(await found({ barcode: 'X-1' }), ['EAN'])
  t.deepEqual(await found({ q: GTIN }), ['GTIN'])
  t.deepEqual(await found({ q: EAN }), ['EAN', 'GTIN'])
  t.deepEqual(await found({ q: 'x-1 ean' }), ['EAN'])
})

test('barcodes are found by after changes and archiving', async t => {
  const tenant = await bench.tenant()
  const made = await tenant.done(create, { title: 'Mug', barcodes: ['a', 'b'] })
  const at = { id: made.id }
  const found = async (barcode: string) => (await tenant.page(listProducts, { filters: { barcode } })).length
  await tenant.done(change, { barcodes: ['b', 'c'] }, at)
  t.deepEqual(await Promise.all(['a', 'b', 'c'].map(found)), [0, 1, 1])
  await tenant.done(change, { archived: true }, at)
  t.deepEqual(await Promise.all(['a', 'b', 'c'].map(found)), [0, 1, 1])
})

test('texts that name things are kept and compared in one spelling of Unicode', async t => {
  const tenant = await bench.tenant()
  const [composed, decomposed] = ['\u00c4RMEL', 'A\u0308RMEL']
  const made = await tenant.done(create, {
    title: decomposed,
    external_ref: decomposed,
    variants: [{ sku: decomposed, barcodes: [decomposed], external_ref: decomposed }],
  })
  t.like(made, { title: decomposed, external_ref: composed })
  t.like(made.variants[0], { sku: composed, barcode: composed, barcodes: [composed], external_ref: composed })
  for (const name of ['sku', 'barcode', 'external_ref', 'variant_external_ref', 'q'])
    for (const text of [composed, decomposed])
      t.is((await tenant.page(listProducts, { filters: { [name]: text } })).length, 1, `${name} ${text}`)
  t.regex(await tenant.refusal(create, { title: 'x', external_ref: composed }), /is taken by/)
  t.regex(await tenant.refusal(create, { title: 'x', sku: composed }), /is taken by/)
  t.is(
    await tenant.refusal(create, { title: 'x', barcodes: [composed, decomposed] }),
    `validation_failed barcodes: names "${composed}" twice`,
  )
})

test('the database and the rules know GTINs alike', async t => {
  const digits = fc.stringMatching(/^\d{7,13}$/)
  const withCheckDigit = (text: string) => text + [...'0123456789'].find(digit => hasCheckDigit(`${text}${digit}`))
  const codes = fc
    .sample(
      fc.oneof(
        digits.map(withCheckDigit),
        fc.stringMatching(/^\d{6,15}$/),
        fc.string({ unit: 'grapheme', minLength: 1 }),
      ),
      500,
    )
    .filter(code => !code.includes('\u0000'))
  codes.push(
    '00000000',
    '40170725',
    '4006381333931',
    '036000291452',
    '10012345678902',
    '\u0664\u0660\u0661\u0667\u0660\u0667\u0662\u0665',
  )
  const found = await bench.pool.any(rows(v.object({ key: v.string() }))`
    select barcode_key(code) as key from unnest(${sql.array(codes, 'text')}) with ordinality c (code, n) order by n`)
  t.deepEqual(column(found, 'key'), codes.map(barcodeKey))
  t.true(new Set(codes.map(barcodeKey)).size < codes.length || codes.some(code => barcodeKey(code) !== code))
})

test('reconciling tells a barcode by which nothing is found, and one that finds another variant', async t => {
  const tenant = await bench.tenant()
  const made = await tenant.done(create, { title: 'Mug', barcodes: [EAN, 'B-2'] })
  const [{ id }] = made.variants
  t.deepEqual(await bench.faults(tenant.id), [])
  await bench.pool.query(statement`
    update variant_barcodes set code = 'B-3' where tenant_id = ${tenant.id}::bigint and code = 'B-2'`)
  const of = `of the variant ${id} of the product ${made.id}`
  const check = 'what barcodes are found by = barcodes of variants'
  t.deepEqual(
    (await bench.faults(tenant.id))
      .map(({ tenant_id: _, ...fault }) => fault)
      .toSorted((a, b) => (a.subject < b.subject ? -1 : 1)),
    [
      { check, subject: `barcode B-2 ${of}`, expected: 'unarchived', found: 'none' },
      { check, subject: `barcode B-3 ${of}`, expected: 'none', found: 'unarchived' },
    ],
  )
})
