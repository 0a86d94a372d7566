/** The kinds of events: they change with a new version of the service alone. */
import type { WebhookEventKind } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../session.tsx'

export type Kind = WebhookEventKind['kind']

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
