/**
 * Documents that are only read: the kind and the SQL of each field. The reply schema and the JSON are derived from it. The statement that
 * shows a document has its rows under the aliases that the SQL names.
 */
import * as v from 'valibot'
import { type Fragment, fixedFragment } from '../../platform/postgres/postgres.ts'
import type { Schema } from '../api/endpoint.ts'
import { shape } from '../api/fields.ts'
import { explained, named, orNull } from '../api/reply-fields.ts'
import type { AnyField } from '../fields/field.ts'
import { arrayJson, objectJson } from './render.ts'
import type { Sql } from './sql.ts'

/** A document: its schema, and the SQL of its JSON. */
export type View = { readonly reply: Schema; readonly json: Fragment }

/** An object or an array of objects. `json`: texts to join. */
type Part = { readonly is: 'part'; readonly reply: v.GenericSchema; readonly json: readonly Sql[] }
/** A value is a field `from` SQL. */
type ViewFields = Readonly<Record<string, AnyField | Part>>

/**
 * Declares a document.
 * @param name its name in the reference; null: it is a part of another
 */
export function view(name: string | null, fields: ViewFields): View {
  const { reply, json } = objectOf(fields)
  return { reply: name === null ? (reply as Schema) : named(name, reply as Schema), json: fixedFragment(json.join()) }
}

function partOf(name: string, field: AnyField | Part): Omit<Part, 'is'> {
  if (field.is === 'part') return field
  if (field.reply === null || field.source === undefined) throw new Error(`${name} is not read from anything`)
  return { reply: field.reply, json: field.render(`(${field.source('')})`) }
}

/** An object of these fields. */
function objectOf(fields: ViewFields): Part {
  const parts = Object.entries(fields).map(([name, field]) => [name, partOf(name, field)] as const)
  return {
    is: 'part',
    reply: shape(Object.fromEntries(parts.map(([name, { reply }]) => [name, reply]))),
    json: [objectJson(parts.map(([name, { json }]) => [name, json]))],
  }
}

/** The same where the condition holds, else null. */
export function objectWhere(condition: Sql, fields: ViewFields, words: string): Part {
  const { reply, json } = objectOf(fields)
  return {
    is: 'part',
    reply: orNull(explained(reply, words)),
    json: [`case when ${condition} then ${json.join()} else 'null' end`],
  }
}

/** An array of such objects, one for each row of `from`. */
export function arrayOf(
  fields: ViewFields,
  { from, order, words }: { readonly from: Sql; readonly order: Sql; readonly words: string },
): Part {
  const { reply, json } = objectOf(fields)
  return {
    is: 'part',
    reply: explained(v.array(reply), words),
    json: [arrayJson(`(select string_agg(${json.join()}, ',' order by ${order}) from ${from})`)],
  }
}
