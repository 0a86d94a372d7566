/**
 * Makes requests that no caller should send: declared examples with one to three faults, random JSON, broken bytes, odd paths and queries.
 */
import fc from 'fast-check'
import type { Endpoint } from '../../lib/kit/api/endpoint.ts'

export type Garbage = {
  readonly endpoint: Endpoint
  readonly path: string
  readonly body: string | Uint8Array | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Values that are often handled wrong: wrong types, limits of numbers and dates, odd text. */
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    '\u0000',
    '\ud800',
    'x'.repeat(10_001),
    '0',
    '-1',
    '1e3',
    '9223372036854775807',
    '9223372036854775808',
    0,
    -0,
    -1,
    1e-7,
    0.1 + 0.2,
    1e9,
    999_999_999.999999,
    1e21,
    1e308,
    Number.MAX_SAFE_INTEGER,
    [],
    [[]],
    {},
    '2026-02-30',
    '0000-01-01',
    '9999-12-31',
    '+275760-09-13',
    '2026-11-21T25:00:00Z',
    '2026-11-21T05:00:00+14:00',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 3 }),
)

const id = fc.oneof(
  fc.constantFrom(
    '1',
    '1001',
    '0',
    '-1',
    '9223372036854775807',
    '9223372036854775808',
    'abc',
    '1.5',
    '%00',
    '%ff',
    '..',
    '1%2F2',
    '１',
  ),
  fc.nat({ max: 5_000 }).map(String),
)

/** Every place in a JSON value, as a path of keys. An earlier fault may have removed an array's prototype. */
function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...at, key]))]
}

/** A copy of the value with `replace` at the place. undefined removes the entry. */
function replaced(value: unknown, [key, ...rest]: readonly string[], replace: unknown): unknown {
  if (key === undefined) return replace
  if (typeof value !== 'object' || value === null) return value
  const copy = (
    Array.isArray(value) ? Array.from({ length: value.length }, (_, n) => value[n]) : { ...value }
  ) as Record<string, unknown>
  const member = replaced(copy[key], rest, replace)
  if (member === undefined && !Array.isArray(copy)) delete copy[key]
  else copy[key] = member
  return copy
}

/** The example with one to three faults. */
const broken = (example: unknown): fc.Arbitrary<unknown> =>
  fc
    .array(
      fc.record({
        at: fc.nat(),
        value: fc.option(oddValue, { nil: undefined, freq: 4 }),
        name: fc.option(fc.constantFrom('constructor', '__proto__', 'toString', 'unknown', ''), { nil: null, freq: 8 }),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map(faults =>
      faults.reduce<unknown>((body, fault) => {
        const places = placesIn(body)
        const place = places[fault.at % places.length] ?? []
        return replaced(body, fault.name === null ? place : [fault.name], fault.value)
      }, example),
    )

const bodyText = (endpoint: Endpoint): fc.Arbitrary<string | Uint8Array | undefined> => {
  if (endpoint.kind !== 'bulk' && (endpoint.kind !== 'command' || !endpoint.body)) return fc.constant(undefined)
  const example = endpoint.example ?? {}
  const text = (value: unknown) => JSON.stringify(value) ?? ''
  return fc.oneof(
    { weight: 10, arbitrary: broken(example).map(text) },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }).map(text) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    // A body that ends too early, or has a part repeated or replaced.
    {
      weight: 2,
      arbitrary: fc.tuple(fc.nat(), fc.string({ maxLength: 5 })).map(([at, junk]) => {
        const whole = text(example)
        const cut = at % (whole.length + 1)
        return whole.slice(0, cut) + junk + whole.slice(cut + (at % 3))
      }),
    },
  )
}

const query = fc.array(
  fc.tuple(
    fc.constantFrom(
      'limit',
      'cursor',
      'sku',
      'type',
      'status',
      'archived',
      'updated_after',
      'created_after',
      'created_before',
      'external_ref',
      'item_variant_id',
      'storage_place_id',
      'batch_id',
      'source_type',
      'source_id',
      'item_id',
      'supplier_id',
      'customer_id',
      'after_sequence',
      'constructor',
      '',
    ),
    fc.oneof(
      fc.constantFrom(
        '',
        '1',
        '0',
        '200',
        '201',
        '-1',
        'abc',
        '%',
        '%00',
        '%ff',
        '2026-11-21',
        '2026-13-01',
        'true',
        '9223372036854775808',
        'a'.repeat(3_000),
      ),
      fc.string({ maxLength: 12 }).map(encodeURIComponent),
    ),
  ),
  { maxLength: 3 },
)

export const garbage = (endpoints: readonly Endpoint[]): fc.Arbitrary<Garbage> =>
  fc.constantFrom(...endpoints).chain(endpoint =>
    fc.record({
      endpoint: fc.constant(endpoint),
      path: fc
        .tuple(
          fc.array(id, { minLength: 3, maxLength: 3 }),
          endpoint.kind === 'command' || endpoint.kind === 'bulk'
            ? fc.constant([])
            : fc.option(query, { nil: [], freq: 3 }),
        )
        .map(([ids, pairs]) => {
          let next = 0
          const path = endpoint.path.replaceAll(/\{\w+\}/g, () => ids[next++] ?? '1')
          return pairs.length === 0 ? path : `${path}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`
        }),
      body: bodyText(endpoint),
      headers: fc.constantFrom<Readonly<Record<string, string>>>(
        {},
        {},
        {},
        {},
        { 'content-type': 'application/json; charset=utf-8' },
        { 'content-type': 'text/plain' },
        { 'content-encoding': 'gzip' },
        { 'last-event-id': '-1' },
        { 'last-event-id': '0' },
      ),
    }),
  )
