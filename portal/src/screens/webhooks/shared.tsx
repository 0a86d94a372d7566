/** What the screens of webhooks share: the ways between them, the kinds of events, the secret of a subscription. */

import { Code, ScrollArea } from '@mantine/core'
import type { WebhookEventKind } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { ButtonLink } from '../../patterns/links.tsx'
import { SecretDialog } from '../../patterns/secret.tsx'
import { useSession } from '../../session.tsx'

const ways = [
  { to: '/webhooks', label: 'Subscriptions' },
  { to: '/webhooks/kinds', label: 'Event kinds' },
  { to: '/webhooks/live', label: 'Live events' },
] as const

export function Ways({ here }: { readonly here: (typeof ways)[number]['to'] }) {
  return ways
    .filter(({ to }) => to !== here)
    .map(({ to, label }) => (
      <ButtonLink key={to} to={to}>
        {label}
      </ButtonLink>
    ))
}

export type Kind = WebhookEventKind['kind']

/** They change with a new version of the service alone. */
export function useKinds() {
  const { verbatim } = useSession()
  return useQuery({
    queryKey: ['webhook-event-kinds'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await verbatim.webhookEventKinds.list({ limit: 200 }, { signal })).data,
  })
}

/** For inputs that choose among them: the list itself scrolls, and no part around it that a keyboard would have to reach. */
export const listScrolls = {
  withScrollArea: false,
  styles: { options: { maxHeight: 240, overflowY: 'auto' } },
} as const

type SecretProps = Pick<ComponentProps<typeof SecretDialog>, 'title' | 'secret' | 'onClose'>

/** It is shown this once. */
export const WebhookSecret = (props: SecretProps) => (
  <SecretDialog
    {...props}
    name="secret"
    explains="This secret signs every request (Standard Webhooks). It is shown now and never again: put it where your receiver reads it."
    whenLost="Rotate the secret to get one that you know."
  />
)

/** A document as JSON, its numbers as they were written (`verbatim` of the session). */
export function JsonBlock({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    <ScrollArea.Autosize mah={420} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <Code block className="json">
        {JSON.stringify(value, null, 2)}
      </Code>
    </ScrollArea.Autosize>
  )
}

/** A text of others among facts: it can be long and without spaces. */
export const broken = (text: string) => <span className="address">{text}</span>
