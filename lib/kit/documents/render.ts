/**
 * The two renderers of a declared document, which give the same text: SQL for reads, and one in memory for answers and events of commands.
 */

import { memoized } from '../../platform/memoized.ts'
import { type Column, nullableColumn, valueIn } from '../fields/field.ts'
import {
  type Document,
  type Field,
  type FieldOf,
  type Fields,
  type LineDocument,
  nameOf,
  othersOf,
  type Shown,
} from './document.ts'
import { joined, quoteName, quoteText, type Sql } from './sql.ts'

type Json = string
// biome-ignore lint/suspicious/noExplicitAny: the declaration holds the types of the values
type AnyRecord = any

/** A record by its document and id. It must exist. */
type Lookup = (document: Document, id: string) => AnyRecord

// ---- SQL

/** JSON text of the row with this alias: compact, in less than half the time of `json_build_object`. */
export function documentJson(document: Document | LineDocument, alias: string): Sql {
  const envelope = 'envelope' in document ? document.envelope : null
  const members = Object.entries(document.fields)
  const [head, lines] = [false, true].map(isLines =>
    membersJson(
      members.filter(([, field]) => (field.is === 'lines') === isLines),
      alias,
    ),
  ) as [SqlMembers, SqlMembers]
  const json = objectJson(envelope === null ? membersJson(members, alias) : [[envelope, [objectJson(head)]], ...lines])
  return withOthers(document, alias, json)
}

type SqlMembers = readonly (readonly [name: string, value: readonly Sql[]])[]

const membersJson = (fields: readonly (readonly [string, Field])[], alias: string): SqlMembers =>
  fields.flatMap(([name, field]) => {
    const value = fieldJson(field, name, alias)
    return value === null ? [] : [[nameOf(name, field), value] as const]
  })

/** The JSON with the other rows whose fields it shows. Each row is looked up once, however many fields are shown. */
function withOthers({ fields, beside }: Document | LineDocument, alias: string, json: Sql): Sql {
  const others = othersOf(fields)
  if (others.length === 0 && beside === undefined) return json
  return `(select ${json} from ${beside?.(quoteName(alias)) ?? '(select) this'} ${others
    .map(
      ({ of, column }) => `left join lateral (
        select * from ${quoteName(of.table)}
        where tenant_id = ${quoteName(alias, 'tenant_id')} and id = ${quoteName(alias, column)} limit 1
      ) ${quoteName(otherOf(alias, column))} on true`,
    )
    .join(' ')})`
}

const otherOf = (alias: string, column: string): string => `${alias} ${column}`

/** JSON text of an object of these members. */
export function objectJson(members: SqlMembers): Sql {
  const pieces = members.flatMap(([name, value], at) => [quoteText(`${at === 0 ? '{' : ','}"${name}":`), ...value])
  return joined([...pieces, quoteText('}')])
}

function fieldJson(field: Field, name: string, alias: string): readonly Sql[] | null {
  if (field.is === 'lines') return field.words === null ? null : [linesJson(field.of, alias)]
  if (field.is === 'group') return [objectJson(membersJson(Object.entries(field.fields), alias))]
  if (field.is === 'shown') return [shownJson(field, alias)]
  if (field.is === 'derived') return field.render(alias)
  if (field.is === 'field-of') {
    const shown = shownColumn(field)
    return shown.render(quoteName(otherOf(alias, field.column), shown.column ?? field.field))
  }
  if (field.reply === null) return null
  return field.render(valueIn(field, field.column ?? name, alias))
}

/** JSON text of an array of these elements; null gives an empty array. */
export const arrayJson = (elements: Sql): Sql => joined([quoteText('['), `coalesce(${elements}, '')`, quoteText(']')])

function linesJson(line: LineDocument, alias: string): Sql {
  const row = quoteName('line')
  return arrayJson(`(
    select string_agg(${documentJson(line, 'line')}, ',' order by ${row}.id) from ${quoteName(line.table)} ${row}
    where ${row}.tenant_id = ${quoteName(alias, 'tenant_id')}
      and ${quoteName('line', line.parent)} = ${quoteName(alias, 'id')}
  )`)
}

