/**
 * The fields of declared documents: of each its Postgres type, its value in rules, its JSON in both renderers and its words for
 * the reference. A field must not know the document that it stands in.
 */
import type * as v from 'valibot'
import { COST_PLACES, EXCHANGE_RATE_PLACES, formatScaled, MICRO_PLACES, parseScaled } from '../../platform/decimal.ts'
import { type Choices, shape } from '../api/fields.ts'
import * as reply from '../api/reply-fields.ts'
import type { Document } from './document.ts'
import { quoteName, quoteText, type Sql } from './sql.ts'

/** A column: `T` is its value in rules, null included where it is nullable. */
export type Column<T = unknown> = {
  readonly is: 'column'
  /** The column's name, where it is another than the field's. */
  readonly column?: string
  /** Its name in JSON, where it is another than the field's. */
  readonly called?: string
  /** As `jsonb_to_recordset` spells it. */
  readonly type: string
  readonly nullable: boolean
  /** The document whose id it holds. */
  readonly refersTo?: Document
  /** Of the JSON document; null: no JSON shows it. */
  readonly reply: v.GenericSchema | null
  /** From the text that `select` gives. */
  readonly read: (text: string) => T
  /** The value in a row of `jsonb_to_recordset`. */
  readonly write: (value: T) => unknown
  readonly json: (value: T) => string
  /** What loads it as text. */
  readonly select: (column: Sql) => Sql
  /** Its JSON, as pieces for `concat`; of a column that is null one piece alone is null. */
  readonly render: (column: Sql) => readonly Sql[]
}

/** A shown value that follows from the record's others, in either renderer. */
export type Derived<R = never> = {
  readonly is: 'derived'
  readonly reply: v.GenericSchema
  /** Its JSON, from the record. */
  readonly json: (record: R) => string
  /** Its JSON, as pieces for `concat`, from the row of this alias. */
  readonly render: (alias: string) => readonly Sql[]
}

type Form<T> = Pick<Column<T>, 'read' | 'write' | 'json' | 'select' | 'render'>

const asText = (column: Sql): Sql => `${column}::text`
const quote: Sql = `'"'`
const quoted = (text: Sql): readonly Sql[] => [quote, text, quote]
const same = <T>(value: T): T => value

const column = <T>(type: string, schema: v.GenericSchema, form: Form<T>): Column<T> => ({
  is: 'column',
  type,
  nullable: false,
  reply: schema,
  ...form,
})

/** Text without characters that JSON escapes. */
const plainForm: Form<string> = {
  read: same,
  write: same,
  json: value => `"${value}"`,
  select: asText,
  render: col => quoted(asText(col)),
}

/** An int64 id; in rules it is text. */
export const key = (): Column<string> => column('bigint', reply.idText(), plainForm)

/** The id of another record. */
export const reference = (of?: Document): Column<string> => ({ ...key(), ...(of ? { refersTo: of } : {}) })

export const text = (): Column<string> =>
  column('text', reply.plainText(), {
    ...plainForm,
    json: value => JSON.stringify(value),
    render: col => [`to_json(${col})`],
  })

/** One of a closed list. */
export const choice = <const C extends Choices>(choices: C): Column<keyof C & string> =>
  column('text', reply.choice(choices), plainForm as Form<keyof C & string>)

export const flag = (): Column<boolean> =>
  column<boolean>('boolean', reply.truth(), {
    read: given => given === 'true',
    write: same,
    json: String,
    select: asText,
    render: col => [asText(col)],
  })

/** A 32-bit whole number. */
export const whole = (): Column<number> =>
  column<number>('integer', reply.wholeNumber(), {
    read: Number,
    write: same,
    json: String,
    select: asText,
    render: col => [asText(col)],
  })

/** A whole number beyond 32 bits, below 2^53. */
export const longWhole = (): Column<number> => ({ ...whole(), type: 'bigint' })

/** Bytes; in rules hex. No JSON shows them. */
export const bytes = (): Column<string> => ({
  ...column<string>('bytea', reply.plainText(), {
    ...plainForm,
    write: value => `\\x${value}`,
    select: col => `encode(${col}, 'hex')`,
  }),
  reply: null,
})

/** Texts in their order. */
export const textList = (): Column<readonly string[]> =>
  column<readonly string[]>('text[]', reply.plainTexts(), {
    read: given => JSON.parse(given) as string[],
    write: same,
    json: value => JSON.stringify(value),
    select: col => `to_json(${col})::text`,
    render: col => [`to_json(${col})`],
  })

