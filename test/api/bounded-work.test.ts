/** The work for a body that is refused: it is bounded by the declaration, whatever the caller sends. */
import { SalesOrder } from '../../lib/domain/sales/orders/noun.ts'
import { ENTRIES_MAX, MEMBERS_MAX } from '../../lib/kit/api/body-limit.ts'
import { bodyOf, type Schema } from '../../lib/kit/api/endpoint.ts'
import { isRefusal } from '../../lib/kit/api/errors.ts'
import { jsonSchemaOf, type SchemaObject } from '../../lib/kit/api/json-schema.ts'
import { validate } from '../../lib/kit/api/validate.ts'
import { createBody } from '../../lib/kit/fields/bodies.ts'
import { endpoints } from '../../lib/nouns.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const NewOrder = createBody(SalesOrder)

function told(schema: Schema, raw: unknown): string {
  const result = validate(schema, raw, 'body')
  return isRefusal(result) ? result.message : 'fine'
}

/** An array of this many entries that counts how often an entry is read. */
function counted(length: number): { readonly entries: unknown[]; readonly reads: () => number } {
  let reads = 0
  const entries = new Proxy(new Array(length).fill(null), {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++
      return Reflect.get(target, key, receiver)
    },
  })
  return { entries, reads: () => reads }
}

/** Every list in a body's schema, as the path to it and its bound. Lists in objects of lists are included. */
function listsOf(
  schema: SchemaObject,
  path: readonly string[] = [],
): { path: readonly string[]; maxItems: number | undefined }[] {
  if (schema.items) return [{ path, maxItems: schema.maxItems }, ...listsOf(schema.items, [...path, '0'])]
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => listsOf(member, [...path, key]))
}

const around = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => (key === '0' ? [inner] : { [key]: inner }), value)

for (const endpoint of endpoints) {
  const body = bodyOf(endpoint)?.schema
  if (!body) continue
  for (const { path, maxItems = 0 } of listsOf(jsonSchemaOf(body, 'request'))) {
    test(`${endpoint.method} ${endpoint.path} looks at the length of ${path.join('.')} before any entry`, t => {
      t.true(maxItems > 0, 'it has a bound')
      const { entries, reads } = counted(maxItems + 1)
      const message = told(body, around(path, entries))
      t.true(message.includes(`must have at most ${maxItems} entries`), message)
      t.is(reads(), 0)
    })
  }
}

test('every map of a body has a bound', t => {
  const unbounded = (schema: SchemaObject, path: string): string[] => [
    ...(typeof schema.additionalProperties === 'object' && schema.maxProperties === undefined ? [path] : []),
    ...(schema.items ? unbounded(schema.items, `${path}[]`) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, member]) => unbounded(member, `${path}.${key}`)),
  ]
  for (const endpoint of endpoints)
    if (endpoint.kind === 'command' && endpoint.body)
      t.deepEqual(unbounded(jsonSchemaOf(endpoint.body, 'request'), endpoint.id), [])
})

test('no object of a body has more members, and no list more entries, than are kept while it is read', t => {
  const schemas = endpoints.flatMap(endpoint => {
    const schema = bodyOf(endpoint)?.schema
    return schema ? [jsonSchemaOf(schema, 'request')] : []
  })
  const members = (schema: SchemaObject): number =>
    Math.max(
      schema.maxProperties ?? 0,
      Object.keys(schema.properties ?? {}).length,
      ...Object.values(schema.properties ?? {}).map(members),
      schema.items ? members(schema.items) : 0,
    )
  t.is(Math.max(...schemas.map(members)), MEMBERS_MAX)
  t.is(Math.max(...schemas.flatMap(schema => listsOf(schema).map(({ maxItems = 0 }) => maxItems))), ENTRIES_MAX)
})

test('of a list with a fault in every entry, no more entries are gone through than name ten', t => {
  const { entries, reads } = counted(500)
  t.is(told(NewOrder, { items: entries }).split('; ').length, 10)
  // The checks of the body, of its faults and of the list each read the first entry. Then the entries are read one after another until
  // there are ten faults.
  t.true(reads() <= 3 + 10, String(reads()))
})

test('of an object of unknown members, none is looked at beyond its name', t => {
  let reads = 0
  const members = new Proxy(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n])), {
    get: (target, key, receiver) => {
      reads++
      return Reflect.get(target, key, receiver)
    },
  })
  t.is(told(NewOrder, members).split('; ').length, 10)
  t.true(reads < 50, String(reads))
})
