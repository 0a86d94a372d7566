/**
 * The JSON reader: it reads what JSON.parse reads, with every digit. It refuses duplicate keys, endless numbers and endless nesting, which
 * JSON.parse accepts, and names the place.
 */
import fc from 'fast-check'
import { jsonSchemaOf, plainJson, type SchemaObject } from '../../lib/kit/api/json-schema.ts'
import { endpoints } from '../../lib/nouns.ts'
import {
  canonicalJson,
  canonicalNumber,
  fitsInBytes,
  JsonNumber,
  JsonSyntaxError,
  NESTING_MAX,
  NUMBER_LENGTH_MAX,
  parseJson,
  parseLongJson,
} from '../../lib/platform/json.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const numberText = fc.stringMatching(/^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/)

function faultOf(text: string): string {
  try {
    parseJson(text)
    return 'none'
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return `${error.field}: ${error.message}`
  }
}

test('any JSON is read as JSON.parse reads it, whatever the white space', t => {
  const value = fc.jsonValue({ maxDepth: NESTING_MAX - 1 })
  const space = fc.constantFrom('', ' ', '\t', '\n  ', '\r\n')
  fc.assert(
    fc.property(value, fc.constantFrom(0, 1, '\t'), space, (given, indent, around) => {
      const text = around + JSON.stringify(given, null, indent) + around
      t.deepEqual(plainJson(parseJson(text)), JSON.parse(text))
    }),
    { numRuns: 500 },
  )
})

test('what JSON.parse refuses is refused, wherever a text is cut, garbled or repeated', t => {
  const garbled = fc.tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.string({ maxLength: 3 }), fc.nat({ max: 2 }))
  fc.assert(
    fc.property(garbled, ([text, at, junk, lost]) => {
      const cut = at % (text.length + 1)
      const broken = text.slice(0, cut) + junk + text.slice(cut + lost)
      let isJson = true
      try {
        JSON.parse(broken)
      } catch {
        isJson = false
      }
      const fault = faultOf(broken)
      // JSON with a key that appears twice is refused. What is broken after it is not read any more.
      const isRight = isJson ? fault === 'none' || fault.endsWith('the key appears twice') : fault !== 'none'
      t.true(isRight, JSON.stringify([broken, fault]))
    }),
    { numRuns: 5_000 },
  )
})

test('a long text is read in slices to the same value, and other work goes on between them', async t => {
  const value = {
    lists: Array.from({ length: 2_000 }, (_, n) => [{ n, text: 'x'.repeat(n % 300) }, [], {}, [n, null]]),
    // The text is longer than a slice of the reader.
    long: ['"\\\u00e9\n'.repeat(50_000), 'y'.repeat(200_000)],
    ['k\t'.repeat(60_000)]: ' '.repeat(100_000),
  }
  const text = JSON.stringify(value, null, 1).replace('[', `[${' '.repeat(100_000)}`)
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  t.deepEqual(plainJson(await parseLongJson(text)), value)
  isOver = true
  // Blanks are not divided into slices.
  t.true(turns >= text.length / (128 * 1024), `${turns} turns of ${text.length} characters`)
  const refused = await t.throwsAsync(parseLongJson(text.slice(0, -2)), { instanceOf: JsonSyntaxError })
  t.is(`body: ${refused?.message}`, faultOf(text.slice(0, -2)))
})

test('of an object or list, no more is kept than is asked for, and what is behind it is read all the same', t => {
  const limits = { membersKept: 2, entriesKept: 3 }
  const text = '{"a":[1,2,3,{"x":1},5],"b":{"c":{},"d":[],"e":0},"f":[[],[]],"g":1}'
  t.deepEqual(plainJson(parseJson(text, limits)), { a: [1, 2, 3], b: { c: {}, d: [] } })
  t.throws(() => parseJson(text.replace('"g":1', '"g":01'), limits), { message: 'a malformed number at position 65' })
})

test('whether a value fits in so many bytes is what JSON.stringify says of its length', t => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: NESTING_MAX - 1 }), given => {
      const text = JSON.stringify(given)
      const bytes = Buffer.byteLength(text)
      const value = parseJson(text)
      t.true(fitsInBytes(value, bytes), text)
      t.false(fitsInBytes(value, bytes - 1), text)
    }),
    { numRuns: 500 },
  )
})

test('a number keeps every digit as it was written', t => {
  fc.assert(
    fc.property(numberText, text => {
      const [number] = parseJson(`[${text}]`) as [JsonNumber]
      t.is(number.text, text)
    }),
  )
})

