/** Finds records whose numbers the API cannot filter by a part: it searches the newest records, and by the whole reference. */
import type { ExactApi } from '../exact.ts'
import { type AnyNoun, nameOf } from '../noun.ts'
import { queries } from '../queries.ts'

/** How many records are read at a time, and kept while a person types. */
export const NEWEST_MAX = 200
const KEPT_MS = 60_000

type Found = { readonly id: string }

/** @param whole the field that the API filters by its whole value. */
export const newestOr =
  (noun: AnyNoun, whole: 'external_ref' | 'number') =>
  async (api: ExactApi, q: string, signal: AbortSignal): Promise<readonly Found[]> => {
    const { of, resource, find } = noun
    const read = async (query: object, of_: AbortSignal): Promise<readonly Found[]> =>
      (await of(api).list({ ...query, limit: NEWEST_MAX } as never, { signal: of_ })).data
    const [named, newest] = await Promise.all([
      read({ [whole]: q }, signal),
      queries.fetchQuery({
        queryKey: [resource, 'newest'],
        queryFn: options => read({ order: 'desc' }, options.signal),
        staleTime: KEPT_MS,
      }),
    ])
    const wanted = q.toLowerCase()
    const texts = (one: Found): readonly (string | null)[] => (find && 'texts' in find && find.texts?.(one)) || []
    const found = newest.filter(one =>
      [nameOf(noun, one), ...texts(one)].some(text => text?.toLowerCase().includes(wanted)),
    )
    return [...new Map([...named, ...found].map(one => [one.id, one])).values()]
  }
