/** Turns a declared valibot schema into the JSON Schema of the OpenAPI document. */
import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { JsonNumber } from '../../platform/json.ts'

/** The parts of JSON Schema (draft 2020-12) that the document uses. */
export type SchemaObject = {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  /** The form of the value, separate from its meaning (`description`). The OpenAPI document joins both in the description. */
  readonly 'x-form'?: string
  /** The meaning of each value of `enum`. The OpenAPI document adds them to the description. */
  readonly 'x-enum-words'?: Readonly<Record<string, string>>
  /** The same in the order of `enum`, for code generators. */
  readonly 'x-enum-descriptions'?: readonly string[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly 'x-decimals-max'?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly items?: SchemaObject
  readonly properties?: Readonly<Record<string, SchemaObject>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | SchemaObject
  readonly anyOf?: readonly SchemaObject[]
  readonly oneOf?: readonly SchemaObject[]
  readonly allOf?: readonly SchemaObject[]
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
}

/**
 * The JSON Schema of a body, a query or a reply. `request`: fields without a default are required, unknown fields are refused. `reply`:
 * every field is present, and unknown fields are allowed, because new ones may be added.
 */
export function jsonSchemaOf(schema: v.GenericSchema, use: 'request' | 'reply'): SchemaObject {
  const { $schema: _, ...result } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    overrideAction: ({ valibotAction, jsonSchema, errors }) => {
      const { jsonSchema: leaf, ...rest } = jsonSchema as Record<string, unknown>
      if (valibotAction.type === 'metadata' && leaf !== undefined)
        return { ...rest, ...withoutStep(leaf as SchemaObject) }
      // JSON Schema cannot express this check or transformation. The description of the field does.
      return errors ? jsonSchema : undefined
    },
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const converted = jsonSchema as SchemaObject
      if (valibotSchema.type === 'nullable') return nullable(converted)
      if (valibotSchema.type === 'optional') return withDefaultInWords(converted)
      return use === 'reply' ? everyFieldPresent(converted) : undefined
    },
  } as Parameters<typeof toJsonSchema>[1])
  return result as SchemaObject
}

/** A step below 1 goes into the description. Validators divide by it in binary floating point, where 1.1 is no multiple of 0.000001. */
function withoutStep({ multipleOf: step, ...schema }: SchemaObject): SchemaObject {
  if (step === undefined || step >= 1) return step === undefined ? schema : { ...schema, multipleOf: step }
  return { ...schema, 'x-decimals-max': Math.round(-Math.log10(step)) }
}

/** `type: [..., 'null']`, which people and generators read better than `anyOf`. */
function nullable({ anyOf, ...rest }: SchemaObject): SchemaObject {
  const inner = anyOf?.[0] ?? {}
  if (inner.type === undefined || inner.const !== undefined) return { ...rest, ...(anyOf ? { anyOf } : {}) }
  return {
    ...inner,
    type: [...[inner.type].flat(), 'null'],
    ...(inner.enum ? { enum: [...inner.enum, null] } : {}),
  }
}

/**
 * A default goes into the description. Type generators read the keyword `default` as "the field is always present", and make callers send
 * it. An absent field that becomes null is not mentioned.
 */
function withDefaultInWords({ default: fallback, ...schema }: SchemaObject): SchemaObject {
  if (fallback === undefined || fallback === null) return schema
  const words = `Default: \`${JSON.stringify(plainJson(fallback)).replaceAll('"', '')}\`.`
  return { ...schema, 'x-form': schema['x-form'] ? `${sentence(schema['x-form'])} ${words}` : words }
}

function everyFieldPresent({ additionalProperties, ...schema }: SchemaObject): SchemaObject | undefined {
  if (schema.properties === undefined) return undefined
  return {
    ...schema,
    required: Object.keys(schema.properties),
    ...(typeof additionalProperties === 'object' ? { additionalProperties } : {}),
  }
}

/** `SalesOrder` of `sales_order`, `CreateProduct` of `createProduct`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** `What it is.` of `what it is`. */
export const sentence = (words: string): string =>
  words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`

/** A raw JSON value (`json.ts`) as plain JavaScript data. */
export function plainJson(value: unknown): unknown {
  if (value instanceof JsonNumber) return Number(value.text)
  if (Array.isArray(value)) return value.map(plainJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainJson(member)]))
}
