/**
 * A field of a declared document: its column, who may send it, what a body means that leaves it out, and its words. A field must not
 * know the document that it stands in. The kinds of fields are in kinds.ts.
 */
import type * as v from 'valibot'
import { JsonNumber, type JsonValue } from '../../platform/json.ts'
import { explained, orNull } from '../api/reply-fields.ts'
import { joined, quoteName, type Sql } from '../documents/sql.ts'

/** What a reference names: a document, or the lines of one (`parent`). Documents that are referred to are written first, by `rank`. */
export type Referred = {
  readonly table: string
  readonly rank?: number
  readonly parent?: string
  /** What one is called: `sales order`, `line`. */
  readonly noun: string
  /** What a field means that holds its id, where the noun does not say it. */
  readonly referredAs?: string
}

/** A column: `T` is its value in rules, null included where it is nullable. */
export type Column<T = unknown> = {
  readonly is: 'column'
  /** The column's name, where it is another than the field's. */
  readonly column?: string
  /** Its name in JSON, where it is another than the field's. */
  readonly called?: string
  /** The SQL of its value where no column of its table holds it: from the row, and from what is read beside it. It is never written. */
  readonly source?: (row: Sql) => Sql
  /** As SQL spells it. */
  readonly type: string
  readonly nullable: boolean
  /** The document whose id it holds. */
  readonly refersTo?: Referred
  /** What its counted numbers begin with: `SO` of `SO-00001`. */
  readonly prefix?: string
  /** Of the JSON document; null: no JSON shows it. */
  readonly reply: v.GenericSchema | null
  /** From the text that `select` gives. */
  readonly read: (text: string) => T
  /** The value as a parameter; of `jsonb` what becomes JSON. */
  readonly write: (value: T) => unknown
  readonly json: (value: T) => string
  /** What loads it as text. */
  readonly select: (column: Sql) => Sql
  /** Its JSON, as texts to join; of a column that is null, one of them is null. */
  readonly render: (column: Sql) => readonly Sql[]
  /** Of an object of texts: the names of these. */
  readonly parts?: readonly string[]
  /** Whether two values are the same; absent: where they are identical. */
  readonly same?: ((one: T, other: T) => boolean) | undefined
  /** The unit of work sets it: rules do not know the field. */
  readonly isStamped?: true
}

/** What SQL reads of a field in the row of this alias. */
export const valueIn = ({ source }: Column, column: string, alias: string): Sql =>
  source === undefined ? quoteName(alias, column) : `(${source(quoteName(alias))})`

/** A shown value that follows from the record's others, in either renderer. */
export type Derived<R = never> = {
  readonly is: 'derived'
  readonly reply: v.GenericSchema
  /** Its JSON, from the record. */
  readonly json: (record: R) => string
  /** Its JSON, as texts to join, from the row of this alias. */
  readonly render: (alias: string) => readonly Sql[]
}

/** The bodies in which a field may be sent: that of a new record, that of a change, or both. */
export type On = 'never' | 'create' | 'change' | 'both'
/**
 * What the body of a new record means that leaves the field out: it is refused, a value is filled in, the rules decide, or the next counted
 * number is taken (the body has null then).
 */
export type Absent = 'refused' | 'filled' | 'decided' | 'counted'

/** How a body may name what a reference refers to, beside its id: `sku` instead of `item_variant_id`. */
export type Naming = {
  /** The name of the field in bodies, which stands beside that of the id. */
  readonly as: string
  readonly leaf: v.GenericSchema
  /** What it means. */
  readonly words: string
  /** What is refused of a text that names nothing: `is the sku of no unarchived variant`. */
  readonly unknown: string
  /** A need of whom the texts name: its type is known where names are resolved (lib/kit/documents/naming.ts). */
  readonly find: (texts: readonly string[]) => object
}

/** How a change becomes part of the value that is there. */
export type Merging = {
  /** Reads what a change sends. */
  readonly leaf: v.GenericSchema
  /** The value after the change: the same object where it is the same; or what is wrong with it, in words. */
  readonly merge: (before: unknown, change: unknown) => { readonly after: unknown } | { readonly fault: string }
}

/** How a field is sent. */
export type Sent<A extends Absent = Absent, O extends On = On> = {
  /** Reads what is sent, null apart; a decimal as text. */
  readonly leaf: v.GenericSchema
  readonly takesNull: boolean
  readonly absent: A
  readonly on: O
  /** What is filled in. */
  readonly fallback: JsonValue
  /** How a change becomes part of the value that is there; without it, what is sent replaces the value. */
  readonly merging?: Merging
  /** What a body may say instead. */
  readonly naming?: Naming
  /** What it means in a body that makes a record, and in one that changes one; null: what its name means (vocabulary.ts). */
  readonly words: { readonly made: string; readonly changed: string } | null
}

/**
 * How lines are sent. A change replaces all of them (`whole`), or names lines by their ids (`id`; `kept`: it takes none of them out).
 */
