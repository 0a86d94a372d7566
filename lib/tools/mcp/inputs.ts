/** Inputs of tools that are fields of nouns: kind, limits and description come from the nouns' declarations. */
import * as v from 'valibot'
import { jsonSchemaOf, plainJson, type SchemaObject, sentence } from '../../kit/api/json-schema.ts'
import type { AnyField } from '../../kit/fields/field.ts'
import { vocabulary } from '../../kit/fields/vocabulary.ts'

/** The most text that a model sends. */
const TEXT_LENGTH_MAX = 1_000

type InputOf<F> = F extends { read(text: string): infer T }
  ? Exclude<T, null> extends bigint | number
    ? number
    : Exclude<T, null> extends boolean
      ? boolean
      : string
  : never

type Fields<N extends string> = Readonly<Record<N, AnyField>>

/** Optional inputs by name. A moment is given as a day, because models know no other times. */
export const optionalInputs = <const N extends string, F extends Fields<N>>(fields: F, names: readonly N[]) =>
  Object.fromEntries(names.map(name => [name, v.optional(inputOf(name, fields[name]), defaultOf(fields[name]))])) as {
    readonly [K in N]: v.OptionalSchema<v.GenericSchema<InputOf<F[K]>>, undefined>
  }

/** An input that must be given. */
export const requiredInput = <const N extends string, F extends Fields<N>>(fields: F, name: N) =>
  ({ [name]: inputOf(name, fields[name]) }) as { readonly [K in N]: v.GenericSchema<InputOf<F[N]>> }

/** The service's default for an input that is left out. */
const defaultOf = ({ sent: { absent, fallback } }: AnyField): unknown =>
  absent === 'filled' ? (plainJson(fallback) ?? undefined) : undefined

function inputOf(name: string, { sent, type }: AnyField): v.GenericSchema {
  const about = sentence(sent.words?.made ?? vocabulary[name] ?? name)
  return v.pipe(plainInput(type, jsonSchemaOf(sent.leaf, 'request')), v.description(about))
}

function plainInput(column: string, limits: SchemaObject): v.GenericSchema {
  if (column === 'boolean') return v.boolean()
  if (column === 'timestamptz' || column === 'date') return v.pipe(v.string(), v.isoDate())
  if (limits.type === 'number' || limits.type === 'integer') return numberInput(limits)
  const { minLength = 0, maxLength = TEXT_LENGTH_MAX } = limits
  return v.pipe(v.string(), v.trim(), v.minLength(minLength), v.maxLength(Math.min(maxLength, TEXT_LENGTH_MAX)))
}

function numberInput({
  exclusiveMinimum: above,
  minimum: min,
  maximum: max,
  ...limits
}: SchemaObject): v.GenericSchema {
  const places = limits['x-decimals-max'] ?? 0
  const plain = new RegExp(places === 0 ? '^-?\\d{1,15}$' : `^-?\\d{1,15}(\\.\\d{1,${places}})?$`)
  return v.pipe(
    v.number(),
    v.check(value => above === undefined || value > above, `must be greater than ${above}`),
    v.check(value => min === undefined || value >= min, `must be ${min} or more`),
    v.check(value => max === undefined || value <= max, `must be ${max} or less`),
    v.check(value => plain.test(String(value)), `must have at most ${places} decimals`),
  )
}