test('strings are read with their escapes; control characters and broken escapes are refused', t => {
  t.is(parseJson('"\\u00e9\\n\\"\\\\\\/\\ud83d\\ude00"'), 'é\n"\\/\u{1f600}')
  for (const broken of ['"', '"\\', '"\\"', '"\\x"', '"\\u12g4"', '"a\nb"', '"\u0000"', '"\u001f"'])
    t.is(faultOf(broken), 'body: an unfinished or malformed string at position 0', JSON.stringify(broken))
})

test('a number of 100 characters is read, and one of 101 is refused by the name of its field', t => {
  const digits = '1'.repeat(NUMBER_LENGTH_MAX)
  t.is((parseJson(digits) as JsonNumber).text, digits)
  const refused = 'a number must have at most 100 characters'
  t.is(faultOf(`{"items":[{},{"quantity":${digits}1}]}`), `items[1].quantity: ${refused}`)
  t.is(faultOf(`{"price":0.${digits}}`), `price: ${refused}`)
  t.is(faultOf(`{"price":-1e${digits}}`), `price: ${refused}`)
  t.is(faultOf(`${digits}1`), `body: ${refused}`)
  t.throws(() => new JsonNumber(`${digits}1`), { instanceOf: RangeError })
  t.throws(() => canonicalNumber(`${digits}1`), { instanceOf: RangeError })
})

test('a duplicate key is refused by its path, however it is spelled', t => {
  t.is(faultOf('{"a":[{"b":1,"\\u0062":2}]}'), 'a[0].b: the key appears twice')
  t.is(faultOf('{"__proto__":1,"__proto__":2}'), '__proto__: the key appears twice')
  t.deepEqual(Object.keys(parseJson('{"__proto__":1,"constructor":2,"toString":3}') as object), [
    '__proto__',
    'constructor',
    'toString',
  ])
})

test('nesting is read as deep as any body needs, and no deeper than pages of answers', t => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  t.is(faultOf(nested(NESTING_MAX)), 'none')
  t.is(faultOf(nested(NESTING_MAX + 1)), `body: nested deeper than ${NESTING_MAX} levels at position ${NESTING_MAX}`)
  t.regex(faultOf('{"a":'.repeat(50_000)), /^body: nested deeper/)
  const depth = (schema: SchemaObject): number => {
    const { properties = {}, items, additionalProperties: entries, anyOf = [] } = schema
    const inner = [
      ...Object.values(properties),
      ...(items ? [items] : []),
      ...(typeof entries === 'object' ? [entries] : []),
    ]
    const own = inner.length > 0 || [schema.type].flat().includes('object') ? 1 : 0
    return Math.max(0, ...anyOf.map(depth), own + Math.max(0, ...inner.map(depth)))
  }
  const bodies = endpoints.flatMap(endpoint =>
    endpoint.kind === 'command' && endpoint.body ? [depth(jsonSchemaOf(endpoint.body, 'request'))] : [],
  )
  // A page holds records, which show what bodies give: two levels more.
  t.is(Math.max(...bodies) + 2, NESTING_MAX)
})

test('equal numbers have one canonical text, and others another; it never changes, since fingerprints are kept', t => {
  const samples = {
    '0': '0',
    '-0.00e5': '0',
    '1': '1e0',
    '100': '1e2',
    '2.50': '25e-1',
    '-0.004': '-4e-3',
    '12E+3': '12e3',
  }
  for (const [text, canonical] of Object.entries(samples)) t.is(canonicalNumber(text), canonical)
  t.is(canonicalNumber('1e99999999999999999999'), '1e99999999999999999999')
  t.is(canonicalNumber('10e9007199254740993'), '1e9007199254740994')
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
      fc.nat({ max: 12 }),
      fc.nat({ max: 5 }),
      (value, places, zeros) => {
        const digits = String(value < 0n ? -value : value).padStart(places + 1, '0')
        const [whole, fraction] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
        const spelled = `${value < 0n ? '-' : ''}${whole}.${fraction}${'0'.repeat(zeros)}${places + zeros === 0 ? '0' : ''}`
        t.is(canonicalNumber(spelled), canonicalNumber(`${value}e-${places}`))
        t.not(canonicalNumber(spelled), canonicalNumber(`${value + 1n}e-${places}`))
        t.is(canonicalNumber(`${value}`), canonicalNumber(`${value}.0`))
      },
    ),
  )
  t.is(canonicalJson(parseJson('{"b":[1.0,"1"],"a":null}')), '{"a":null,"b":[1e0,"1"]}')
})
