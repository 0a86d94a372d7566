/** Who holds a key to the interface: the list of keys, and a page each with what it may do and what became of its requests. */
import { Code, List as Items } from '@mantine/core'
import { Instant, quantityText } from '../../format.tsx'
import type { OneOf } from '../../noun.ts'
import { Step } from '../../patterns/action-form.tsx'
import { column } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { scopeWords } from '../../patterns/in-words.ts'
import { Closed } from '../../patterns/lacking.tsx'
import { ButtonLink, DocumentLink } from '../../patterns/links.tsx'
import { Section } from '../../patterns/section.tsx'
import { Small } from '../../patterns/small.tsx'
import { useSession } from '../../session.tsx'
import { NewKey } from './new-key.tsx'
import { apiKeys } from './nouns.ts'
import { RequestRecords } from './request-records.tsx'

export const { List, Page } = documentScreens(apiKeys, {
  columns: [
    column.shown('Name', ({ id, name, user_name }) => (
      <>
        <DocumentLink kind="API_KEY" id={id} className="row-link wraps">
          {name}
        </DocumentLink>
        {user_name !== null && <Small>{user_name}</Small>}
      </>
    )),
    column.status('Status', ({ status }) => status),
    column.instant('Last used', ({ last_used_at }) => last_used_at),
    column.instant('Created', ({ created_at }) => created_at, 'sm'),
    column.instant('Ends', ({ expires_at }) => expires_at, 'md'),
    column.figure('Scopes', ({ scopes }) => String(scopes.length), 'md'),
  ],
  actions: (
    <>
      <ButtonLink to="/requests">Who did what</ButtonLink>
      <NewKey />
    </>
  ),
  whenEmpty: 'Nobody has a key.',
  steps: apiKey => apiKey.status === 'valid' && <Revoke apiKey={apiKey} />,
  facts: apiKey => [
    ['User', apiKey.user_name ?? 'issued without a name'],
    ['Last used', apiKey.last_used_at ? <Instant key="used" at={apiKey.last_used_at} /> : 'not in 90 days'],
    ['Created', <Instant key="made" at={apiKey.created_at} />],
    ['Ends', apiKey.expires_at && <Instant at={apiKey.expires_at} />],
    ['Revoked', apiKey.revoked_at && <Instant at={apiKey.revoked_at} />],
    ['Requests a minute', quantityText(apiKey.rate.per_minute)],
    ['Documents a day', quantityText(apiKey.daily_documents)],
  ],
  related: ({ id, scopes }) => (
    <>
      <Section title="What it may do">
        <Items size="sm" p="sm">
          {scopes.map(scope => (
            <Items.Item key={scope} className="address">
              {scopeWords(scope)} <Code>{scope}</Code>
            </Items.Item>
          ))}
        </Items>
      </Section>
      <RequestsOf keyId={id} />
    </>
  ),
})

function Revoke({ apiKey: { id, name } }: { readonly apiKey: OneOf<typeof apiKeys> }) {
  const { api, me } = useSession()
  const own = id === me.key_id ? ' You are signed in with this key: you will be signed out.' : ''
  return (
    <Step
      scope="write:keys"
      label="Revoke"
      title="Revoke the key"
      explains={`Within 5 seconds nothing can be read or written with it any more, for good.${own}`}
      button={{ color: 'red', variant: 'outline' }}
      send={(_, sending) => api.apiKeys.revoke(id, sending)}
      done={() => `${name} is revoked`}
    />
  )
}

function RequestsOf({ keyId }: { readonly keyId: string }) {
  const { can } = useSession()
  return can('read:requests') ? (
    <RequestRecords keyId={keyId} />
  ) : (
    <Section title="Requests">
      <Closed scope="read:requests" />
    </Section>
  )
}
