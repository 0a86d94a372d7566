/** Checks raw input with a declared schema and words the faults with the names of fields. */
import * as v from 'valibot'
import { fieldOf } from '../../platform/json.ts'
import { allInvalid, invalid, type Refusal } from './errors.ts'
import type { Reading } from './fields.ts'

type Issue = v.BaseIssue<unknown>
type Path = readonly (string | number)[]
type Fault = { readonly path: Path; readonly reason: string }

const REQUIRED = 'is required'
const unknownIn = (place: string) => (place === 'query' ? 'is not a known parameter' : 'is not a known field')

/** The readers of fields word their own messages. Valibot's messages about shapes are translated here. */
function reasonOf(issue: Issue): string {
  if (issue.kind === 'schema' && issue.input === null) return 'must not be null'
  if (issue.type === 'strict_object') return 'must be an object'
  if (issue.type === 'array') return 'must be an array'
  return issue.message
}

/**
 * The schema's output, or a refusal `validation_failed` that names up to ten faulty fields, joined by `; `, in the order of the input.
 * Missing fields of an object come after the present ones, in the order of the schema. `place` is the name of the body itself (`body: must
 * be an object`).
 *
 * Input without a fault is checked once. Input with a fault is checked again, one level at a time, until ten faults are found. A list that
 * is too long is one fault, and its entries are not checked.
 */
export function validate<S extends v.GenericSchema>(
  schema: S,
  raw: unknown,
  place: string,
  reading: Reading = {},
): v.InferOutput<S> | Refusal {
  // As v.safeParse, which does not pass on our `reading`.
  const result = schema['~run']({ value: raw }, { ...reading, abortEarly: true })
  if (result.issues === undefined) return result.value as v.InferOutput<S>
  return allInvalid(faultsOf(schema, raw, place, []).map(({ path, reason }) => invalid(fieldOf(path) || place, reason)))
}

/** The faults of a value, computed when asked for. */
function* faultsOf(schema: v.GenericSchema, raw: unknown, place: string, path: Path): Generator<Fault> {
  const result = v.safeParse(schema, raw, { abortEarly: true })
  if (result.success) return
  const [issue] = result.issues
  let isInside = false
  // With a path the fault is further inside. Each member is then checked separately.
  if (issue.path !== undefined) {
    for (const fault of faultsInside(bare(schema), raw, place, path)) {
      isInside = true
      yield fault
    }
  }
  // A rule between members may find a fault although each member is right.
  const keys = (issue.path ?? []).map(({ key }) => key as string | number)
  if (!isInside) yield { path: [...path, ...keys], reason: reasonOf(issue) }
}

/** The object or list inside `optional` and `nullable`. */
function bare(schema: v.GenericSchema): v.GenericSchema {
  return 'wrapped' in schema ? bare(schema.wrapped as v.GenericSchema) : schema
}

function* faultsInside(schema: v.GenericSchema, raw: unknown, place: string, path: Path): Generator<Fault> {
  if (Array.isArray(raw)) {
    const { item } = schema as unknown as { readonly item: v.GenericSchema }
    for (const [at, entry] of raw.entries()) yield* faultsOf(item, entry, place, [...path, at])
    return
  }
  const { entries } = schema as unknown as { readonly entries: Readonly<Record<string, v.GenericSchema>> }
  const members = raw as Readonly<Record<string, unknown>>
  // Only the names: entries of all members of a 4 MiB body take longer than parsing it.
  for (const key of Object.keys(members)) {
    const entry = entries[key]
    if (entry) yield* faultsOf(entry, members[key], place, [...path, key])
    else yield { path: [...path, key], reason: unknownIn(place) }
  }
  for (const [key, entry] of Object.entries(entries))
    if (!(key in members) && entry.type !== 'optional') yield { path: [...path, key], reason: REQUIRED }
}
