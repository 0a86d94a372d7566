/** GS1 element strings are read as the General Specifications say. Figures are computed by hand. */
import fc from 'fast-check'
import { gtinOf, hasCheckDigit } from '../../lib/domain/catalogue/gtin.ts'
import { identifierAt, identifierOf } from '../../lib/domain/stock/scan/application-identifiers.ts'
import { readCode } from '../../lib/domain/stock/scan/element-string-rules.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const FNC1 = '\u001d'
const GTIN = '09521234543213'
const read = (code: string, year = 2026) => readCode(code, year)
const nothing = {
  ...{ gtin: null, batchNumber: null, manufactureDate: null, expiryDate: null, serialNumber: null },
  ...{ quantity: null, sscc: null },
}
const marked = (elements: object) => ({ is: 'marked', elements: { ...nothing, ...elements } })
const bare = (elements: object) => ({ is: 'bare', elements: { ...nothing, ...elements } })

test('fields of fixed and of variable length follow each other, however the string is marked', t => {
  const said = { gtin: GTIN, expiryDate: '2026-11-30', batchNumber: 'ABC123', serialNumber: '12345' }
  const string = `01${GTIN}1726113010ABC123${FNC1}2112345`
  for (const symbology of [']C1', ']d2', ']Q3', ']e0', ']J1', ''])
    for (const first of ['', FNC1]) t.deepEqual(read(`${symbology}${first}${string}`), marked(said), symbology)
  t.deepEqual(read(`(01)${GTIN}(17)261130(10)ABC123(21)12345`), marked(said))
  t.deepEqual(read(`]d2(01)${GTIN}(17)261130(10)ABC123(21)12345`), marked(said))
  // The order of fields does not matter, and a separator may follow the last field and a field of fixed length.
  t.deepEqual(read(`]C110ABC123${FNC1}17261130${FNC1}2112345${FNC1}01${GTIN}${FNC1}`), marked(said))
})

test('without a mark it is one where it begins with 00, 01 or 02 and parses whole', t => {
  t.deepEqual(read(`01${GTIN}`), bare({ gtin: GTIN }))
  t.deepEqual(read(`01${GTIN}10LOT-7`), bare({ gtin: GTIN, batchNumber: 'LOT-7' }))
  t.deepEqual(read(`02${GTIN}3712`), bare({ gtin: GTIN, quantity: '12' }))
  t.deepEqual(read('00106141412345678908'), bare({ sscc: '106141412345678908' }))
  const plain = [
    ...[`01${GTIN.slice(0, -1)}4`, '00106141412345678900', `01${GTIN}1`, `01${GTIN}ABC`, `01${GTIN}17261330`],
    ...['10ABC', '4006381333931', '01', '0', 'OAK-TABLE', `${GTIN}`, '2112345'],
  ]
  for (const text of plain) t.deepEqual(read(text), { is: 'plain', text }, text)
})

test('symbology identifiers of plain codes are taken off', t => {
  for (const [code, text] of [
    [']E04006381333931', '4006381333931'],
    [']E440170725', '40170725'],
    [']I110012345678902', '10012345678902'],
  ] as const)
    t.deepEqual(read(code), { is: 'plain', text })
  // Other prefixes belong to the text.
  for (const text of [']A0ABC', ']c1ABC', 'x]C101']) t.deepEqual(read(text), { is: 'plain', text })
})

test('counts come before the net weight, which has its decimals in the identifier', t => {
  const quantityOf = (rest: string) => {
    const found = read(`]C101${GTIN}${rest}`)
    return found.is === 'marked' ? found.elements.quantity : found
  }
  t.is(quantityOf('3103001250'), '1.25')
  t.is(quantityOf('3100000012'), '12')
  t.is(quantityOf('3105123456'), '1.23456')
  t.is(quantityOf('3101000000'), '0')
  t.is(quantityOf('3012'), '12')
  t.is(quantityOf(`3000000012${FNC1}3103001250`), '12')
  t.is(quantityOf(`31030012503700000100`), '100')
  // 320n is the weight in pounds and 410 a place: neither is a quantity.
  t.is(quantityOf('32010012504109521234543213'), null)
})

test('day 00 is the last of the month, the century is the nearest, and expiry goes before best before', t => {
  const datesOf = (rest: string, year = 2026) => {
    const found = read(`]C1${rest}`, year)
    return found.is === 'marked' ? [found.elements.manufactureDate, found.elements.expiryDate] : found
  }
  t.deepEqual(datesOf('1126020017280200'), ['2026-02-28', '2028-02-29'])
  t.deepEqual(datesOf('1526060117270101'), [null, '2027-01-01'])
  t.deepEqual(datesOf('1727010115260601'), [null, '2027-01-01'])
  t.deepEqual(datesOf('15260601'), [null, '2026-06-01'])
  // 76 is 50 years ahead of 26. 77 is 51 ahead, so it means 49 ago. In 1998, 47 is 51 back, so it is in the future, and 48 is 50 back.
  t.deepEqual(datesOf('11760101'), ['2076-01-01', null])
  t.deepEqual(datesOf('11770101'), ['1977-01-01', null])
  t.deepEqual(datesOf('17470101', 1998), [null, '2047-01-01'])
  t.deepEqual(datesOf('17490101', 1998), [null, '1949-01-01'])
})

