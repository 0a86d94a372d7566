/**
 * The length of bodies by their schemas: whatever a schema takes fits in its limit as JSON libraries write it, and no limit is
 * beyond 1 MiB.
 */
import test from 'ava'
import { bodyBytesMax, bytesInWords } from '../../lib/api/body-limit.ts'
import { list, longText, nullable, quantity, shape, textMap, title } from '../../lib/api/fields.ts'
import { jsonSchemaOf, type SchemaObject } from '../../lib/api/json-schema.ts'
import { endpoints } from '../../lib/endpoints.ts'
import { operationOf } from '../../lib/openapi/operation.ts'

const KIBIBYTE = 1024

test('a limit follows from the fields: text by its length, lists and maps by theirs', t => {
  const limit = (entries: Parameters<typeof shape>[0]) => bytesInWords(bodyBytesMax(shape(entries)))
  t.is(limit({}), '64 KiB')
  t.is(limit({ title: title(), quantity: quantity() }), '64 KiB')
  t.is(limit({ notes: nullable(longText()) }), '128 KiB')
  t.is(limit({ items: list(shape({ quantity: quantity() }), { min: 1, max: 500 }) }), '64 KiB')
  t.is(limit({ attributes: textMap() }), '512 KiB')
  t.is(limit({ items: list(shape({ notes: longText() }), { min: 1, max: 500 }) }), '1 MiB')
})

/** The longest value of a schema: every text full of characters that take twelve bytes, every list full. */
function longest(schema: SchemaObject): unknown {
  if (schema.enum) return schema.enum.toSorted((a, b) => String(b ?? '').length - String(a ?? '').length)[0]
  if (schema.anyOf) return longest(schema.anyOf[0] ?? {})
  if (schema.items) return Array.from({ length: schema.maxItems ?? 0 }, () => longest(schema.items ?? {}))
  if (typeof schema.additionalProperties === 'object') {
    const text = longest(schema.additionalProperties)
    return Object.fromEntries(
      Array.from({ length: schema.maxProperties ?? 0 }, (_, n) => [`${n}${text}`.slice(0, 510), text]),
    )
  }
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([key, member]) => [key, longest(member)]))
  const types = [schema.type].flat()
  if (!types.includes('string')) return types.includes('boolean') ? false : -123456789.123456
  if (schema.format || schema.pattern?.includes('{4}-')) return '2026-11-21T05:00:00.000+02:00'
  return schema.pattern ? '-9223372036854775808' : '\u{1f600}'.repeat(schema.maxLength ?? 0)
}

/** How long Python and PHP write JSON: everything beyond ASCII escaped (`\\u1234`), two spaces deep. */
function escapedLength(value: unknown): number {
  const text = JSON.stringify(value, null, 2)
  let length = text.length
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) length += 5
  return length
}

for (const endpoint of endpoints) {
  if (endpoint.kind !== 'command' || !endpoint.body) continue
  const { body } = endpoint
  const limit = bodyBytesMax(body)
  test(`${endpoint.method} ${endpoint.path} takes ${bytesInWords(limit)}, which its longest body fits in, and says so`, t => {
    t.true(limit >= 64 * KIBIBYTE && limit <= KIBIBYTE * KIBIBYTE)
    t.is(Math.log2(limit) % 1, 0)
    const bytes = escapedLength(longest(jsonSchemaOf(body, 'request')))
    t.true(bytes <= limit || limit === KIBIBYTE * KIBIBYTE, `${bytes} bytes`)
    t.true(
      operationOf(endpoint, { body: undefined, reply: undefined, hasETag: false }).description.includes(
        `The body has at most ${bytesInWords(limit)}.`,
      ),
    )
    t.true(limit === 64 * KIBIBYTE || bytes > limit / 4, `no more than needed: ${bytes} bytes`)
  })
}
