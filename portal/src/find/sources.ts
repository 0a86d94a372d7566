/** The sources of the search: the query to each noun that can be found, and what results show. */
import type { ExactApi } from '../exact.ts'
import { words } from '../format.tsx'
import { type AnyNoun, FOUND_MAX, type Result } from '../noun.ts'
import { documentPath, nouns } from '../nouns.ts'
import { meaningOf } from '../patterns/scans.ts'
import { joinedTexts } from '../patterns/titles.ts'
import type { Scan } from '../records.ts'
import { newestOr } from './newest.ts'

export type Source = {
  readonly label: string
  readonly scope: string
  /** Lists that only know whole numbers are queried only for texts that look like one. */
  readonly takes?: RegExp
  readonly find: (api: ExactApi, q: string, signal: AbortSignal) => Promise<readonly Result[]>
}

const NUMBER = /^[a-z]{1,4}-?\d+$/i

const limit = FOUND_MAX

/** The query to a list. The API's numbers are in capitals. */
const queries = {
  part: (q: string) => ({ q, limit, order: 'desc' }),
  title: (q: string) => ({ q, limit }),
  number: (q: string) => ({ number: q.toUpperCase(), limit }),
} as const

/** The records that a scan of the text would find. A record that another source also finds is shown with that source. */
export const scans: Source = {
  label: 'This code',
  scope: 'read:stock',
  find: async (api, q, signal) => (await meaningOf(api, q, { signal }))?.matches.flatMap(matchResult) ?? [],
}

function matchResult(match: Scan['matches'][number]): readonly Result[] {
  const { item_id, item_variant_id, batch_id, source_type, source_id } = match
  const goods = joinedTexts(match.title, match.sku)
  const [kind, id, label, hint] =
    source_type !== null
      ? [source_type, source_id, match.number, words(source_type)]
      : batch_id !== null
        ? ['BATCH', batch_id, match.batch_number, goods]
        : ['VARIANT', `${item_id}/${item_variant_id}`, match.title, match.sku]
  const to = documentPath(kind, id ?? '')
  return to === undefined ? [] : [{ id: `${kind} ${id}`, label: label ?? '', hint, to, isExact: true }]
}

export const sources: readonly Source[] = [
  scans,
  ...nouns.flatMap(noun => (noun.find ? [sourceOf(noun as AnyNoun)] : [])),
]

function sourceOf(noun: AnyNoun): Source {
  const { find, many, scope } = noun
  if (find === undefined || 'search' in find)
    return {
      ...{ label: many, scope },
      find: async (api, q, signal) => (await find?.search(api, q, { signal }))?.slice(0, limit) ?? [],
    }
  const { by, label = many } = find
  const read =
    typeof by === 'string'
      ? async (api: ExactApi, q: string, signal: AbortSignal): Promise<readonly object[]> =>
          (await noun.of(api).list(queries[by](q) as never, { signal })).data
      : newestOr(noun, by.newest)
  return {
    ...{ label, scope, ...(by === 'number' ? { takes: NUMBER } : {}) },
    find: async (api, q, signal) => (await read(api, q, signal)).slice(0, limit).map(one => resultOf(noun, one, q)),
  }
}

function resultOf({ path, find, named }: AnyNoun, record: object, q: string): Result {
  const one = (named?.(record) ?? record) as Readonly<Record<string, string>>
  return {
    id: one.id ?? '',
    label: one.number ?? one.title ?? '',
    hint: (find && 'hint' in find && find.hint?.(record)) || null,
    to: `${path}/${one.id}`,
    isExact: one.number?.toLowerCase() === q.toLowerCase(),
  }
}
