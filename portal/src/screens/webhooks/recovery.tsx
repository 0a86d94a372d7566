/** The progress of a recovery: how many deliveries still wait. */
import { Alert, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Decimal, type ExactApi, isPositive, isZero, minus } from '../../exact.ts'
import { countText, instantText, quantityText } from '../../format.tsx'
import { failureText } from '../../patterns/failure.tsx'
import { useApi } from '../../session.tsx'

/** What was requested: a number of events, up to a sequence. */
export type Recovery = { readonly count: Decimal; readonly since: string; readonly upTo: Decimal }

const POLL_MS = 2_000
/** The most deliveries that are read for the count. The service makes those of a large recovery in steps of this size. */
const COUNTED_MAX = 5_000

type Waiting = { readonly waiting: number; readonly failed: number; readonly isMore: boolean }

export function RecoveryProgress({ id, recovery }: { readonly id: string; readonly recovery: Recovery }) {
  const api = useApi()
  const { count, since, upTo } = recovery
  const { data, error } = useQuery<Waiting>({
    queryKey: ['webhook-deliveries', id, 'waiting', since, upTo],
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.waiting === 0 ? false : POLL_MS),
    queryFn: ({ signal }) => waitingOf(api, { id, upTo }, signal),
  })
  const waiting = String(data?.waiting ?? count) as Decimal
  const isCountable = !isPositive(minus(count, String(COUNTED_MAX) as Decimal))
  const sent = minus(count, waiting)
  return (
    <Alert
      role="status"
      variant="outline"
      color={data?.waiting === 0 ? 'green' : 'blue'}
      title={`Recovery from ${instantText(since)}: ${quantityText(count)} events`}
    >
      <Stack gap="xs">
        {isCountable && !isZero(count) && (
          // Only for the length of the bar.
          <Progress value={(Number(sent) / Number(count)) * 100} aria-label="Part of the recovery that was sent" />
        )}
        <Text size="sm">
          {error
            ? failureText(error)
            : isZero(count)
              ? 'Nothing was missed since then.'
              : data?.waiting === 0
                ? 'Nothing of it waits any more.'
                : isCountable
                  ? `${quantityText(sent)} sent, ${quantityText(waiting)} wait`
                  : `${data?.isMore ? 'More than ' : ''}${quantityText(waiting)} wait to be sent now; so many deliveries are made step by step`}
          {data !== undefined && data.failed > 0 && `; ${countText(data.failed)} failed and are tried again`}
        </Text>
      </Stack>
    </Alert>
  )
}

type Asked = { readonly id: string; readonly upTo: Decimal }

async function waitingOf(api: ExactApi, { id, upTo }: Asked, signal: AbortSignal): Promise<Waiting> {
  let [waiting, failed, read] = [0, 0, 0]
  const pending = { status: 'pending', limit: 200 } as const
  for await (const delivery of api.webhookSubscriptions.listDeliveries(id, pending, { signal })) {
    if (++read > COUNTED_MAX) return { waiting, failed, isMore: true }
    // Later events wait too, but are not part of the recovery.
    if (delivery.sequence === null || isPositive(minus(delivery.sequence, upTo))) continue
    waiting++
    if (delivery.error !== null) failed++
  }
  return { waiting, failed, isMore: false }
}
