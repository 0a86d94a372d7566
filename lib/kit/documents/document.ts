/**
 * The declaration of a document: its table, its fields, its lines, and the fields of other records that it shows. The reply schema, both
 * renderers, loading and writing are derived from it (by the files beside this one).
 */

import type { Absent, Column, Derived, On, Referred, SentLines } from '../fields/field.ts'
import type { Sql } from './sql.ts'

/** Fields of another record that a document shows. The document's column contains the other record's id. */
export type Shown<C extends string = string> = {
  readonly is: 'shown'
  readonly column: C
  readonly of: Document
  /** Fields of the other record. */
  readonly fields: readonly string[]
  readonly nullable: boolean
}

/**
 * A field of the record whose id the column contains, shown among the document's own fields. If that record has no lines, it is loaded with
 * the document. If it has lines, a command that renders the document must have asked for it.
 */
export type FieldOf = {
  readonly is: 'field-of'
  readonly column: string
  readonly of: Document
  readonly field: string
  /** Whether the column, and so this field, may be null. */
  readonly nullable: boolean
}

/** The lines of a document, in the order of their ids, and how they are sent. */
export type Lines<F extends Fields = Fields, S extends SentLines = SentLines> = {
  readonly is: 'lines'
  readonly of: LineDocument<F>
  /** The order in which JSON shows them; null: the document's JSON does not show them. */
  readonly words: string | null
  /** The description of the lines in bodies; null: that of their name. */
  readonly sentWords: string | null
  readonly sentLines: S
}

/** Lines whose declaration must still say how bodies send them. */
type UnsentLines<F extends Fields> = Lines<
  F,
  { absent: 'refused'; on: 'never'; min: number; max: number; by: 'whole' }
> & {
  writable<
    const A extends Absent = 'refused',
    const O extends On = 'both',
    const By extends SentLines['by'] = 'id',
  >(sent: {
    readonly max: number
    /** Default: 1. */
    readonly min?: number
    readonly absent?: A
    readonly on?: O
    readonly by?: By
    readonly entries?: SentLines['entries']
  }): Lines<F, { absent: A; on: O; min: number; max: number; by: By }>
}

/** A column of parts (parts.ts) that bodies send by fields of their own. */
export type SentParts<T = unknown, F extends Fields = Fields, A extends Absent = Absent> = Column<T> & {
  readonly of: LineDocument<F>
  readonly sentWords: string
  readonly sentLines: {
    readonly absent: A
    readonly on: 'both'
    readonly min: number
    readonly max: number
    readonly by: 'whole'
  }
}

/** Fields that JSON shows as an object of their own. In the record and the table they are among the others. */
export type Group<F extends Fields = Fields> = {
  readonly is: 'group'
  readonly fields: F
  readonly words: string
}

// biome-ignore lint/suspicious/noExplicitAny: a column of any value; the declaration infers the values
type AnyColumn = Column<any>
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyLines = Lines<any, any>
// biome-ignore lint/suspicious/noExplicitAny: as above
export type Field = AnyColumn | SentParts<any, any, any> | Derived<any> | Shown | FieldOf | AnyLines | Group<any>
/** The fields by name, in the order of the JSON document. */
export type Fields = Readonly<Record<string, Field>>

/** Fields that the unit of work sets are not visible to rules. */
type OfColumns<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly isStamped: true }
    ? never
    : F[K] extends AnyColumn
      ? K
      : never]: F[K] extends Column<infer T> ? T : never
}
type OfShown<F extends Fields> = {
  readonly [K in keyof F as F[K] extends Shown<infer C> ? C : never]: string
}
type OfLines<F extends Fields> = {
  readonly [K in keyof F as F[K] extends AnyLines ? K : never]: F[K] extends {
    readonly is: 'lines'
    readonly of: LineDocument<infer L>
  }
    ? readonly FieldValues<L>[]
    : never
}
type OfGroups<F extends Fields> = Together<
  { [K in keyof F]: F[K] extends Group<infer G> ? (group: OfColumns<G>) => void : never }[keyof F]
>
type Together<T> = [T] extends [never] ? unknown : [T] extends [(group: infer G) => void] ? G : never
type FieldValues<F extends Fields> = OfColumns<F> & OfShown<F> & OfLines<F> & OfGroups<F>

/** A record in memory: columns by field name, ids of shown records by column name, lines as an array. It is never changed in place. */
export type RecordOf<D extends { readonly fields: Fields }> = FieldValues<D['fields']>

type Common<F extends Fields> = {
  readonly table: string
  readonly fields: F
  /** The columns with their properties of the record, `id` first. */
  readonly columns: readonly BoundColumn[]
  /** Whether other processes, such as the webhook process, also write its rows. A command that loads such rows locks them. */
  readonly shared: boolean
  /** Another row that is read with each row, for fields `from` it: exactly one, as an item of a `from` clause. */
  readonly beside?: (row: Sql) => Sql
}

/** A column of the table, and its property of the record. */
export type BoundColumn = { readonly property: string; readonly column: string; readonly field: Column }

export type LineDocument<F extends Fields = Fields> = Common<F> & {
  /** The column with the document's id. */
  readonly parent: string
  /** What one line is called. */
  readonly noun: string
}