/** A decimal of so many places: in rules a BigInt that counts 10^-places. */
const decimal = (places: number): Column<bigint> =>
  column<bigint>('numeric', reply.decimal(places), {
    read: given => parseScaled(given, places),
    write: value => formatScaled(value, places),
    json: value => formatScaled(value, places),
    select: asText,
    render: col => [`trim_scale(${col})`],
  })

export const quantity = () => decimal(MICRO_PLACES)
export const price = () => decimal(MICRO_PLACES)
export const percent = () => decimal(4)
export const money = () => decimal(COST_PLACES)
export const cost = () => decimal(COST_PLACES)
export const exchangeRate = () => decimal(EXCHANGE_RATE_PLACES)

/** A moment; in rules `2026-11-21T05:00:00.000Z`. */
export const instant = (): Column<string> =>
  column('timestamptz', reply.instant(), {
    ...plainForm,
    select: col => `iso(${col})`,
    render: col => quoted(`iso(${col})`),
  })

/** A calendar day; in rules `2026-11-21`. */
export const day = (): Column<string> => column('date', reply.day(), plainForm)

/** An object of these texts, each null where it is absent, in one jsonb column. */
export const texts = (names: readonly string[]): Column<Readonly<Record<string, string | null>>> =>
  column('jsonb', shape(Object.fromEntries(names.map(of => [of, reply.orNull(reply.plainText())]))), {
    read: given => JSON.parse(given) as Record<string, string | null>,
    write: same,
    json: value => `{${names.map(of => `"${of}":${JSON.stringify(value[of] ?? null)}`).join(',')}}`,
    select: asText,
    render: col => [
      ...names.flatMap((of, at) => [
        quoteText(`${at === 0 ? '{' : ','}"${of}":`),
        `coalesce(${col} -> ${quoteText(of)}, 'null')`,
      ]),
      quoteText('}'),
    ],
  })

/** An object of texts under any names, in a jsonb column, whose order of names JSON keeps: shorter first, then by bytes. */
export const textMap = (): Column<Readonly<Record<string, string>>> =>
  column<Readonly<Record<string, string>>>('jsonb', reply.stringMap(), {
    read: given => JSON.parse(given) as Record<string, string>,
    write: same,
    json: value => {
      const entries = Object.entries(value).map(([of, text]) => ({ of: Buffer.from(of), name: of, text }))
      entries.sort((a, b) => a.of.length - b.of.length || a.of.compare(b.of))
      return `{${entries.map(({ name, text }) => `${JSON.stringify(name)}:${JSON.stringify(text)}`).join(',')}}`
    },
    select: asText,
    // There are no nulls, but it is compact so.
    render: col => [`json_strip_nulls(${col}::json)`],
  })

// ---- what a field may be beside its kind

/** May be absent, which JSON shows as null. */
export const nullable = <T>(field: Column<T>): Column<T | null> => ({
  ...field,
  nullable: true,
  reply: field.reply && reply.orNull(field.reply),
  write: value => (value === null ? null : field.write(value)),
  json: value => (value === null ? 'null' : field.json(value)),
  render: col => {
    const [only = '', ...more] = field.render(col)
    if (more.length === 0) return [`coalesce((${only})::text, 'null')`]
    return [`case when ${col} is null then 'null' else concat(${[only, ...more].join(', ')}) end`]
  },
})

/** A column that no JSON shows. */
export const hidden = <T>(field: Column<T>): Column<T> => ({ ...field, reply: null })

/** Stands in a column of another name. */
export const inColumn = <T>(name: string, field: Column<T>): Column<T> => ({ ...field, column: name })

/** Has another name in JSON. */
export const called = <T>(name: string, field: Column<T>): Column<T> => ({ ...field, called: name })

/** Adds words where the name does not say all. */
export const explained = <T>(field: Column<T>, words: string): Column<T> => ({
  ...field,
  reply: field.reply && reply.explained(field.reply, words),
})

/** A shown value that follows from the record, and in SQL from columns of its row; `field` says what it looks like. */
export const derived = <T, R = unknown>(
  field: Column<T>,
  of: (record: R) => T,
  sql: (column: (name: string) => Sql) => Sql,
): Derived<R> => ({
  is: 'derived',
  reply: field.reply ?? reply.plainText(),
  json: record => field.json(of(record)),
  render: alias => field.render(`(${sql(name => quoteName(alias, name))})`),
})

/** A shown sum of two decimals of the record. */
export const sumOf = <const A extends string, const B extends string>(
  [a, b]: readonly [A, B],
  places = COST_PLACES,
): Derived<Readonly<Record<A | B, bigint>>> => ({
  is: 'derived',
  reply: reply.decimal(places),
  json: record => formatScaled(record[a] + record[b], places),
  render: alias => [`trim_scale(${quoteName(alias, a)} + ${quoteName(alias, b)})`],
})
