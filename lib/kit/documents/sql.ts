/**
 * Pieces of SQL that declarations are made into: plain text without values, put together once.
 */

/** A piece of a statement. It holds names and literals of declarations, never a value of a request. */
export type Sql = string

/** `"sales_orders"`, or `"r"."number"`. */
export const quoteName = (...names: string[]): Sql => names.map(name => `"${name.replaceAll('"', '""')}"`).join('.')

/** A text as SQL spells it. */
export const quoteText = (text: string): Sql => `'${text.replaceAll("'", "''")}'`
