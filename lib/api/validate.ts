/**
 * Runs a declared schema over raw input and puts the first fault into words that name the field. It must not know any
 * endpoint (contract 1, "Errors").
 */
import * as v from 'valibot'
import { invalid, type Refusal } from './errors.ts'

type Issue = v.BaseIssue<unknown>

/** `items[0].quantity` of an issue's path. */
function fieldOf(issue: Issue): string {
  let field = ''
  for (const part of issue.path ?? []) {
    const key = part.key
    field += typeof key === 'number' ? `[${key}]` : field === '' ? String(key) : `.${String(key)}`
  }
  return field
}

/** Our own leaf messages are words already; what valibot says of shapes is translated here. */
function reasonOf(issue: Issue, place: string): string {
  if (issue.type === 'strict_object') {
    if (issue.expected === 'never') return place === 'query' ? 'is not a known parameter' : 'is not a known field'
    return issue.input === undefined && issue.path !== undefined ? 'is required' : 'must be an object'
  }
  if (issue.kind === 'schema' && issue.input === null) return 'must not be null'
  if (issue.type === 'array') return 'must be an array'
  return issue.message
}

/**
 * The schema's output, or a `validation_failed` refusal naming the first faulty field. `place` stands before fields where
 * the body itself is meant (`body: must be an object`).
 */
export function validate<S extends v.GenericSchema>(
  schema: S,
  raw: unknown,
  place: string,
): v.InferOutput<S> | Refusal {
  const result = v.safeParse(schema, raw, { abortEarly: true })
  if (result.success) return result.output
  const issue = result.issues[0]
  return invalid(fieldOf(issue) || place, reasonOf(issue, place))
}
