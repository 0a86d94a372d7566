/** The list of storage places. */
import { Badge } from '@mantine/core'
import type { StoragePlace } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { listQuery } from '../../lists.ts'
import { archivedOf, titleColumn, UseFilter } from '../../patterns/archived.tsx'
import { column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { useFilters } from '../../patterns/filters.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { useApi } from '../../session.tsx'
import { allowedText } from './allowed.ts'
import { NewPlace } from './steps.tsx'

const route = getRouteApi('/storage-places')

const columns: Columns<Exact<StoragePlace>> = [
  titleColumn('STORAGE_PLACE'),
  column.shown('Main', ({ is_main }) => is_main && <Badge miw="max-content">Main place</Badge>),
  column.shown('Code', ({ code }) => code, 'sm'),
  column.shown('May be used for', allowedText, 'sm'),
  column.shown('Town', ({ address }) => address?.city, 'md'),
]

export function Places() {
  const { storagePlaces } = useApi()
  const { search, filter, onClear } = useFilters(route)
  const query = { ...archivedOf(search.archived), order: 'asc' as const }
  return (
    <ListPage
      title="Storage places"
      query={listQuery(['storage-places'], query, (asked, options) => storagePlaces.list(asked, options))}
      columns={columns}
      onClear={onClear}
      whenEmpty="There are no storage places yet. Make one: stock lies there, and the first one is the main place."
      actions={<NewPlace />}
      filters={<UseFilter {...filter('archived')} />}
    />
  )
}
