/** Who holds a key to the interface. */
import { Text } from '@mantine/core'
import type { ApiKey } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { listQuery } from '../../lists.ts'
import { column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodesFilter, useFilters } from '../../patterns/filters.tsx'
import { ButtonLink, PathLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { useApi } from '../../session.tsx'

const route = getRouteApi('/keys')

const columns: Columns<Exact<ApiKey>> = [
  column.shown('Name', ({ id, name, user_name }) => (
    <>
      <PathLink to={`/keys/${id}`} className="row-link">
        {name}
      </PathLink>
      {user_name !== null && (
        <Text size="xs" c="dimmed">
          {user_name}
        </Text>
      )}
    </>
  )),
  column.status('Status', ({ status }) => status),
  column.instant('Last used', ({ last_used_at }) => last_used_at),
  column.instant('Made', ({ created_at }) => created_at, 'sm'),
  column.instant('Ends', ({ expires_at }) => expires_at, 'md'),
  column.figure('Scopes', ({ scopes }) => String(scopes.length), 'md'),
]

export function Keys() {
  const api = useApi()
  const { search, filter, onClear } = useFilters(route)
  return (
    <ListPage
      title="API keys"
      query={listQuery(['api-keys'], search, (query, options) => api.apiKeys.list(query, options))}
      columns={columns}
      onClear={onClear}
      actions={<ButtonLink to="/requests">Requests</ButtonLink>}
      whenEmpty="The operator of the service issues keys."
      filters={<CodesFilter label="Status" of={['valid', 'expired', 'revoked']} {...filter('status')} />}
    />
  )
}
