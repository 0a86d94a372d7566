/** Ids in groups of the size that the API takes. */
import type { ExactApi } from '../exact.ts'

/** The most ids that the API takes at once. */
export const IDS_MAX = 100

export const inGroups = (ids: readonly string[]): readonly string[][] =>
  Array.from({ length: Math.ceil(ids.length / IDS_MAX) }, (_, index) =>
    ids.slice(index * IDS_MAX, (index + 1) * IDS_MAX),
  )

export const rowsOf = async <Row>(
  ids: readonly string[],
  read: (group: readonly string[]) => PromiseLike<{ readonly data: readonly Row[] }>,
): Promise<readonly Row[]> => (await Promise.all(inGroups([...new Set(ids)]).map(read))).flatMap(({ data }) => data)

type ReadAll<One> = (api: ExactApi, ids: readonly string[]) => Promise<ReadonlyMap<string, One>>
type Moment<One> = { readonly ids: Set<string>; readonly found: Promise<ReadonlyMap<string, One>> }

/** Reads one record by its id. All ids that components need at one moment (rows of a table) are read in one request. */
export function together<One>(read: ReadAll<One>): (api: ExactApi, id: string) => Promise<One | null> {
  const moments = new WeakMap<ExactApi, Moment<One>>()
  const begun = (api: ExactApi): Moment<One> => {
    const ids = new Set<string>()
    const found = new Promise(resolve => setTimeout(resolve)).then(async () => {
      moments.delete(api)
      const groups = await Promise.all(inGroups([...ids].toSorted()).map(group => read(api, group)))
      return new Map(groups.flatMap(group => [...group]))
    })
    moments.set(api, { ids, found })
    return { ids, found }
  }
  return async (api, id) => {
    const { ids, found } = moments.get(api) ?? begun(api)
    ids.add(id)
    return (await found).get(id) ?? null
  }
}
