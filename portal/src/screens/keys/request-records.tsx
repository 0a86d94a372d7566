/** Writes with what became of each: of all keys, or of one. */

import { Code, Text } from '@mantine/core'
import type { ListRequestsQuery, LoggedRequest } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { listQuery } from '../../lists.ts'
import { column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodesFilter, TextFilter } from '../../patterns/filters.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { Records } from '../../patterns/list-page.tsx'
import { RequestText } from '../../patterns/request-text.tsx'
import { useApi } from '../../session.tsx'

type Row = Exact<LoggedRequest>

const columns: Columns<Row> = [
  column.instant('When', ({ created_at }) => created_at),
  column.shown('Request', ({ method, path, request_id }) => (
    <>
      {method === null || path === null ? <Code>unknown</Code> : <RequestText method={method} path={path} />}
      <Text size="xs" c="dimmed">
        {request_id}
      </Text>
    </>
  )),
  column.shown(
    'By',
    ({ key_id, user_name }) => <PathLink to={`/keys/${key_id}`}>{user_name ?? `key ${key_id}`}</PathLink>,
    'sm',
  ),
  column.status('Outcome', ({ outcome }) => outcome),
  column.shown('Answer', ({ status, error, message, first_sequence, last_sequence }) => (
    <>
      {error === null ? status : `${status} ${error}`}
      {message !== null && (
        <Text size="xs" c="dimmed">
          {message}
        </Text>
      )}
      {first_sequence !== null && (
        <Text size="xs" c="dimmed">
          {first_sequence === last_sequence
            ? `event ${first_sequence}`
            : `events ${first_sequence} to ${last_sequence}`}
        </Text>
      )}
    </>
  )),
  column.shown('Idempotency key', ({ idempotency_key }) => <Code>{idempotency_key}</Code>, 'lg'),
]

type Filter = { readonly value: string | undefined; readonly onChange: (value: string | undefined) => void }
type Props = {
  readonly search: Omit<ListRequestsQuery, 'key_id'> & { readonly key_id?: string | undefined }
  readonly filter: (name: 'outcome' | 'request_id' | 'idempotency_key') => Filter
  readonly onClear: (() => void) | undefined
}

export function RequestRecords({ search, filter, onClear }: Props) {
  const api = useApi()
  return (
    <Records
      title="Requests"
      query={listQuery(['requests'], search, (query, options) => api.requests.list(query, options))}
      columns={columns}
      leads={false}
      onClear={onClear}
      whenEmpty="Nothing was written in the last 30 days."
      filters={
        <>
          <CodesFilter label="Outcome" of={['done', 'refused']} {...filter('outcome')} />
          <TextFilter label="Request" {...filter('request_id')} />
          <TextFilter label="Idempotency key" {...filter('idempotency_key')} />
        </>
      }
    />
  )
}
