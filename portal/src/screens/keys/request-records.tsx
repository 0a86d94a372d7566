/** Writes with what became of each: of all keys, or of one. */
import { Code, Text } from '@mantine/core'
import { askedOf } from '../../filters.ts'
import { listQuery } from '../../lists.ts'
import { type Columns, column } from '../../patterns/columns.tsx'
import { FilterInputs, here } from '../../patterns/filter-inputs.tsx'
import { useFilters } from '../../patterns/filters.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { Records } from '../../patterns/list-page.tsx'
import { RequestText } from '../../patterns/request-text.tsx'
import type { LoggedRequest as Row } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { requestFilters } from './nouns.ts'

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

/** @param keyId of one key; else of those that the address says. */
export function RequestRecords({ keyId }: { readonly keyId?: string }) {
  const api = useApi()
  const { search, filter, onClear } = useFilters(here)
  const asked = { ...askedOf(requestFilters, search), ...(keyId === undefined ? {} : { key_id: keyId }) }
  return (
    <Records
      title="Requests"
      query={listQuery(['requests'], asked, (query, options) => api.requests.list(query, options))}
      columns={columns}
      leads={false}
      onClear={onClear}
      whenEmpty="Nothing was written in the last 30 days."
      filters={<FilterInputs of={requestFilters} filter={filter} />}
    />
  )
}
