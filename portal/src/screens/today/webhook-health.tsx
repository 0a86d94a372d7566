/** Whether webhooks arrive. */
import { Group, Stack } from '@mantine/core'
import { Status } from '../../format.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { Small } from '../../patterns/small.tsx'
import { useApi } from '../../session.tsx'

export function WebhookHealth() {
  const api = useApi()
  return (
    <Panel
      title="Webhooks"
      scope="read:webhooks"
      query={{
        queryKey: ['webhook-subscriptions', 'health'],
        refetchInterval: 60_000,
        queryFn: async ({ signal }) => (await api.webhookSubscriptions.list({ limit: 50 }, { signal })).data,
      }}
      aside={<PathLink to="/webhooks">All webhooks</PathLink>}
      whenEmpty={
        <>
          No other program is told of events yet.{' '}
          <PathLink to="/webhooks" inText>
            Make a subscription
          </PathLink>{' '}
          to begin.
        </>
      }
    >
      {subscriptions => (
        <Stack gap={6} px="sm" pb="sm" pt={4}>
          {subscriptions.map(({ id, url, status, last_failure_reason }) => (
            <div key={id}>
              <Group gap="xs" justify="space-between" wrap="nowrap">
                <PathLink to={`/webhooks/${id}`} className="address">
                  {url}
                </PathLink>
                <Status code={status} />
              </Group>
              {status !== 'active' && last_failure_reason !== null && <Small>{last_failure_reason}</Small>}
            </div>
          ))}
        </Stack>
      )}
    </Panel>
  )
}
