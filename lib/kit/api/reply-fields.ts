/**
 * The leaf fields of answers as valibot schemas. They document every field for OpenAPI, and tests check real answers with them. They must
 * not read requests; `fields.ts` does that.
 */
import * as v from 'valibot'
import { type Choices, type JsonSchema, valuesOf } from './fields.ts'

/** `jsonSchema` is for readers of the documentation; the schema itself checks. */
const described = <S extends v.GenericSchema>(schema: S, jsonSchema: JsonSchema) =>
  v.pipe(schema, v.metadata({ jsonSchema }))

/** The key is always present, the value may be null. */
export const orNull = <S extends v.GenericSchema>(schema: S) => v.nullable(schema)

/** An int64 as text. */
export const idText = () =>
  described(v.pipe(v.string(), v.regex(/^[1-9]\d{0,18}$/)), {
    type: 'string',
    pattern: '^[1-9][0-9]{0,18}$',
    examples: ['1042'],
  })

export const plainText = () => described(v.string(), { type: 'string' })

export const plainTexts = () => v.array(plainText())

/** A value of a closed list. New values come only with a new version of the API. */
export const choice = <const C extends Choices>(choices: C) =>
  described(v.picklist(valuesOf(choices)), { type: 'string', enum: valuesOf(choices), 'x-enum-words': choices })

export const truth = () => described(v.boolean(), { type: 'boolean' })

/** A quantity, price, rate or amount: a JSON number with up to `places` decimals. */
export const decimal = (places = 6) =>
  described(v.pipe(v.number(), v.finite()), { type: 'number', multipleOf: 10 ** -places })

/** A whole JSON number. */
export const wholeNumber = () => described(v.pipe(v.number(), v.integer()), { type: 'integer' })

/** `2026-11-21T05:00:00.000Z` */
export const instant = () =>
  described(v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)), {
    type: 'string',
    format: 'date-time',
  })

/** `2026-11-21` */
export const day = () => described(v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/)), { type: 'string', format: 'date' })

/** An object of strings (variant attributes). */
export const stringMap = () =>
  described(v.record(v.string(), v.string()), { type: 'object', additionalProperties: { type: 'string' } })

/** Any JSON value. */
export const anyJson = () => v.any()

/** Describes a field, also in bodies and queries, whose name is not enough. */
export const explained = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.pipe(schema, v.description(description))

/** The name of a document, or a part of one, in the OpenAPI document and in types made from it (`SalesOrder`). */
export const named = <S extends v.GenericSchema>(name: string, schema: S) => v.pipe(schema, v.title(name))
