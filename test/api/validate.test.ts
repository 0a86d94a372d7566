/** The error for a body or a query that is wrong in several places. */
import fc from 'fast-check'
import * as v from 'valibot'
import type { Schema } from '../../lib/kit/api/endpoint.ts'
import { isRefusal } from '../../lib/kit/api/errors.ts'
import {
  countryCode,
  currency,
  flag,
  id,
  list,
  nullable,
  offsetTimestamp,
  optional,
  quantity,
  shape,
  text,
  textMap,
  timestamp,
} from '../../lib/kit/api/fields.ts'
import { readQuery } from '../../lib/kit/api/query.ts'
import { validate } from '../../lib/kit/api/validate.ts'
import { parseJson } from '../../lib/platform/json.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const Line = shape({ item_variant_id: id(), quantity: quantity({ moreThan: '0' }), price: optional(quantity()) })
const Order = v.pipe(
  shape({
    title: text(),
    sealed: optional(flag()),
    place: nullable(shape({ city: text(), zip: nullable(text()) })),
    attributes: optional(textMap()),
    items: list(Line, { min: 1, max: 3 }),
  }),
  v.check(order => order.title !== order.place?.city, 'must not be named after its city'),
)

function told(schema: Schema, raw: unknown, place = 'body'): string {
  const result = validate(schema, raw, place)
  return isRefusal(result) ? `${result.refusal} ${result.message}` : 'fine'
}
const toldOf = (text: string, schema: Schema = Order) => told(schema, parseJson(text)).replace('validation_failed ', '')

test('each fault is named once, in the order of the body, and what is missing after what is there', t => {
  t.is(
    toldOf(
      '{"items":[{"item_variant_id":1,"quantity":0},{"item_variant_id":1,"quantity":1},{"quantity":1,"price":"a"}]}',
    ),
    'items[0].quantity: must be greater than 0; items[2].price: must be a number; items[2].item_variant_id: is required; title: is required',
  )
  t.is(
    toldOf('{"sealed":"yes","place":{"zip":1},"title":null,"items":[]}'),
    'sealed: must be true or false; place.zip: must be a string; place.city: is required; title: must not be null; items: must have at least 1 entry',
  )
})

test('a number is read alike however it is spelled', t => {
  const read = (spelled: string) => validate(Line, parseJson(`{"item_variant_id":"1","quantity":${spelled}}`), 'body')
  t.like(read('0.5'), { quantity: '0.5' })
  t.like(read('1000000'), { quantity: '1000000' })
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }), fc.nat({ max: 8 }), (value, places) => {
      const digits = String(value < 0n ? -value : value).padStart(places + 1, '0')
      const [whole, fraction] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
      const plain = `${value < 0n ? '-' : ''}${whole}${places === 0 ? '' : `.${fraction}`}`
      t.deepEqual(read(plain), read(`${value}e-${places}`))
      t.deepEqual(read(plain), read(`${plain}${places === 0 ? '.' : ''}00`))
    }),
  )
})

test('unknown fields are faults too, each by its name', t => {
  t.is(
    toldOf('{"__proto__":1,"title":"a","items":[{"item_variant_id":1,"quantity":1,"color":1}],"constructor":{}}'),
    '__proto__: is not a known field; items[0].color: is not a known field; constructor: is not a known field',
  )
})

test('a value of another kind is one fault, and nothing in it is', t => {
  const items = '"items":[{"item_variant_id":1,"quantity":1}]'
  for (const other of ['[]', '[1]', '1', '"a"', 'true'])
    t.is(toldOf(`{"title":"a",${items},"place":${other}}`), 'place: must be an object', other)
  for (const other of ['{}', '1', '"a"', 'true'])
    t.is(toldOf(`{"title":"a","items":${other}}`), 'items: must be an array', other)
  t.is(
    toldOf('{"title":"a","items":[1,[],null]}'),
    'items[0]: must be an object; items[1]: must be an object; items[2]: must not be null',
  )
  t.is(toldOf('[]'), 'body: must be an object')
})

test('a rule between fields is told when each by itself is right', t => {
  const body = (items: string) => `{"title":"Bonn","place":{"city":"Bonn"},"items":[${items}]}`
  t.is(toldOf(body('{"item_variant_id":1,"quantity":1}')), 'body: must not be named after its city')
  t.is(toldOf(body('{"item_variant_id":1,"quantity":"1"}')), 'items[0].quantity: must be a number')
})

test('ten faults are named and no more, and a name as long as the body is cut', t => {
  const many = Array.from({ length: 50 }, (_, n) => `"f${n}":1`).join()
  const message = toldOf(`{${many}}`)
  t.deepEqual(
    message.split('; '),
    Array.from({ length: 10 }, (_, n) => `f${n}: is not a known field`),
  )
  t.is(toldOf(`{"${'a'.repeat(100_000)}":1,"title":"b"}`).split('; ')[0], `${'a'.repeat(200)}...: is not a known field`)
})

test('a query with several faults names each, in its order', t => {
  const filters = shape({ sealed: optional(flag()), status: optional(text()) })
  t.is(
    told(filters, { color: '1', sealed: 'x' }, 'query'),
    'validation_failed color: is not a known parameter; sealed: must be true or false',
  )
  const query = readQuery('a=1&b=&a=2&%ff=1&c=%00')
  t.is(
    isRefusal(query) ? query.message : '',
    'b: must not be empty; a: is given more than once; query: is not valid percent-encoded UTF-8; c: must not contain the character U+0000',
  )
})

test('a fault says what would be right where that is near', t => {
  const Codes = shape({ currency: optional(currency()), country: optional(countryCode()) })
  t.is(
    toldOf('{"currency":"eur","country":"de"}', Codes),
    'currency: must be an ISO 4217 currency code in upper case: EUR; country: must be an ISO 3166-1 alpha-2 country code in upper case: DE',
  )
  t.is(toldOf('{"currency":"euro"}', Codes), 'currency: must be an ISO 4217 currency code')
  const Times = shape({ since: optional(timestamp()), from: optional(offsetTimestamp()) })
  const query = (given: string) => told(Times, readQuery(given), 'query').replace('validation_failed ', '')
  const plus = ': in a query a + stands for a space, so send it as %2B, or use Z'
  t.is(query('since=2026-11-21T05:00:00+01:00'), `since: must be an ISO-8601 date or timestamp${plus}`)
  t.is(
    query('from=2026-11-21T05:00:00.5+01:00'),
    `from: must be an RFC 3339 timestamp with an offset, like 2026-11-21T05:00:00Z${plus}`,
  )
  t.is(query('since=2026-11-21 05:00'), 'since: must be an ISO-8601 date or timestamp')
  t.is(query('since=2026-11-21T05:00:00%2B01:00&from=2026-11-21T05:00:00Z'), 'fine')
})
