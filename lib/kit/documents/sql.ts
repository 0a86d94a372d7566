/** Parts of SQL made from declarations: plain text without values, made once. */

/** A part of a statement. It contains names and literals of declarations, never a value of a request. */
export type Sql = string

/** `"sales_orders"`, or `"r"."number"`. */
export const quoteName = (...names: string[]): Sql => names.map(name => `"${name.replaceAll('"', '""')}"`).join('.')

/** A text as an SQL literal. */
export const quoteText = (text: string): Sql => `'${text.replaceAll("'", "''")}'`

/**
 * Joins texts. Adjacent literals become one. The result is null if one of them is null: `||` takes a quarter of the time of `concat`, which
 * would leave nulls out.
 */
export const joined = (pieces: readonly Sql[]): Sql => {
  const all: Sql[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (last && isLiteral(last) && isLiteral(piece)) all[all.length - 1] = `${last.slice(0, -1)}${piece.slice(1)}`
    else all.push(piece)
  }
  return `(${all.join(' || ')})`
}

const isLiteral = (text: Sql): boolean => /^'(?:[^']|'')*'$/.test(text)
