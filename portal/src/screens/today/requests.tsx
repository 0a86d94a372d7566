/** The requests of the last 24 hours beside those of the week before. */
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Decimal, sum } from '../../exact.ts'
import { quantityText, Status } from '../../format.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { Lacks } from '../../patterns/lacking.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { Plot } from '../../patterns/plot.tsx'
import type { Point } from '../../patterns/plot-props.ts'
import type { SecurityTelemetry } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { levelOf, TELEMETRY_SCOPE, telemetryQuery } from '../../telemetry.ts'
import { weekdayText } from './weekday.ts'

const series = ['Requests', 'Refused or failed']

export function Requests() {
  const { api, can } = useSession()
  const { data, error, refetch } = useQuery({ ...telemetryQuery(api), enabled: can(TELEMETRY_SCOPE) })
  const points = useMemo(() => (data ?? []).map(pointOf), [data])
  if (!can(TELEMETRY_SCOPE)) return <Lacks scope={TELEMETRY_SCOPE} />
  if (error) return <Failure error={error} title="The requests could not be read" onRetry={() => refetch()} />
  const last = data?.at(-1)?.metrics.find(({ name }) => name === 'requests')
  return (
    <Plot
      title="Requests, 24 hours each"
      series={series}
      points={points}
      atText={weekdayText}
      shape="bars"
      note={
        last && (
          <Group gap="xs" px="sm" pb="sm">
            <Status code={levelOf(data ?? [], last)} />
            <PathLink to="/security">Security</PathLink>
            <Text size="sm" c="dimmed">
              {quantityText(last.count)} in the last 24 hours; {quantityText(last.baseline_daily_mean)} a day in the
              week before
            </Text>
          </Group>
        )
      }
    />
  )
}

function pointOf({ window_end, metrics }: SecurityTelemetry): Point {
  const count = (name: string): Decimal => metrics.find(metric => metric.name === name)?.count ?? '0'
  // A window is called by its last day, as on the page of security.
  return {
    at: new Date(Date.parse(window_end) - 1).toISOString(),
    values: [count('requests'), sum([count('responses_4xx'), count('responses_5xx')])],
  }
}
