/** The filter `q`: every word, in any case, is part of a record's text. Wildcards of SQL have no meaning in it. */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import { text } from './fields.ts'
import type { Filter } from './list-filters.ts'
import { explained } from './reply-fields.ts'

/** Where records of a list are searched. */
export type Searched = {
  /** Has the columns `tenant_id` and `id`; `search_grams(tenant_id, text)` is indexed (sql/000026_lists.sql). */
  readonly table: string
  /** The text of the row of this alias of the table, in small letters. */
  readonly text: (alias: string) => Fragment
  /** The same of the row `r` of the list. */
  readonly textOfRow: Fragment
}

export const searchIn = ({ table, text: textOf, textOfRow }: Searched): Filter => ({
  schema: explained(text(), 'every word, in any case, is part of what the endpoint searches'),
  ask: ({ q }, { tenantId }) => {
    const words: readonly string[] = q?.split(/\s+/) ?? []
    const small = (texts: readonly string[]) => sql.fragment`search_text(${texts.join('\n')})`
    const patterns = small(words.map(word => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`))
    // A subquery without a reference runs once.
    const matches = (of: Fragment) =>
      sql.fragment`${of} like all ((select string_to_array(${patterns}, chr(10)))::text[])`
    const ids = sql.fragment`
      select t.id from ${sql.identifier([table])} t
      where search_grams(t.tenant_id, ${textOf('t')}) @> (select search_grams(${tenantId}::bigint, ${small(words)}))
        and ${matches(textOf('t'))}`
    // The index holds pairs of characters: a single one it does not know.
    const isIndexed = words.some(word => [...word].length > 1)
    const conditionIfGiven = sql.fragment`case when ${q ?? null}::text is null then true else ${matches(textOfRow)} end`
    return { found: { isGiven: q !== undefined, ids: isIndexed ? ids : null, conditionIfGiven } }
  },
})
