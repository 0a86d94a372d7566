/** A key: what it may do, what became of its requests, and its end. */
import { Code, List } from '@mantine/core'
import type { ApiKey } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { Instant, quantityText, Status } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { Closed } from '../../patterns/closed.tsx'
import { RecordOf, RecordPage } from '../../patterns/detail-page.tsx'
import { useFilters } from '../../patterns/filters.tsx'
import { scopeWords } from '../../patterns/in-words.ts'
import { Section } from '../../patterns/section.tsx'
import { useSession } from '../../session.tsx'
import { RequestRecords } from './request-records.tsx'

const route = getRouteApi('/keys/$id')

export const Key = () => (
  <RecordOf route={route} kind="API key" name="api-keys" of={api => api.apiKeys}>
    {key => <Shown apiKey={key} />}
  </RecordOf>
)

function Shown({ apiKey }: { readonly apiKey: Exact<ApiKey> }) {
  const { api, can, me } = useSession()
  const { search, filter, onClear } = useFilters(route)
  const { id, name, status, rate, scopes } = apiKey
  const isOwn = id === me.key_id
  return (
    <RecordPage
      title={name}
      status={<Status code={status} />}
      steps={
        status === 'valid' && (
          <Step
            scope="write:keys"
            label="Revoke"
            title="Revoke the key"
            explains={`Within 5 seconds nothing can be read or written with it any more, for good.${isOwn ? ' You are signed in with this key: you will be signed out.' : ''}`}
            button={{ color: 'red', variant: 'outline' }}
            send={(_, sending) => api.apiKeys.revoke(id, sending)}
            done={() => `${name} is revoked`}
          />
        )
      }
      facts={[
        ['User', apiKey.user_name ?? 'issued without a name'],
        ['Last used', apiKey.last_used_at ? <Instant key="used" at={apiKey.last_used_at} /> : 'not in 90 days'],
        ['Made', <Instant key="made" at={apiKey.created_at} />],
        ['Ends', apiKey.expires_at && <Instant at={apiKey.expires_at} />],
        ['Revoked', apiKey.revoked_at && <Instant at={apiKey.revoked_at} />],
        ['Requests a minute', quantityText(rate.per_minute)],
        ['Documents a day', quantityText(apiKey.daily_documents)],
      ]}
    >
      <Section title="What it may do">
        <List size="sm" p="sm">
          {scopes.map(scope => (
            <List.Item key={scope} className="address">
              {scopeWords(scope)} <Code>{scope}</Code>
            </List.Item>
          ))}
        </List>
      </Section>
      {can('read:requests') ? (
        <RequestRecords search={{ ...search, key_id: id }} filter={filter} onClear={onClear} />
      ) : (
        <Section title="Requests">
          <Closed scope="read:requests" />
        </Section>
      )}
    </RecordPage>
  )
}
