/** The filter `q`: a record's text contains every word, in any case. SQL wildcards have no meaning in it. */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import { identifier } from './fields.ts'
import type { Filter } from './list-filters.ts'
import { SORTED_MAX } from './page-ways.ts'
import { explained } from './reply-fields.ts'
import { arrayOf } from './same.ts'

/** A searchable table. It has the columns `tenant_id` and `id`, and `search_grams(tenant_id, text)` is indexed (sql/000001_tenants.sql). */
type Text = {
  readonly table: string
  /** The text of the row with this alias, in lower case. */
  readonly text: (alias: string) => Fragment
}

/** The searched text of a list's records. */
export type Searched = Text & {
  /** The text of the row `r` of the list. */
  readonly textOfRow: Fragment
}

/** Records with a text of their own that refer to another record. The title of the other record is searched too. */
export type SearchedByName = Text & {
  /** `(tenant_id, column, id)` is indexed. The other record's indexed text contains its `title`. */
  readonly named: Text & { readonly column: string }
}

export const searchIn = ({ table, text: textOf, textOfRow }: Searched): Filter =>
  search(textOfRow, ({ tenantId, words, patterns }) => {
    // The subquery refers to no row, so it runs once.
    const small = sql.fragment`(select search_text(array_to_string(${arrayOf(words, 'text')}, chr(10))))`
    return sql.fragment`
      select t.id from ${sql.identifier([table])} t
      where search_grams(t.tenant_id, ${textOf('t')}) @> (select search_grams(${tenantId}::bigint, ${small}))
        and ${matches(textOf('t'), patterns)}`
  })

/** Every word must be in the record's own text or in the other record's title. */
export function searchWithNames(searched: SearchedByName): Filter {
  const { text: textOf, named } = searched
  const title = sql.fragment`(
    select search_text(title) from ${sql.identifier([named.table])}
    where tenant_id = r.tenant_id and id = ${sql.identifier(['r', named.column])} limit 1
  )`
  return search(sql.fragment`concat(${textOf('r')}, chr(10), ${title})`, asked => idsByOneWord(searched, asked))
}

type Search = { readonly tenantId: string; readonly words: readonly string[]; readonly patterns: readonly string[] }

/** @param ids selects the `id`s of records that may contain the words. It must not leave out any that does */
const search = (textOfRow: Fragment, ids: (asked: Search) => Fragment): Filter => ({
  schema: explained(identifier(), 'every word, in any case, is part of what the endpoint searches'),
  ask: ({ q }: { readonly q?: string }, { tenantId }) => {
    const words = q?.split(/\s+/) ?? []
    const patterns = words.map(patternOf)
    // The index holds pairs of characters, so it cannot find single ones.
    const isIndexed = words.some(isKnownToIndex)
    const conditionIfGiven = sql.fragment`case when ${q ?? null}::text is null then true else ${matches(textOfRow, patterns)} end`
    return {
      found: { isGiven: q !== undefined, ids: isIndexed ? ids({ tenantId, words, patterns }) : null, conditionIfGiven },
    }
  },
})

const isKnownToIndex = (word: string): boolean => [...word].length > 1
const patternOf = (word: string): string => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

const matches = (of: Fragment, patterns: readonly string[]): Fragment => sql.fragment`${of} like all ((
  select string_to_array(search_text(array_to_string(${arrayOf(patterns, 'text')}, chr(10))), chr(10))
)::text[])`

/** The most words that are tried. The longest comes first, because it is usually the rarest. */
const TRIED_MAX = 4

/**
 * Ids of the records that contain one of the words, in their own text or in the title of the record that they refer to. It uses the first
 * word that few records contain. Words may be in different texts, so no index finds records by all words.
 */
function idsByOneWord({ table, text: textOf, named }: SearchedByName, { tenantId, words }: Search): Fragment {
  const max = SORTED_MAX + 1
  const tried = words
    .filter(isKnownToIndex)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, TRIED_MAX)
  const has = (text: Fragment, alias: string, part: Fragment) => sql.fragment`
    search_grams(${sql.identifier([alias, 'tenant_id'])}, ${text}) @> search_grams(${tenantId}::bigint, search_text(w.word))
    and ${part} like search_text(w.pattern)`
  const own = sql.fragment`
    select t.id from ${sql.identifier([table])} t where ${has(textOf('t'), 't', textOf('t'))}`
  // A record without references counts as one record that is read.
  const ofNamed = sql.fragment`
    select r.id
    from (
      select n.id from ${sql.identifier([named.table])} n where ${has(named.text('n'), 'n', sql.fragment`search_text(n.title)`)}
      offset 0
    ) n
    left join lateral (
      select r.id from ${sql.identifier([table])} r
      where r.tenant_id = ${tenantId}::bigint and ${sql.identifier(['r', named.column])} = n.id
      offset 0
    ) r on true`
  return sql.fragment`
    select unnest(ids) as id from (
      (
        select found.ids
        from unnest(${arrayOf(tried, 'text')}, ${arrayOf(tried.map(patternOf), 'text')}) w (word, pattern)
        cross join lateral (
          select array_agg(distinct id) filter (where id is not null) as ids, count(*) as looked
          from (select id from ((${own} limit ${max}) union all (${ofNamed} limit ${max})) each limit ${max}) looked
        ) found
        where found.looked < ${max}
        limit 1
      )
      -- Many have each word.
      union all (select array_fill(0::bigint, array[${max}::integer]))
      limit 1
    ) few`
}
