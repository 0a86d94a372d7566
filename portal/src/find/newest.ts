/** Records of which the interface filters no part of the number: they are looked for among the newest, and by their whole reference. */
import type { ExactApi } from '../exact.ts'
import { queries } from '../queries.ts'

/** So many are read at once, and kept while a text is typed. */
export const NEWEST_MAX = 200
const KEPT_MS = 60_000

type Numbered = { readonly id: string; readonly number: string }
type Query = {
  readonly limit: number
  readonly order?: 'desc'
  readonly external_ref?: string
  readonly number?: string
}
type Options = { readonly signal: AbortSignal }
type List<One> = (api: ExactApi, query: Query, options: Options) => PromiseLike<{ readonly data: readonly One[] }>

/**
 * @param whole what the interface can be asked for, in full.
 * @param texts what else of a record is looked through.
 */
export const newestOr =
  <One extends Numbered>(
    name: string,
    list: List<One>,
    {
      whole,
      texts = () => [],
    }: {
      readonly whole: 'external_ref' | 'number'
      readonly texts?: (one: One) => readonly (string | null)[]
    },
  ) =>
  async (api: ExactApi, q: string, options: Options): Promise<{ readonly data: One[] }> => {
    const [named, newest] = await Promise.all([
      list(api, { [whole]: q, limit: NEWEST_MAX }, options),
      queries.fetchQuery({
        queryKey: [name, 'newest'],
        queryFn: async ({ signal }) => (await list(api, { limit: NEWEST_MAX, order: 'desc' }, { signal })).data,
        staleTime: KEPT_MS,
      }),
    ])
    const wanted = q.toLowerCase()
    const found = newest.filter(one => [one.number, ...texts(one)].some(text => text?.toLowerCase().includes(wanted)))
    return { data: [...new Map([...named.data, ...found].map(one => [one.id, one])).values()] }
  }
