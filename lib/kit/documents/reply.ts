/**
 * The reply schema of a declared document, for OpenAPI, the event catalogue and the tests of real answers.
 */
import * as v from 'valibot'
import { memoized } from '../../platform/memoized.ts'
import type { Schema } from '../api/endpoint.ts'
import { shape } from '../api/fields.ts'
import { pascalCase } from '../api/json-schema.ts'
import { explained, named, orNull } from '../api/reply-fields.ts'
import { type Field, type Fields, nameOf } from './document.ts'

type Renderable = { readonly fields: Fields; readonly kind?: string; readonly envelope?: string | null }

/** What the JSON of the document holds: one schema, so that the reference names it once. */
export const replyOf: (document: Renderable) => Schema = memoized(makeReply)

function makeReply({ fields, kind, envelope = null }: Renderable): Schema {
  if (kind === undefined) return shape(entriesOf(fields))
  const name = pascalCase(kind)
  if (envelope === null) return named(name, shape(entriesOf(fields)))
  const [head, lines] = [false, true].map(isLines =>
    Object.fromEntries(Object.entries(fields).filter(([, field]) => (field.is === 'lines') === isLines)),
  ) as [Fields, Fields]
  return named(name, shape({ [envelope]: named(`${name}Details`, shape(entriesOf(head))), ...entriesOf(lines) }))
}

const entriesOf = (fields: Fields): Record<string, v.GenericSchema> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const schema = schemaOf(field)
      return schema === null ? [] : [[nameOf(name, field), schema]]
    }),
  )

function schemaOf(field: Field): v.GenericSchema | null {
  if (field.is === 'lines') return field.words === null ? null : explained(v.array(replyOf(field.of)), field.words)
  if (field.is === 'group') return replyOf(field)
  if (field.is === 'field-of') {
    const other = field.of.fields[field.field] as Field
    const schema = schemaOf(other)
    return schema && field.nullable && !(other.is === 'column' && other.nullable) ? orNull(schema) : schema
  }
  if (field.is !== 'shown') return field.reply
  const { of, fields, nullable } = field
  const schema = replyOf({ fields: Object.fromEntries(fields.map(name => [name, of.fields[name] as Field])) })
  return nullable ? orNull(schema) : schema
}