/** The shown field of the other record. It is also null if there is no other record. */
function shownColumn({ of, field: name, nullable: isOptional }: FieldOf): Column {
  const field = fieldNamed(of.fields, name)
  if (field.is !== 'column') throw new Error(`${of.kind}.${name} is no column`)
  return isOptional && !field.nullable ? nullableColumn(field) : field
}

/**
 * A subquery instead of a join: without current statistics the planner would read a tenant's few partners first and then its 100,000 orders
 * (53 ms for a page of 200, 16 ms with the subquery).
 */
function shownJson({ of, fields, column }: Shown, alias: string): Sql {
  const members = fields.map(name => [name, fieldJson(fieldNamed(of.fields, name), name, 'other') ?? []] as const)
  return `(
    select ${objectJson(members)} from ${quoteName(of.table)} other
    where other.tenant_id = ${quoteName(alias, 'tenant_id')} and other.id = ${quoteName(alias, column)}
  )`
}

// ---- in memory

type Renderer = (record: AnyRecord, lookup: Lookup) => Json
type Member = { readonly name: string; readonly isLines: boolean; readonly json: Renderer }
type Renderable = { readonly fields: Fields; readonly envelope?: string | null }

const membersOf = memoized(({ fields }: Renderable): readonly Member[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const json = rendererOf(field, name)
    return json === null ? [] : [{ name: nameOf(name, field), isLines: field.is === 'lines', json }]
  }),
)

function rendererOf(field: Field, name: string): Renderer | null {
  if (field.is === 'lines')
    return field.words === null
      ? null
      : (record, lookup) => `[${record[name].map((line: AnyRecord) => render(field.of, line, lookup)).join(',')}]`
  if (field.is === 'group') return (record, lookup) => render(field, record, lookup)
  if (field.is === 'derived') return record => field.json(record as never)
  if (field.is === 'field-of') {
    const shown = shownColumn(field)
    return (record, lookup) => {
      const id = record[field.column]
      return id === null ? 'null' : shown.json(lookup(field.of, id)[field.field])
    }
  }
  if (field.is === 'shown') {
    const members = field.fields.map(of => [of, rendererOf(fieldNamed(field.of.fields, of), of)] as const)
    return (record, lookup) => {
      const other = lookup(field.of, record[field.column])
      return `{${members.map(([of, json]) => `"${of}":${json?.(other, lookup)}`).join(',')}}`
    }
  }
  return field.reply === null ? null : record => field.json(record[name] as never)
}

/** JSON text of a record. */
export const render = (document: Renderable, record: AnyRecord, lookup: Lookup): Json =>
  put(
    document,
    membersOf(document).map(member => ({ ...member, text: member.json(record, lookup) })),
  ) ?? '{}'

/** JSON of the old values of the shown fields that differ; null: none differs. */
export function renderPrevious(
  document: Renderable,
  { before, after }: { readonly before: AnyRecord; readonly after: AnyRecord },
  lookup: Lookup,
): Json | null {
  return put(
    document,
    membersOf(document).flatMap(member => {
      const [old, now] = [member.json(before, lookup), member.json(after, lookup)]
      return old === now ? [] : [{ ...member, text: old }]
    }),
  )
}

type Text = { readonly name: string; readonly isLines: boolean; readonly text: Json }

/** An object of the members. Null without members. */
function put({ envelope = null }: Renderable, members: readonly Text[]): Json | null {
  if (members.length === 0) return null
  const object = (of: readonly Text[]) => `{${of.map(({ name, text }) => `"${name}":${text}`).join(',')}}`
  if (envelope === null) return object(members)
  const [head, lines] = [members.filter(({ isLines }) => !isLines), members.filter(({ isLines }) => isLines)]
  return object([{ name: envelope, isLines: false, text: object(head) }, ...lines])
}

function fieldNamed(fields: Fields, name: string): Field {
  const field = fields[name]
  if (field === undefined) throw new Error(`there is no field ${name} to show`)
  return field
}
