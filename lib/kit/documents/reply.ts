/** The reply schema of a declared document, for OpenAPI, the event catalogue and the tests of real answers. */
import * as v from 'valibot'
import { memoized } from '../../platform/memoized.ts'
import type { Schema } from '../api/endpoint.ts'
import { shape } from '../api/fields.ts'
import { pascalCase } from '../api/json-schema.ts'
import { explained, named, orNull } from '../api/reply-fields.ts'
import { vocabulary } from '../fields/vocabulary.ts'
import { type Field, type FieldOf, type Fields, nameOf } from './document.ts'

type Renderable = { readonly fields: Fields; readonly kind?: string; readonly envelope?: string | null }

/** The document's JSON: one schema, so that the reference names it once. */
export const replyOf: (document: Renderable) => Schema = memoized(makeReply)

function makeReply({ fields, kind, envelope = null }: Renderable): Schema {
  if (kind === undefined) return shape(entriesOf(fields))
  const name = pascalCase(kind)
  if (envelope === null) return named(name, shape(entriesOf(fields)))
  const [head, lines] = [false, true].map(isLines =>
    Object.fromEntries(Object.entries(fields).filter(([, field]) => (field.is === 'lines') === isLines)),
  ) as [Fields, Fields]
  const details = explained(named(`${name}Details`, shape(entriesOf(head))), 'all but the lines')
  return named(name, shape({ [envelope]: details, ...entriesOf(lines) }))
}

const entriesOf = (fields: Fields): Record<string, v.GenericSchema> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const schema = schemaOf(field, name)
      return schema === null ? [] : [[nameOf(name, field), schema]]
    }),
  )

function schemaOf(field: Field, name: string): v.GenericSchema | null {
  if (field.is === 'lines') return field.words === null ? null : explained(v.array(replyOf(field.of)), field.words)
  if (field.is === 'group') return explained(replyOf(field), field.words)
  if (field.is === 'field-of') return schemaOfOther(field, name)
  if (field.is !== 'shown') return field.reply
  const { of, fields, nullable } = field
  const other = replyOf({ fields: Object.fromEntries(fields.map(each => [each, of.fields[each] as Field])) })
  const schema = explained(other, `the ${of.noun}`)
  return nullable ? orNull(schema) : schema
}

/**
 * A field under its own name has its own description. A field with another name has the vocabulary's description, else `the title of the
 * product`.
 */
function schemaOfOther({ of, field, nullable }: FieldOf, name: string): v.GenericSchema | null {
  const other = of.fields[field] as Field
  const same = schemaOf(other, field)
  if (same === null) return null
  const schema = name === field ? same : explained(same, vocabulary[name] ?? `the ${field} of the ${of.noun}`)
  return nullable && !(other.is === 'column' && other.nullable) ? orNull(schema) : schema
}
