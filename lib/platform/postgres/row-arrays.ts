/**
 * Rows as parameters of a statement: one array per column. PostgreSQL reads them in less than half the time of rows in JSON
 * (docs/performance.md).
 */

/** The columns' types in SQL. `json text`: a text without control characters, as every JSON text is. */
export type RowColumns = Readonly<Record<string, string>>

type Row = Readonly<Record<string, unknown>>

export type RowArrays = {
  /** The rows in SQL, to be followed by an alias with `names`. */
  readonly from: string
  readonly names: string
  /** The parameters, beginning with the first. */
  readonly valuesOf: (rows: readonly Row[]) => unknown[]
}

/**
 * The character occurs in no JSON text. Long texts are joined with it: in an array, PostgreSQL and the worker would escape their quotes one
 * by one.
 */
const SEPARATOR = '\u001e'
/** The character occurs in no text of a list. */
const ITEM_SEPARATOR = '\u001f'

/** @param first the number of the first parameter */
export function rowArrays(columns: RowColumns, first = 1): RowArrays {
  const all = Object.entries(columns)
  const arrays = all.map(([, type], at) => arrayOf(type, first + at))
  const names = all.map(([column]) => `"${column}"`).join(', ')
  const from = `unnest(${arrays.join(', ')})`
  return {
    from: all.some(isList) ? `(select ${all.map(castOf).join(', ')} from ${from} as u (${names}))` : from,
    names,
    valuesOf: rows => all.map(([column, type]) => valuesIn(rows, column, type)),
  }
}

/** Rows of several kinds in one statement. The parameters of a kind come after those of the kind before. */
export function inOneStatement<const Kinds extends readonly RowColumns[]>(
  ...kinds: Kinds
): { readonly [At in keyof Kinds]: RowArrays } {
  let first = 1
  const all = kinds.map(columns => {
    const rows = rowArrays(columns, first)
    first += Object.keys(columns).length
    return rows
  })
  return all as unknown as { readonly [At in keyof Kinds]: RowArrays }
}

type Column = readonly [column: string, type: string]
const isList = ([, type]: Column): boolean => type.endsWith('[]')

/** A list arrives as one text: `unnest` would flatten an array of arrays. Citus rejects a cast from text to a list in an update. */
const castOf = ([column, type]: Column): string =>
  isList([column, type])
    ? `string_to_array("${column}", chr(${ITEM_SEPARATOR.charCodeAt(0)}))::${type} as "${column}"`
    : `"${column}"`

function arrayOf(type: string, parameter: number): string {
  if (type === 'json text') return `string_to_array($${parameter}::text, chr(${SEPARATOR.charCodeAt(0)}), '')`
  return `$${parameter}::${isList(['', type]) ? 'text' : type}[]`
}

function valuesIn(rows: readonly Row[], column: string, type: string): unknown {
  if (type === 'json text') return rows.map(row => jsonText(row[column])).join(SEPARATOR)
  if (type === 'jsonb') return rows.map(row => (row[column] == null ? null : JSON.stringify(row[column])))
  if (isList([column, type])) return rows.map(row => listText(row[column] as readonly string[] | null | undefined))
  return rows.map(row => row[column] ?? null)
}

/** A text with the separator would move the texts of all later rows to other rows, also of other tenants. */
function jsonText(value: unknown): string {
  const text = String(value ?? '')
  if (text.includes(SEPARATOR)) throw new RangeError('a text that is no JSON')
  return text
}

function listText(list: readonly string[] | null | undefined): string | null {
  if (list?.some(item => item === '' || item.includes(ITEM_SEPARATOR)))
    throw new RangeError('a list with an item that it cannot hold')
  return list?.join(ITEM_SEPARATOR) ?? null
}
