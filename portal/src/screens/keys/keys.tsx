/** Who holds a key to the interface. */
import { Text } from '@mantine/core'
import type { ApiKey } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodesFilter } from '../../patterns/filters.tsx'
import { ButtonLink, PathLink } from '../../patterns/links.tsx'
import { ListOf } from '../../patterns/list-of.tsx'

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

export const Keys = () => (
  <ListOf
    title="API keys"
    route={route}
    name="api-keys"
    of={api => api.apiKeys}
    columns={columns}
    actions={<ButtonLink to="/requests">Requests</ButtonLink>}
    whenEmpty="The operator of the service issues keys."
    filters={filter => <CodesFilter label="Status" of={['valid', 'expired', 'revoked']} {...filter('status')} />}
  />
)
