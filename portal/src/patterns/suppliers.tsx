/** Suppliers whose ids rows have: their titles and links. */
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session.tsx'
import { IDS_MAX, rowsOf } from './groups.ts'
import { DocumentLink } from './links.tsx'

/** Empty until they are loaded, and for a key that may not read them. */
export function useSupplierTitles(ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const { api, can } = useSession()
  const wanted = [...new Set(ids.filter(id => id !== null))].toSorted()
  const { data } = useQuery({
    queryKey: ['suppliers', 'titles', ...wanted],
    queryFn: async ({ signal }) => {
      const rows = await rowsOf(wanted, id => api.suppliers.list({ id, limit: IDS_MAX }, { signal }))
      return new Map(rows.map(({ id, title }) => [id, title]))
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