export type Document<F extends Fields = Fields> = Common<F> & {
  /** `sales_order`: also the name of its counted numbers and the prefix of its events. */
  readonly kind: string
  /** The document's name in messages. */
  readonly noun: string
  /** The description of a field with its id. Default: `the sales order`. */
  readonly referredAs?: string
  /** Fields that are unique in a tenant unless they are null. */
  readonly unique: readonly (keyof F & string)[]
  /** The prefix of its counted numbers (`SO`); null: it has no numbers. */
  readonly prefix: string | null
  /** The key under which JSON shows all fields except the lines; null: the fields are beside the lines. */
  readonly envelope: string | null
  /** The field that is set in removed records, until their rows are deleted. */
  readonly removedBy: (keyof F & string) | null
  /** Documents to which this one refers have a lower rank: their rows are written first. */
  readonly rank: number
  /** The rows of other tables, as `table id`, from which `from` fields of a record and its lines were read. */
  readFrom?(record: object): readonly string[]
  /** The fields that contain lines. */
  readonly lines: readonly { readonly property: string; readonly of: LineDocument }[]
  readonly shown: readonly { readonly property: string; readonly field: Shown }[]
}

/** A document with the types of its records. */
// biome-ignore lint/suspicious/noExplicitAny: as it says
export type AnyDocument = Document<any>

/** Declares a document. The first of its `fields` is `id`. */
export function document<const F extends Fields>(declaration: {
  readonly kind: string
  readonly noun: string
  readonly referredAs?: string
  readonly table: string
  readonly fields: F
  readonly unique?: readonly (keyof F & string)[]
  readonly prefix?: string
  readonly envelope?: string
  readonly removedBy?: keyof F & string
  readonly shared?: true
  readonly beside?: (row: Sql) => Sql
  readFrom?(record: object): readonly string[]
}): Document<F> {
  const entries = Object.entries(declaration.fields)
  const lines = entries.flatMap(([property, field]) => (field.is === 'lines' ? [{ property, of: field.of }] : []))
  return {
    unique: [],
    prefix: null,
    envelope: null,
    removedBy: null,
    shared: false,
    ...declaration,
    rank: 1 + Math.max(0, ...entries.flatMap(([, field]) => referredBy(field)).map(({ rank = 0 }) => rank)),
    columns: columnsOf(declaration.fields),
    lines,
    shown: entries.flatMap(([property, field]) => (field.is === 'shown' ? [{ property, field }] : [])),
  }
}

/** Declares the lines of a document. `parent`: the column with the document's id. `noun`: the name of one line; default: a line. */
export function lineOf<const F extends Fields>(declaration: {
  readonly table: string
  readonly parent: string
  readonly noun?: string
  readonly fields: F
  readonly shared?: true
}): LineDocument<F> {
  return { shared: false, noun: 'line', ...declaration, columns: columnsOf(declaration.fields) }
}

const unsent = { absent: 'refused', on: 'never', min: 1, max: 0, by: 'whole' } as const

/**
 * Lines that JSON shows. `writable` says how many a body may have, and how a change treats them. @param words the order in which JSON shows
 * them @param sentWords their meaning in bodies, if their name is not enough
 */
export const lines = <F extends Fields>(
  of: LineDocument<F>,
  words: string,
  sentWords: string | null = null,
): UnsentLines<F> => ({
  ...{ is: 'lines', of, words, sentWords, sentLines: unsent },
  writable: sent => ({
    ...{ is: 'lines', of, words, sentWords },
    sentLines: { ...unsent, on: 'both', by: 'id', ...sent } as never,
  }),
})

/** Lines that only bodies contain: no table stores them in this form. */
export const sentLines = <const F extends Fields>(fields: F, words: string | null = null): UnsentLines<F> =>
  lines(lineOf({ table: '', parent: '', fields }), '', words)

/** Lines that the document's JSON does not show. */
export const hiddenLines = <F extends Fields>(of: LineDocument<F>): Lines<F> => ({
  ...{ is: 'lines', of, words: null, sentWords: null, sentLines: unsent },
})

/** An object of these fields. `called` declares names that only JSON has. */
export const group = <const F extends Fields>(words: string, fields: F): Group<F> => ({ is: 'group', fields, words })

/** Shows fields of the record whose id the column contains. */
export const shown = <const C extends string>(column: C, of: Document, fields: readonly string[]): Shown<C> => ({
  is: 'shown',
  column,
  of,
  fields,
  nullable: false,
})

function referredBy(field: Field): readonly Referred[] {
  if (field.is === 'shown') return [field.of]
  if (field.is === 'lines') return Object.values(field.of.fields as Fields).flatMap(referredBy)
  if (field.is === 'group') return Object.values(field.fields as Fields).flatMap(referredBy)
  return field.is === 'column' && field.refersTo ? [field.refersTo] : []
}

export const fieldOf = (column: string, of: AnyDocument, field: string): FieldOf => ({
  is: 'field-of',
  column,
  of,
  field,
  nullable: false,
})

/** The same as `fieldOf`, for a column that may be null. */
export const fieldOfOptional = (column: string, of: AnyDocument, field: string): FieldOf => ({
  ...fieldOf(column, of, field),
  nullable: true,
})

/** The field's name in JSON. */
export const nameOf = (name: string, field: Field): string => (field.is === 'column' && field.called) || name

/** The other records whose fields the records show, each with its column. */
export const othersOf = (fields: Fields): readonly FieldOf[] => [
  ...new Map(
    Object.values(fields).flatMap(field => (field.is === 'field-of' ? [[field.column, field] as const] : [])),
  ).values(),
]

function columnsOf(fields: Fields): BoundColumn[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.is === 'column') return [{ property: name, column: field.column ?? name, field }]
    if (field.is === 'shown') return [{ property: field.column, column: field.column, field: idColumn(field) }]
    if (field.is === 'group') return columnsOf(field.fields)
    return []
  })
}

function idColumn({ of }: Shown): Column {
  const { id } = of.fields
  if (id?.is !== 'column') throw new Error(`${of.kind} declares no id`)
  return id
}
