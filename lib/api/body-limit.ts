/** How long a body of an endpoint can be, by its schema: what is longer is refused before it is read to its end. */
import type * as v from 'valibot'
import { memoized } from '../memoized.ts'
import { jsonSchemaOf, type SchemaObject } from './json-schema.ts'

const KIBIBYTE = 1024
/** No body of a command is longer, whatever its schema. */
export const BODY_BYTES_MAX = 1024 * KIBIBYTE
/** Nor is any limit smaller: so much is parsed in under a millisecond, and its sender learns what is wrong with it. */
const LIMIT_MIN = 64 * KIBIBYTE

/** A character beyond the basic plane, escaped as two surrogates. */
const CHARACTER_BYTES = 12
/** Ids, dates, amounts. */
const TOKEN_BYTES = 32
/** Quotes, colon, comma, line end and indentation of a member. */
const AROUND_BYTES = 20

/** Bytes that a body of this schema may have: a power of two, 64 KiB to 1 MiB, that the longest body it takes fits in. */
export const bodyBytesMax: (schema: v.GenericSchema) => number = memoized(schema => {
  const longest = longestOf(jsonSchemaOf(schema, 'request'))
  return Math.min(Math.max(2 ** Math.ceil(Math.log2(longest)), LIMIT_MIN), BODY_BYTES_MAX)
})

/** `64 KiB`, `1 MiB` */
export function bytesInWords(bytes: number): string {
  return bytes < BODY_BYTES_MAX ? `${bytes / KIBIBYTE} KiB` : `${bytes / BODY_BYTES_MAX} MiB`
}

/** Bytes of the longest value of a schema, as it is usually written; what states no bound is taken for endless. */
function longestOf(schema: SchemaObject): number {
  const { properties = {}, additionalProperties, maxProperties = Infinity, items, maxItems = Infinity } = schema
  const types = [schema.type ?? []].flat()
  if (schema.enum) return Math.max(...schema.enum.map(value => JSON.stringify(value).length))
  if (schema.anyOf) return Math.max(...schema.anyOf.map(longestOf))
  if (items) return maxItems * (longestOf(items) + AROUND_BYTES)
  if (typeof additionalProperties === 'object') {
    const { maxLength } = additionalProperties
    const keyBytes = (maxLength ?? Infinity) * CHARACTER_BYTES
    return maxProperties * (keyBytes + longestOf(additionalProperties) + AROUND_BYTES)
  }
  if (types.includes('object'))
    return Object.entries(properties).reduce(
      (sum, [key, member]) => sum + key.length + longestOf(member) + AROUND_BYTES,
      0,
    )
  if (schema.maxLength !== undefined) return schema.maxLength * CHARACTER_BYTES
  const isBounded = !types.includes('string') || schema.pattern !== undefined || schema.format !== undefined
  return isBounded && types.length > 0 ? TOKEN_BYTES : Infinity
}
