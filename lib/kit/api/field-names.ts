/**
 * The names of fields and parameters that endpoints declare. Logs may contain a refusal's field name only if it is one of these. Other
 * texts are the caller's.
 */
import { bodyOf, type Endpoint } from './endpoint.ts'
import { fieldsOf, type Refusal } from './errors.ts'

/** Further names that messages begin with. */
const COMMON_NAMES = ['body', 'query', 'limit', 'cursor', 'Idempotency-Key', 'If-Match', 'Dry-Run', 'Content-Type']
const FIELD_LENGTH_MAX = 200

/** Every name in the bodies, queries and filters of the endpoints. */
export function fieldNames(endpoints: readonly Endpoint[]): ReadonlySet<string> {
  const names = new Set(COMMON_NAMES)
  const seen = new Set<unknown>()
  const collect = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
    seen.add(schema)
    const { entries, wrapped, item, pipe, options } = schema as Readonly<Record<string, unknown>>
    for (const [name, entry] of Object.entries(entries ?? {})) {
      names.add(name)
      collect(entry)
    }
    for (const inner of [wrapped, item, pipe, options].flat()) collect(inner)
  }
  for (const endpoint of endpoints) {
    collect(bodyOf(endpoint)?.schema)
    if (endpoint.kind === 'list') collect(endpoint.filters)
    if (endpoint.kind === 'read') collect(endpoint.query)
  }
  return names
}

/**
 * `items[].quantity` for a `validation_failed` whose first field is `items[3].quantity`, so that equal faults give equal texts. A part that
 * is not in `names` comes from the caller (an unknown field, a key of an object) and shows as `?`.
 */
export function faultyField(refusal: Refusal, names: ReadonlySet<string>): string | undefined {
  const [field] = fieldsOf(refusal)
  if (field === undefined) return undefined
  if (field.length > FIELD_LENGTH_MAX) return '?'
  return field
    .split('.')
    .map(part => {
      const [, name = '', index] = /^([^[]*)(\[\d+\])?$/.exec(part) ?? []
      return names.has(name) ? name + (index === undefined ? '' : '[]') : '?'
    })
    .join('.')
}
