/**
 * The declaration of a document: its table, its fields, its lines and what it shows of others, stated once. Reply schema,
 * both renderers, loading and writing derive from it (see the neighbours of this file).
 */

import type { Absent, Column, Derived, On, Referred, SentLines } from '../fields/field.ts'
import type { Sql } from './sql.ts'

/** What a document shows of another record: its column holds the other's id. */
export type Shown<C extends string = string> = {
  readonly is: 'shown'
  readonly column: C
  readonly of: Document
  /** Fields of the other. */
  readonly fields: readonly string[]
  readonly nullable: boolean
}

/**
 * A field of the record whose id the column holds, shown among the document's own. A record without lines is loaded with the
 * document; who renders one of a record that has lines must have asked for it.
 */
export type FieldOf = {
  readonly is: 'field-of'
  readonly column: string
  readonly of: Document
  readonly field: string
  /** The column may be null, and then this is too. */
  readonly nullable: boolean
}

/** The lines of a document, in the order of their ids, and how they are sent. */
export type Lines<F extends Fields = Fields, S extends SentLines = SentLines> = {
  readonly is: 'lines'
  readonly of: LineDocument<F>
  /** In which order JSON shows them; null: no JSON of the document does. */
  readonly words: string | null
  /** What they mean in bodies; null: what their name means. */
  readonly sentWords: string | null
  readonly sentLines: S
}

/** Lines whose declaration goes on with how they are sent. */
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

/** Fields that JSON shows as an object of their own; in the record and the table they stand among the others. */
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
export type Field = AnyColumn | Derived<any> | Shown | FieldOf | AnyLines | Group<any>
/** By name, in the order of the JSON document. */
export type Fields = Readonly<Record<string, Field>>

/** What the unit of work sets is no matter of rules. */
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

/** A record in memory: columns by field name, ids of shown others by column name, lines as an array. Never changed in place. */
export type RecordOf<D extends { readonly fields: Fields }> = FieldValues<D['fields']>

type Common<F extends Fields> = {
  readonly table: string
  readonly fields: F
  /** Columns with the record's property that each holds, `id` first. */
  readonly columns: readonly BoundColumn[]
  /** Others than the tenant's commands write its rows too: they are locked when a command loads them. */
  readonly shared: boolean
  /** What else is read for a row, for fields that are `from` it: exactly one row, as the list of a `from` clause. */
  readonly beside?: (row: Sql) => Sql
}

/** A column of the table, and where its value stands in the record. */
export type BoundColumn = { readonly property: string; readonly column: string; readonly field: Column }

export type LineDocument<F extends Fields = Fields> = Common<F> & {
  /** The column that names the document. */
  readonly parent: string
  /** What one is called. */
  readonly noun: string
}

export type Document<F extends Fields = Fields> = Common<F> & {
  /** `sales_order`: also what its counted numbers and its events are called by. */
  readonly kind: string
  /** What it is called in messages. */
  readonly noun: string
  /** What a field means that holds its id; `the sales order` unless said. */
  readonly referredAs?: string
  /** Fields that are unique in a tenant where they are not null. */
  readonly unique: readonly (keyof F & string)[]
  /** Before its counted numbers (`SO`); null: it has none. */
  readonly prefix: string | null
  /** The key under which JSON shows all fields but the lines; null: beside them. */
  readonly envelope: string | null
  /** The field that is set in records that are there no more, until their rows are removed. */
  readonly removedBy: (keyof F & string) | null
  /** Documents that it refers to have a lower one: their rows are written first. */
  readonly rank: number
  /** The rows of other tables, as `table id`, from which `from` fields of a record and of its lines were read. */
  readFrom?(record: object): readonly string[]
  /** The fields with lines. */
  readonly lines: readonly { readonly property: string; readonly of: LineDocument }[]
  readonly shown: readonly { readonly property: string; readonly field: Shown }[]
}

/** A document whose declaration holds the types of its records. */
// biome-ignore lint/suspicious/noExplicitAny: as it says
export type AnyDocument = Document<any>

/** Declares a document. `fields` begin with `id`. */
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

/** Declares the lines of a document; `parent` is the column that names it, `noun` what one is called if not a line. */
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
 * Lines that JSON shows. `writable` says how many a body may have, and what a change does with them.
 * @param words in which order JSON shows them
 * @param sentWords what they mean in bodies, where their name does not say it
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

/** Lines that only bodies send: no table holds them as they are sent. */
export const sentLines = <const F extends Fields>(fields: F, words: string | null = null): UnsentLines<F> =>
  lines(lineOf({ table: '', parent: '', fields }), '', words)

/** Lines that the document's JSON does not show. */
export const hiddenLines = <F extends Fields>(of: LineDocument<F>): Lines<F> => ({
  ...{ is: 'lines', of, words: null, sentWords: null, sentLines: unsent },
})

/** An object of these fields; see `called` for names that JSON alone knows. */
export const group = <const F extends Fields>(words: string, fields: F): Group<F> => ({ is: 'group', fields, words })

/** Shows fields of the record whose id the column holds. */
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

/** As `fieldOf`, of a column that may be null. */
export const fieldOfOptional = (column: string, of: AnyDocument, field: string): FieldOf => ({
  ...fieldOf(column, of, field),
  nullable: true,
})

/** What JSON calls the field. */
export const nameOf = (name: string, field: Field): string => (field.is === 'column' && field.called) || name

/** The others that records show fields of, each with its column. */
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