export type SentLines = {
  readonly absent: Absent
  readonly on: On
  readonly min: number
  readonly max: number
  readonly by: 'id' | 'kept' | 'whole'
  /** How many entries a change by `id` may have; unless said, each line may change or go, and as many may be added. */
  readonly entries?: { readonly min: number; readonly max: number }
}

type Default = string | boolean | number | Readonly<Record<string, never>>

/** A column with how it is sent. Each method gives a changed copy. */
export type Field<T, A extends Absent = 'refused', O extends On = 'never'> = Column<T> & {
  readonly sent: Sent<A, O>
  /** May be null; a new record's is null where it is left out. */
  orNull(): Field<T | null, 'filled', O>
  /** May be null in records; no body sends null. */
  shownOrNull(): Field<T | null, A, O>
  /** Of a new record where it is left out. */
  default(value: Default): Field<T, 'filled', O>
  /** Left out of a new record, the rules decide. */
  decided(): Field<T, 'decided', O>
  /** A number of its own kind unless it is sent: `SO-00001`. */
  counted(prefix: string): Field<T, 'counted', O>
  /** Must be sent of a new record, also where it may be null. */
  required(): Field<T, 'refused', O>
  /** May be sent when a record is made and when it is changed. */
  writable(): Field<T, A, 'both'>
  writable<const W extends 'create' | 'change'>(on: W): Field<T, A, W>
  /**
   * What it means, where neither its name (vocabulary.ts) nor its kind says it. `made`: what it means in a body that makes a record, if
   * that is another thing, such as what is taken where the body leaves it out.
   */
  words(words: string, made?: string): Field<T, A, O>
  /** A change becomes part of the value that is there. */
  mergedBy(merging: Merging): Field<T, A, O>
  /** A body may name what it refers to by another text. */
  namedBy(naming: Naming): Field<T, A, O>
  /** No JSON shows it. */
  hidden(): Field<T, A, O>
  /** Stands in a column of another name. */
  inColumn(name: string): Field<T, A, O>
  /** Has another name in JSON. */
  as(name: string): Field<T, A, O>
  /** Is only read: by this SQL, which may name the row. */
  from(sql: Sql | ((row: Sql) => Sql)): Field<T, A, O>
}

// biome-ignore lint/suspicious/noExplicitAny: a field of any value; declarations infer the values
export type AnyField = Field<any, Absent, On>

/** A field of this column, not writable yet. @param leaf reads what is sent */
export const field = <T>(column: Column<T>, leaf: v.GenericSchema): Field<T> =>
  made(column, {
    leaf,
    takesNull: false,
    absent: 'refused',
    on: 'never',
    fallback: null,
    words: null,
  }) as unknown as Field<T>

// biome-ignore lint/suspicious/noExplicitAny: the methods know the types
function made(column: Column<any>, sent: Sent): object {
  const withColumn = (change: Partial<Column>) => made({ ...column, ...change }, sent)
  const withSent = (change: Partial<Sent>) => made(column, { ...sent, ...change })
  return {
    ...column,
    sent,
    orNull: () => made(nullableColumn(column), { ...sent, takesNull: true, absent: 'filled', fallback: null }),
    shownOrNull: () => made(nullableColumn(column), sent),
    default: (value: Default) => withSent({ absent: 'filled', fallback: rawOf(value) }),
    decided: () => withSent({ absent: 'decided' }),
    counted: (prefix: string) =>
      made({ ...column, prefix }, { ...sent, takesNull: true, absent: 'counted', fallback: null }),
    required: () => withSent({ absent: 'refused' }),
    writable: (on: On = 'both') => withSent({ on }),
    words: (words: string, inNew = words) =>
      made(
        { ...column, reply: column.reply && explained(column.reply, words) },
        { ...sent, words: { made: inNew, changed: words } },
      ),
    mergedBy: (merging: Merging) => withSent({ merging }),
    namedBy: (naming: Naming) => withSent({ naming }),
    hidden: () => withColumn({ reply: null }),
    inColumn: (name: string) => withColumn({ column: name }),
    as: (name: string) => withColumn({ called: name }),
    from: (sql: Sql | ((row: Sql) => Sql)) => withColumn({ source: typeof sql === 'string' ? () => sql : sql }),
  }
}

/** As it would stand in a body. */
const rawOf = (value: Default): JsonValue => (typeof value === 'number' ? new JsonNumber(String(value)) : value)

const orBothNull = <T>(same: Column<T>['same']): Column<T | null>['same'] =>
  same && ((one, other) => (one === null || other === null ? one === other : same(one, other)))

/** The same column, which may be null: JSON shows null. */
export const nullableColumn = <T>(column: Column<T>): Column<T | null> => ({
  ...column,
  nullable: true,
  reply: column.reply && orNull(column.reply),
  write: value => (value === null ? null : column.write(value)),
  json: value => (value === null ? 'null' : column.json(value)),
  same: orBothNull(column.same),
  render: of => [`coalesce(${joined(column.render(of))}, 'null')`],
})
