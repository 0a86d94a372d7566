/**
 * Compares a real answer with its documented schema: every declared field is there, of its type, and no other. It is stricter than the
 * schema, which allows new fields.
 */
import type { SchemaObject } from '../../lib/kit/api/json-schema.ts'

/** The faults as `path: reason`. Empty: there are none. */
export function misfits(schema: SchemaObject, value: unknown, path = 'answer'): readonly string[] {
  if (schema.anyOf) {
    const attempts = schema.anyOf.map(option => misfits(option, value, path))
    return attempts.find(attempt => attempt.length === 0) ?? attempts[0] ?? []
  }
  const types = [schema.type ?? []].flat()
  if (types.length > 0 && !types.some(type => isOf(type, value))) return [`${path}: is no ${types.join(' or ')}`]
  if (value === null) return []
  if (schema.enum && !schema.enum.includes(value)) return [`${path}: ${String(value)} is not in the list`]
  if (typeof value === 'string') return misfitsOfText(schema, value, path)
  if (Array.isArray(value)) return value.flatMap((entry, n) => misfits(schema.items ?? {}, entry, `${path}[${n}]`))
  return typeof value === 'object' ? misfitsOfObject(schema, value as Record<string, unknown>, path) : []
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

function misfitsOfText(schema: SchemaObject, value: string, path: string): readonly string[] {
  if (schema.pattern && !new RegExp(schema.pattern, 'u').test(value)) return [`${path}: ${value} has another form`]
  const forms: Readonly<Record<string, RegExp>> = {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    date: /^\d{4}-\d\d-\d\d$/,
  }
  const form = forms[schema.format ?? '']
  return form && !form.test(value) ? [`${path}: ${value} is no ${schema.format}`] : []
}

function misfitsOfObject(schema: SchemaObject, value: Record<string, unknown>, path: string): readonly string[] {
  const { properties } = schema
  if (!properties) {
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
    return Object.entries(value).flatMap(([key, member]) => misfits(values, member, `${path}.${key}`))
  }
  const missing = Object.keys(properties).filter(key => !Object.hasOwn(value, key))
  const unknown = Object.keys(value).filter(key => !Object.hasOwn(properties, key))
  return [
    ...missing.map(key => `${path}.${key}: is missing`),
    ...unknown.map(key => `${path}.${key}: is not documented`),
    ...Object.entries(properties)
      .filter(([key]) => Object.hasOwn(value, key))
      .flatMap(([key, member]) => misfits(member, value[key], `${path}.${key}`)),
  ]
}
