/**
 * Makes up a value that fits a JSON Schema, for examples of answers. It must be deterministic: the OpenAPI document is
 * committed and compared byte by byte.
 */
import type { SchemaObject } from './json-schema.ts'

/** Telling values by field name (12 tables at 12.50); a name that is not here gets one by its type. */
const byName: Readonly<Record<string, unknown>> = {
  amount: 150,
  attributes: { color: 'natural' },
  average_cost: 12.5,
  available_quantity: 12,
  barcode: '4006381333931',
  batch_id: null,
  city: 'Hamburg',
  country_code: 'DE',
  currency: 'EUR',
  is_main: true,
  is_producible: true,
  line_1: 'Speicherstadt 1',
  price: 249,
  purchase_price: 12.5,
  quantity: 12,
  quantity_after: 12,
  sku: 'OAK-TABLE',
  stock_value: 150,
  title: 'Oak table',
  total_amount: 150,
  unit_cost: 12.5,
  unit_name: 'pcs',
  value: 25,
  zip: '20457',
}
const FIRST_ID = 1042

/** Numbers the records of one example, so that no two lines have one id. */
type Ids = { next: number }

/**
 * A value of the schema. `hint` is a value of like shape (a request's example) whose members are taken where the names
 * meet and the types fit.
 */
export function sample(schema: SchemaObject, hint?: unknown): unknown {
  return sampleValue(schema, { hint, name: '', ids: { next: FIRST_ID } })
}

type At = { readonly hint: unknown; readonly name: string; readonly ids: Ids }

function sampleValue(schema: SchemaObject, at: At): unknown {
  const { hint, name, ids } = at
  const types = [schema.type ?? []].flat()
  if (schema.const !== undefined) return schema.const
  if (types.includes('object') || schema.properties) return sampleObject(schema, at)
  if (types.includes('array')) return sampleArray(schema, at)
  if (name === 'id' && types.includes('string')) return String(ids.next++)
  if (hint !== undefined && fits(types, hint)) return name.endsWith('_id') && hint !== null ? String(hint) : hint
  if (fits(types, byName[name]) && !schema.enum) return byName[name]
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  // An id stands for a record that an example has; other nullable fields are empty in a plain record.
  if (types.includes('null') && !name.endsWith('_id')) return null
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return sampleValue(schema.anyOf[0], at)
  return sampleLeaf(schema, types, name)
}

function sampleObject(schema: SchemaObject, { hint, name, ids }: At): unknown {
  const hints = isObject(hint) ? hint : {}
  if (!schema.properties) return isObject(hint) ? hint : (byName[name] ?? {})
  return Object.fromEntries(
    Object.entries(schema.properties).map(([key, member]) => [
      key,
      sampleValue(member, { hint: hints[key], name: key, ids }),
    ]),
  )
}

function sampleArray({ items = {} }: SchemaObject, { hint, name, ids }: At): unknown {
  const hints: readonly unknown[] = Array.isArray(hint) && hint.length > 0 ? hint : [undefined]
  return hints.map(entry => sampleValue(items, { hint: entry, name, ids }))
}

function sampleLeaf(schema: SchemaObject, types: readonly string[], name: string): unknown {
  if (types.includes('string')) {
    if (schema.format === 'date-time') return '2026-11-21T05:00:00.000Z'
    if (schema.format === 'date') return '2026-11-21'
    return name.endsWith('_id') ? String(FIRST_ID) : 'text'
  }
  if (types.includes('number') || types.includes('integer')) return schema.minimum ?? 0
  return types.includes('boolean') ? false : null
}

function fits(types: readonly string[], value: unknown): boolean {
  if (value === undefined) return false
  if (value === null) return types.includes('null')
  if (typeof value === 'number') return types.includes('number') || types.includes('integer')
  if (typeof value === 'object') return types.includes(Array.isArray(value) ? 'array' : 'object')
  return types.includes(typeof value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
