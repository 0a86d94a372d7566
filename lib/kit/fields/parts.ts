/**
 * Parts of a line as a field: objects of declared fields, in their order, in one jsonb column with values as texts. A line without parts
 * costs no row and no statement.
 */
import * as v from 'valibot'
import { shape } from '../api/fields.ts'
import { explained } from '../api/reply-fields.ts'
import { type Fields, lineOf, type RecordOf, type SentParts } from '../documents/document.ts'
import { arrayJson, objectJson, render } from '../documents/render.ts'
import type { Sql } from '../documents/sql.ts'
import type { Column } from './field.ts'

export type PartsOf<F extends Fields> = readonly RecordOf<{ readonly fields: F }>[]

type Values = Readonly<Record<string, unknown>>
type Stored = Readonly<Record<string, string | null>>

const nothing = () => {
  throw new Error('a part shows no fields of other records')
}

/** The SQL of a field of the part `part.value`. */
const valueIn = (name: string, { type }: Column): Sql => `(part.value ->> '${name}')::${type}`

/**
 * @param words describes the parts in answers
 * @param source the SQL of the column's value if it is read from elsewhere; then it is never written
 */
export function parts<const F extends Fields>(
  fields: F,
  words: string,
  source?: (row: Sql) => Sql,
): Column<PartsOf<F>> {
  const columns = Object.entries(fields as Readonly<Record<string, Column>>)
  const shown = columns.filter(([, { reply }]) => reply !== null)
  const read = (stored: Stored): object =>
    Object.fromEntries(
      columns.map(([name, column]) => {
        const text = stored[name] ?? null
        return [name, text === null ? null : column.read(text)]
      }),
    )
  const written = (part: Values): object =>
    Object.fromEntries(
      columns.map(([name, column]) => {
        const value = column.write(part[name])
        return [name, value === null ? null : String(value)]
      }),
    )
  const isSame = (one: Values, other: Values): boolean =>
    columns.every(([name, { same }]) => one[name] === other[name] || same?.(one[name], other[name]) === true)
  const object = objectJson(shown.map(([name, column]) => [name, column.render(valueIn(name, column))]))
  return {
    is: 'column',
    type: 'jsonb',
    nullable: false,
    reply: explained(
      v.array(shape(Object.fromEntries(shown.map(([name, { reply }]) => [name, reply ?? v.any()])))),
      words,
    ),
    read: text => (JSON.parse(text) as Stored[]).map(read) as unknown as PartsOf<F>,
    write: value => (value as unknown as readonly Values[]).map(written),
    json: value => `[${value.map(part => render({ fields }, part, nothing)).join(',')}]`,
    same: (one, other) =>
      one.length === other.length && one.every((part, at) => isSame(part as Values, other[at] as Values)),
    select: column => `${column}::text`,
    render: column => [
      `case when ${column} = '[]' then '[]' else ${arrayJson(`(
        select string_agg(${object}, ',' order by part.place) from jsonb_array_elements(${column}) with ordinality part (value, place)
      )`)} end`,
    ],
    ...(source === undefined ? {} : { source }),
  }
}

/** The column whose fields bodies send: all parts or, in a change, none. If a body leaves them out, the rules decide. */
export const sentParts = <T, const F extends Fields>(
  column: Column<T>,
  fields: F,
  { max, words }: { readonly max: number; readonly words: string },
): SentParts<T, F, 'decided'> => ({
  ...column,
  of: lineOf({ table: '', parent: '', fields }),
  sentWords: words,
  sentLines: { absent: 'decided', on: 'both', min: 1, max, by: 'whole' },
})
