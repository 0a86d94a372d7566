/**
 * A field of a declared document: its column, the bodies that may send it, what its absence means, and its description. A field must not
 * depend on its document. kinds.ts has the kinds of fields.
 */
import type * as v from 'valibot'
import { JsonNumber, type JsonValue } from '../../platform/json.ts'
import { explained, orNull } from '../api/reply-fields.ts'
import { joined, quoteName, type Sql } from '../documents/sql.ts'

/** The target of a reference: a document, or the lines of one (`parent`). Referenced documents are written first, by `rank`. */
export type Referred = {
  readonly table: string
  readonly rank?: number
  readonly parent?: string
  /** The name in messages: `sales order`, `line`. */
  readonly noun: string
  /** The description of a field with its id, where the noun is not enough. */
  readonly referredAs?: string
}

/** A column. `T` is its value in rules, with null if it is nullable. */
export type Column<T = unknown> = {
  readonly is: 'column'
  /** The column's name, if it differs from the field's. */
  readonly column?: string
  /** The field's name in JSON, if that differs. */
  readonly called?: string
  /**
   * The SQL of its value where no column of its table has it. It may use the row and what is joined to it. Such a field is never written.
   */
  readonly source?: (row: Sql) => Sql
  /** The type in SQL. */
  readonly type: string
  readonly nullable: boolean
  /** The document whose id it contains. */
  readonly refersTo?: Referred
  /** The prefix of its counted numbers: `SO` of `SO-00001`. */
  readonly prefix?: string
  /** The schema of the field in the document's JSON; null: JSON does not show the field. */
  readonly reply: v.GenericSchema | null
  /** Reads the text that `select` gives. */
  readonly read: (text: string) => T
  /** The value as a parameter; for `jsonb` a value to turn into JSON. */
  readonly write: (value: T) => unknown
  readonly json: (value: T) => string
  /** The SQL that loads it as text. */
  readonly select: (column: Sql) => Sql
  /** The JSON of the column, as texts to join. For a null column one of the texts is null. */
  readonly render: (column: Sql) => readonly Sql[]
  /** The names of an object of texts. */
  readonly parts?: readonly string[]
  /** Whether two values are equal. Undefined: they are equal if they are identical. */
  readonly same?: ((one: T, other: T) => boolean) | undefined
  /** The unit of work sets it; rules do not. */
  readonly isStamped?: true
}

/** The SQL of a field in the row with this alias. */
export const valueIn = ({ source }: Column, column: string, alias: string): Sql =>
  source === undefined ? quoteName(alias, column) : `(${source(quoteName(alias))})`

/** A shown value that is computed from the record's other values, in TypeScript and in SQL. */
export type Derived<R = never> = {
  readonly is: 'derived'
  readonly reply: v.GenericSchema
  /** The JSON of the field, made from the record. */
  readonly json: (record: R) => string
  /** The JSON of the field, as texts to join, made from the row with this alias. */
  readonly render: (alias: string) => readonly Sql[]
}

/** The bodies that may contain a field: a new record's, a change's, or both. */
export type On = 'never' | 'create' | 'change' | 'both'
/**
 * The effect when a new record's body leaves the field out: it is refused, a value is filled in, the rules decide, or the next counted
 * number is taken (the body then has null).
 */
export type Absent = 'refused' | 'filled' | 'decided' | 'counted'

/** How a body may refer to a record without its id: by `sku` instead of `item_variant_id`. */
export type Naming = {
  /** The name of the field in bodies. */
  readonly as: string
  readonly leaf: v.GenericSchema
  readonly words: string
  /** The refusal of a text that names no record: `is the sku of no unarchived variant`. */
  readonly unknown: string
  /** A need that loads the named records. lib/kit/documents/naming.ts has its type. */
  readonly find: (texts: readonly string[]) => object
}

/** How a change is merged with the stored value. */
export type Merging = {
  /** Reads the sent change. */
  readonly leaf: v.GenericSchema
  /** The value after the change (the same object if equal). `fault` says what is wrong. */
  readonly merge: (before: unknown, change: unknown) => { readonly after: unknown } | { readonly fault: string }
}

