/**
 * Documents that are only read: of each field its kind and the SQL of its value, stated once. Reply schema and JSON derive from
 * it. The statement that shows one brings its rows under the aliases that the SQL names.
 */
import * as v from 'valibot'
import { type Fragment, fixedFragment } from '../../platform/postgres/postgres.ts'
import type { Schema } from '../api/endpoint.ts'
import { shape } from '../api/fields.ts'
import { explained, named, orNull } from '../api/reply-fields.ts'
import type { Column } from '../fields/field.ts'
import { objectJson } from './render.ts'
import type { Sql } from './sql.ts'

/** A document: what it looks like, and the SQL of its JSON. */
export type View = { readonly reply: Schema; readonly json: Fragment }

/** `json`: pieces for `concat`. */
type ViewField = { readonly reply: v.GenericSchema; readonly json: readonly Sql[] }
type ViewFields = Readonly<Record<string, ViewField>>

/**
 * Declares a document.
 * @param name what the reference calls it; null: a part of another.
 * @param beside what else is read for a row, for `from`: one row.
 */
export function view(name: string | null, fields: ViewFields, beside?: Sql): View {
  const { reply, json } = objectOf(fields)
  const text = beside === undefined ? json.join() : `(select ${json.join()} from ${beside})`
  return { reply: name === null ? (reply as Schema) : named(name, reply as Schema), json: fixedFragment(text) }
}

/** A field: this value, as fields of its kind are rendered. */
export function shows<T>(field: Column<T>, sql: Sql | Fragment): ViewField {
  if (field.reply === null) throw new Error('no JSON shows such a field')
  return { reply: field.reply, json: field.render(`(${textOf(sql)})`) }
}

/** An object of these fields. */
const objectOf = (fields: ViewFields): ViewField => ({
  reply: shape(Object.fromEntries(Object.entries(fields).map(([name, { reply }]) => [name, reply]))),
  json: [objectJson(Object.entries(fields).map(([name, { json }]) => [name, json]))],
})

/** The same where the condition holds, else null. */
export function objectWhere(condition: Sql, fields: ViewFields, words: string): ViewField {
  const { reply, json } = objectOf(fields)
  return {
    reply: orNull(explained(reply, words)),
    json: [`case when ${condition} then ${json.join()} else 'null' end`],
  }
}

/** An array of such objects, one for each row of `from`. */
export function arrayOf(
  fields: ViewFields,
  { from, order, words }: { readonly from: Sql; readonly order: Sql; readonly words: string },
): ViewField {
  const { reply, json } = objectOf(fields)
  return {
    reply: explained(v.array(reply), words),
    json: [`'['`, `(select string_agg(${json.join()}, ',' order by ${order}) from ${from})`, `']'`],
  }
}

function textOf(sql: Sql | Fragment): Sql {
  if (typeof sql === 'string') return sql
  if (sql.values.length > 0) throw new Error('a view is put together once: it holds no value of a request')
  return sql.sql
}
