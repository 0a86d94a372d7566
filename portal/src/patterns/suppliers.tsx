/** Suppliers that rows name by their ids alone: their titles, and the way to their pages. */
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session.tsx'
import { DocumentLink } from './links.tsx'

/** The interface takes so many ids at once. */
const IDS_MAX = 100

/** Values in groups of so many as the interface takes at once. */
export const inGroups = (ids: readonly string[]): readonly string[][] =>
  Array.from({ length: Math.ceil(ids.length / IDS_MAX) }, (_, index) =>
    ids.slice(index * IDS_MAX, (index + 1) * IDS_MAX),
  )

/** Empty while they are not known, and for a key that may not read them. */
export function useSupplierTitles(ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const { api, can } = useSession()
  const wanted = [...new Set(ids.filter(id => id !== null))].toSorted()
  const { data } = useQuery({
    queryKey: ['suppliers', 'titles', ...wanted],
    queryFn: async ({ signal }) => {
      const read = (id: readonly string[]) => api.suppliers.list({ id, limit: IDS_MAX }, { signal })
      const pages = await Promise.all(inGroups(wanted).map(read))
      return new Map(pages.flatMap(page => page.data.map(({ id, title }) => [id, title])))
    },
    enabled: can('read:purchase') && wanted.length > 0,
  })
  return data ?? new Map()
}

type Props = { readonly id: string | null; readonly titles: ReadonlyMap<string, string> }

export function SupplierLink({ id, titles }: Props) {
  if (id === null) return '–'
  return (
    <DocumentLink kind="SUPPLIER" id={id}>
      {titles.get(id) ?? `Supplier ${id}`}
    </DocumentLink>
  )
}