test('identifiers of a known length are passed over, in brackets all of them', t => {
  t.deepEqual(read(`]d2240PART-1${FNC1}8005001299${FNC1}390212345${FNC1}10L`), marked({ batchNumber: 'L' }))
  t.deepEqual(
    read(`]d2710ABC${FNC1}70032611301200${FNC1}4309${'1'.repeat(20)}${FNC1}10L`),
    marked({ batchNumber: 'L' }),
  )
  t.deepEqual(read('(9999)whatever it is(10)L'), marked({ batchNumber: 'L' }))
  t.deepEqual(read('(10)A(B)C'), marked({ batchNumber: 'A(B)C' }))
})

test('a broken string says where', t => {
  const faultOf = (code: string) => {
    const found = read(code)
    return found.is === 'broken' ? found.fault : found
  }
  t.is(faultOf(`]C101${GTIN.slice(0, -1)}4`), 'a wrong check digit in (01) at character 6')
  t.is(faultOf('(02)09521234543210(37)5'), 'a wrong check digit in (02) at character 5')
  t.is(faultOf(']C100106141412345678907'), 'a wrong check digit in (00) at character 6')
  t.is(faultOf(`]C101${GTIN}1726133010L`), 'no date in (17) at character 22')
  t.is(faultOf('(17)260230'), 'no date in (17) at character 5')
  t.is(faultOf(`01${GTIN}1726${FNC1}10L`), '2 characters, where 6 are expected, in (17) at character 19')
  t.is(faultOf(`]C110${'x'.repeat(21)}`), '21 characters, where 1 to 20 are expected, in (10) at character 6')
  t.is(faultOf(`]C110${FNC1}2112`), '0 characters, where 1 to 20 are expected, in (10) at character 6')
  t.is(faultOf(`]C10512345`), 'no identifier of a known length begins at character 4')
  t.is(faultOf(`]C110L${FNC1}9`), 'no identifier of a known length begins at character 8')
  t.is(faultOf(`]C110L${FNC1}10M`), '(10) stands there twice, again at character 10')
  t.is(faultOf(']C137abc'), 'no number in (37) at character 6')
  t.is(faultOf(']C13106001250'), 'no weight in (3106) at character 8')
  t.is(faultOf(']C1'), 'nothing follows')
  t.is(faultOf(FNC1), 'nothing follows')
  // The same field may occur twice with the same value.
  t.deepEqual(read(`]C110L${FNC1}10L`), marked({ batchNumber: 'L' }))
})

test('no identifier begins with another, and the table has the known kinds', t => {
  for (const [ai, min, max, isPredefined] of [
    ['00', 18, 18, true],
    ['01', 14, 14, true],
    ['10', 1, 20, false],
    ['20', 2, 2, true],
    ['3103', 6, 6, true],
    ['3369', 6, 6, true],
    ['3922', 1, 15, false],
    ['414', 13, 13, true],
    ['420', 1, 20, false],
    ['7030', 4, 30, false],
    ['8020', 1, 25, false],
    ['99', 1, 90, false],
  ] as const)
    t.deepEqual(identifierOf(ai), { ai, min, max, isPredefined })
  for (let number = 0; number < 10_000; number++) {
    const digits = String(number).padStart(4, '0')
    const known = [2, 3, 4].map(length => identifierOf(digits.slice(0, length))).filter(found => found !== undefined)
    t.true(known.length <= 1, digits)
    t.is(identifierAt(digits, 0), known[0])
  }
  for (const unknown of ['04', '05', '14', '18', '19', '23', '300', '38', '418', '9', 'AB'])
    t.is(identifierAt(unknown, 0)?.ai, unknown === '300' ? '30' : undefined, unknown)
})

test('check digits are those of the General Specifications', t => {
  for (const gtin of ['40170725', '036000291452', '4006381333931', '10012345678902', '106141412345678908', GTIN]) {
    t.true(hasCheckDigit(gtin), gtin)
    for (const other of '0123456789') if (other !== gtin.at(-1)) t.false(hasCheckDigit(`${gtin.slice(0, -1)}${other}`))
  }
  t.is(gtinOf('40170725'), '00000040170725')
  t.is(gtinOf('106141412345678908'), null)
})

test('any code is read, in either way of writing alike', t => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123()]Cd2 A\u001d'), maxLength: 40 }), code => {
      const found = read(code)
      return found.is === 'plain' || found.is === 'broken' ? true : found.elements !== undefined
    }),
  )
  const value = fc.stringMatching(/^[A-Z0-9-]{1,20}$/)
  fc.assert(
    fc.property(value, value, fc.boolean(), (batch, serial, isLast) => {
      const fields = isLast ? `21${serial}${FNC1}10${batch}` : `10${batch}${FNC1}21${serial}`
      const [one, other] = [read(`]d201${GTIN}${fields}`), read(`(21)${serial}(01)${GTIN}(10)${batch}`)]
      t.deepEqual(one, other)
    }),
  )
})
