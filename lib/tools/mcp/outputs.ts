/** The outputs of tools as JSON Schema. Documents come from the API's OpenAPI document, so that they cannot differ from its answers. */
import description from '../../openapi/openapi.json' with { type: 'json' }

export type JsonSchema = { readonly [word: string]: unknown }
type Properties = Readonly<Record<string, JsonSchema>>

const components = description.components.schemas as unknown as Readonly<Record<string, JsonSchema>>
const NUMBERS: ReadonlySet<unknown> = new Set(['number', 'integer'])
/** Keywords that say nothing about an answer, or hold only for numbers: figures with many digits are texts. */
const LEFT_OUT =
  /^(x-.*|examples?|default|additionalProperties|multipleOf|minimum|maximum|exclusiveMinimum|exclusiveMaximum|format|pattern)$/

/** A component of the OpenAPI document, without references. */
export const documentOf = (name: string): JsonSchema => standing(components[name]) as JsonSchema

function standing(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(standing)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, type, properties, ...rest } = schema as JsonSchema & { readonly properties?: object }
  if (typeof $ref === 'string') return documentOf($ref.slice($ref.lastIndexOf('/') + 1))
  const kept = Object.entries(rest).filter(([word]) => !LEFT_OUT.test(word))
  return {
    ...(type === undefined ? {} : { type: typed(type) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, standing(of)])) }),
    ...Object.fromEntries(kept.map(([word, of]) => [word, standing(of)])),
  }
}

const typed = (type: unknown): unknown => {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  return types.some(one => NUMBERS.has(one)) ? [...types, 'string'] : type
}

/** @throws for a field that the document lacks */
export function propertiesOf(name: string, fields: readonly string[]): Properties {
  const { properties = {} } = documentOf(name) as { properties?: Properties }
  return Object.fromEntries(
    fields.map(field => {
      const property = properties[field]
      if (property === undefined) throw new Error(`${name} has no field ${field}`)
      return [field, property]
    }),
  )
}

/** Some fields of a document. */
export const picked = (name: string, fields: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: propertiesOf(name, fields),
  required: fields,
})

/** A document with further fields. */
export function extended(document: JsonSchema, more: Properties): JsonSchema {
  const { properties = {}, required = [], ...rest } = document as { properties?: Properties; required?: string[] }
  return { ...rest, properties: { ...properties, ...more }, required: [...required, ...Object.keys(more)] }
}

export const textOrNull: JsonSchema = { type: ['string', 'null'] }

/** Rows with the cursor of the next page, beside other fields. */
export const rowsOf = (row: JsonSchema, more: Properties = {}): JsonSchema => ({
  type: 'object',
  properties: { ...more, rows: { type: 'array', items: row }, next_cursor: { type: 'string' } },
  required: ['rows', 'next_cursor'],
})

/** The output of a draft: what it shows, and what `apply` takes. */
export const draftOf = (shown: Properties): JsonSchema => ({
  type: 'object',
  properties: {
    ...shown,
    would_be: {
      type: ['object', 'null'],
      description:
        'The record as the service would write it now. Ids and numbers are provisional. Null: it would be refused.',
    },
    warnings: { type: 'array', items: { type: 'string' }, description: 'Why the service would refuse it now.' },
    apply: {
      type: 'object',
      properties: {
        action: { type: 'string' },
        summary: { type: 'string' },
        request: { type: 'object' },
        confirmation: { type: 'string' },
      },
      required: ['action', 'summary', 'request', 'confirmation'],
    },
  },
  required: [...Object.keys(shown), 'would_be', 'warnings', 'apply'],
})