/** How bodies send a field. */
export type Sent<A extends Absent = Absent, O extends On = On> = {
  /** Reads the sent value, except null; a decimal as text. */
  readonly leaf: v.GenericSchema
  readonly takesNull: boolean
  readonly absent: A
  readonly on: O
  /** The value that is filled in. */
  readonly fallback: JsonValue
  /** How a change is merged with the stored value. Undefined: the sent value replaces it. */
  readonly merging?: Merging
  /** The other field that a body may send instead. */
  readonly naming?: Naming
  /**
   * The description in a body that makes a record, and in one that changes it. null: the description of the field's name (vocabulary.ts).
   */
  readonly words: { readonly made: string; readonly changed: string } | null
}

/**
 * How bodies send lines. A change replaces all lines (`whole`), or names lines by their ids (`id`). `kept`: by their ids, without removing
 * any.
 */
export type SentLines = {
  readonly absent: Absent
  readonly on: On
  readonly min: number
  readonly max: number
  readonly by: 'id' | 'kept' | 'whole'
  /** How many entries a change by `id` may have. Default: enough to change or remove each line, and to add as many. */
  readonly entries?: { readonly min: number; readonly max: number }
}

type Default = string | boolean | number | Readonly<Record<string, never>>

/** A column, and how bodies send it. Each method returns a changed copy. */
export type Field<T, A extends Absent = 'refused', O extends On = 'never'> = Column<T> & {
  readonly sent: Sent<A, O>
  /** The field may be null. Null is the default in a new record. */
  orNull(): Field<T | null, 'filled', O>
  /** The field may be null in records, but bodies cannot send null. */
  shownOrNull(): Field<T | null, A, O>
  /** The default in a new record. */
  default(value: Default): Field<T, 'filled', O>
  /** The rules decide the value if a new record's body leaves the field out. */
  decided(): Field<T, 'decided', O>
  /** A counted number if the body sends none: `SO-00001`. */
  counted(prefix: string): Field<T, 'counted', O>
  /** A new record's body must have the field, even if its value may be null. */
  required(): Field<T, 'refused', O>
  /** Bodies may send the field: of new records, of changes, or of both. */
  writable(): Field<T, A, 'both'>
  writable<const W extends 'create' | 'change'>(on: W): Field<T, A, W>
  /**
   * Sets the field's description, if neither its name (vocabulary.ts) nor its kind is enough. `made`: the description in the body of a new
   * record, if it differs, such as the default.
   */
  words(words: string, made?: string): Field<T, A, O>
  /** A change is merged with the stored value. */
  mergedBy(merging: Merging): Field<T, A, O>
  /** A body may refer to the record by another text. */
  namedBy(naming: Naming): Field<T, A, O>
  /** JSON does not show it. */
  hidden(): Field<T, A, O>
  inColumn(name: string): Field<T, A, O>
  /** Renames the field in JSON. */
  as(name: string): Field<T, A, O>
  /** The field is only read, with this SQL, which may use the row. */
  from(sql: Sql | ((row: Sql) => Sql)): Field<T, A, O>
}

// biome-ignore lint/suspicious/noExplicitAny: a field of any value; declarations infer the values
export type AnyField = Field<any, Absent, On>

/** A field of this column, not yet writable. @param leaf reads the sent value */
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

/** The value as a body has it. */
const rawOf = (value: Default): JsonValue => (typeof value === 'number' ? new JsonNumber(String(value)) : value)

const orBothNull = <T>(same: Column<T>['same']): Column<T | null>['same'] =>
  same && ((one, other) => (one === null || other === null ? one === other : same(one, other)))

/** The same column, nullable: JSON shows null. */
export const nullableColumn = <T>(column: Column<T>): Column<T | null> => ({
  ...column,
  nullable: true,
  reply: column.reply && orNull(column.reply),
  write: value => (value === null ? null : column.write(value)),
  json: value => (value === null ? 'null' : column.json(value)),
  same: orBothNull(column.same),
  render: of => [`coalesce(${joined(column.render(of))}, 'null')`],
})
