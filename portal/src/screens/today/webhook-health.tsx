/** Whether webhooks arrive. */
import { Group, Stack, Text } from '@mantine/core'
import { queryOptions } from '@tanstack/react-query'
import { Status } from '../../format.tsx'
import { PathLink } from '../../patterns/path-link.tsx'
import { useApi } from '../../session.tsx'
import { Panel } from './panel.tsx'

export function WebhookHealth() {
  const api = useApi()
  const query = queryOptions({
    queryKey: ['webhook-subscriptions', 'health'] as readonly unknown[],
    refetchInterval: 60_000,
    queryFn: async ({ signal }) => (await api.webhookSubscriptions.list({ limit: 50 }, { signal })).data,
  })
  return (
    <Panel
      title="Webhooks"
      scope="read:webhooks"
      query={query}
      aside={<PathLink to="/webhooks">All webhooks</PathLink>}
      isEmpty={subscriptions => subscriptions.length === 0}
      whenEmpty="Nobody is told of events yet: POST /webhook-subscriptions makes a subscription."
    >
      {subscriptions => (
        <Stack gap={6} px="sm" pb="sm" pt={4}>
          {subscriptions.map(({ id, url, status, last_failure_reason }) => (
            <div key={id}>
              <Group gap="xs" justify="space-between" wrap="nowrap">
                <Text size="sm" truncate title={url}>
                  {url}
                </Text>
                <Status code={status} />
              </Group>
              {status !== 'active' && last_failure_reason !== null && (
                <Text size="xs" c="dimmed">
                  {last_failure_reason}
                </Text>
              )}
            </div>
          ))}
        </Stack>
      )}
    </Panel>
  )
}
