/** How keys are used: a day beside the week before it, by key and by route. */
import { Button, Code, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import Big from 'big.js'
import { useMemo } from 'react'
import { utcDay } from '../../days.ts'
import { type Decimal, isZero } from '../../exact.ts'
import { Instant, quantityText, Status, words } from '../../format.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable, TableSection } from '../../patterns/data-table.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { useFilters } from '../../patterns/filters.tsx'
import { requestWords } from '../../patterns/in-words.ts'
import { Empty } from '../../patterns/list-page.tsx'
import { Plot } from '../../patterns/plot.tsx'
import { Section } from '../../patterns/section.tsx'
import { Waiting } from '../../patterns/waiting.tsx'
import type {
  SecurityTelemetry as Day,
  SecurityTelemetryByKey,
  SecurityTelemetryByRoute,
  SecurityTelemetryMetric,
  SecurityTelemetryOperatorAction,
} from '../../records.ts'
import { useSession } from '../../session.tsx'
import { levelOf, telemetryQuery } from '../../telemetry.ts'
import { Bar, Bars } from './bars.tsx'

const route = getRouteApi('/security')

/** The service keeps counts for this long. */
const KEPT_DAYS = 90
const DAY_MS = 86_400_000
const LEVELS = ['HIGH', 'ELEVATED', 'TOO_FEW_TO_JUDGE', 'NORMAL']

type Metric = Omit<SecurityTelemetryMetric, 'level'> & { readonly level: string; readonly days: readonly Decimal[] }

const dayOf = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', timeZone: 'UTC' })
/** The name of a window is its last day: the 24 hours up to now are today's. */
const atText = (at: string) => dayOf.format(new Date(at))
const isoDay = (daysAgo: number) => utcDay(Date.now() - daysAgo * DAY_MS)

const metricColumns: Columns<Metric> = [
  column.shown('What', ({ name }) => (
    <Link className="row-link" from="/security" search={before => ({ ...before, metric: name })} resetScroll={false}>
      {words(name)}
    </Link>
  )),
  column.status('Level', ({ level }) => level),
  column.number('This day', ({ count }) => count),
  column.number('Mean before', ({ baseline_daily_mean }) => baseline_daily_mean),
  column.number('Most before', ({ baseline_daily_max }) => baseline_daily_max, 'sm'),
  column.figure('Times', ({ ratio }) => ratio && `${quantityText(ratio)} ×`, 'sm'),
  column.shown('Eight days', ({ days }) => <Bars values={days} />, 'md'),
]

type Part = { readonly most: Decimal }
type Key = SecurityTelemetryByKey & Part & { readonly name: string | null }

const keyColumns: Columns<Key> = [
  column.shown('Key', ({ key_id, name }) => (name === null ? key_id : `${name} (yours)`)),
  column.number('Requests', ({ requests }) => requests),
  column.number('Denied', ({ denied }) => denied),
  column.figure('Networks', ({ distinct_networks }) =>
    distinct_networks === null ? 'few' : quantityText(distinct_networks),
  ),
  column.shown('Part', ({ requests, denied, most }) => <Bar value={requests} bad={denied} of={most} />, 'sm'),
]

const routeColumns: Columns<SecurityTelemetryByRoute & Part> = [
  column.shown('Request', ({ method, route: path }) => <RequestText method={method} path={path} />),
  column.number('Requests', ({ requests }) => requests),
  column.number('Errors', ({ errors }) => errors),
  column.shown('Part', ({ requests, errors, most }) => <Bar value={requests} bad={errors} of={most} />, 'sm'),
]

const actionColumns: Columns<SecurityTelemetryOperatorAction> = [
  column.shown('When', ({ at }) => <Instant at={at} />),
  column.shown('Who', ({ operator }) => operator ?? 'not named'),
  column.shown('What', ({ command }) => words(command)),
  column.shown('Changed', ({ changed }) => changed.map(words).join(', ') || '–', 'sm'),
]

export function Security() {
  const { api } = useSession()
  const { search, filter } = useFilters(route)
  const { day, metric: chosen } = search
  const ofDay = filter('day')
  const { data, error, refetch } = useQuery(telemetryQuery(api, day))
  return (
    <Stack gap="md">
      <title>Security · Millrace</title>
      <Group justify="space-between" align="flex-end">
        <Title order={1}>Security</Title>
        <Group gap="xs" align="flex-end">
          <TextInput
            type="date"
            label="Day (UTC)"
            min={isoDay(KEPT_DAYS - 1)}
            max={isoDay(0)}
            value={day ?? ''}
            onChange={({ currentTarget: { value } }) => ofDay.onChange(value || undefined)}
          />
          {day !== undefined && (
            <Button variant="default" onClick={() => ofDay.onChange(undefined)}>
              Last 24 hours
            </Button>
          )}
        </Group>
      </Group>
      {error ? (
        <Failure error={error} title="The telemetry could not be read" onRetry={() => refetch()} />
      ) : data === undefined ? (
        <Waiting label="Reading the telemetry" />
      ) : (
        <Shown days={data} chosen={chosen ?? 'requests'} />
      )}
    </Stack>
  )
}

function Shown({ days, chosen }: { readonly days: readonly Day[]; readonly chosen: string }) {
  const { me } = useSession()
  const last = days.at(-1)
  const metrics = useMemo(() => metricsOf(days), [days])
  const plotted = metrics.find(({ name }) => name === chosen) ?? metrics.find(({ name }) => name === 'requests')
  const plot = useMemo(() => plotted && plotOf(plotted, days), [plotted, days])
  if (!last || !plotted || !plot) return null
  const keys = byMost(last.by_key, ({ requests }) => requests).map(each => ({
    ...each,
    name: each.key_id === me.key_id ? me.key_name : null,
  }))
  const actions = days.toReversed().flatMap(({ operator_actions }) => operator_actions)
  const routesOfDay = byMost(last.by_route, ({ requests }) => requests)
  return (
    <>
      <Text size="sm" c="dimmed">
        <Instant at={last.window_start} /> to <Instant at={last.window_end} />, beside the seven days before. Counts
        show within seconds, and are kept for {KEPT_DAYS} days.
      </Text>
      <Plot
        {...plot}
        title={`${words(plotted.name)}, by day`}
        atText={atText}
        shape="bars"
        note={
          <Group gap="xs" px="sm" pb="sm">
            <Status code={plotted.level} />
            <Text size="sm" c="dimmed">
              {quantityText(plotted.count)} in these 24 hours; {quantityText(plotted.baseline_daily_mean)} a day in the
              week before, at most {quantityText(plotted.baseline_daily_max)}
            </Text>
          </Group>
        }
      />
      <TableSection
        title="All that is counted"
        columns={metricColumns}
        rows={metrics}
        rowId={({ name }) => name}
        leads
      />
      {actions.length > 0 && (
        <Section title="What the operators of the service did in these eight days">
          <DataTable label="What operators did" columns={actionColumns} rows={actions} rowId={({ at }) => at} />
        </Section>
      )}
      <Section title="By key">
        {keys.length === 0 ? (
          <Empty>No key was used on this day. Choose another day.</Empty>
        ) : (
          <>
            <DataTable label="By key" columns={keyColumns} rows={keys} rowId={({ key_id }) => key_id} />
            <Text size="xs" c="dimmed" px="sm" pb="sm">
              Denied: answered with 401, 403 or 429. Fewer than {quantityText(last.privacy.minimum_group)} networks are
              not told.
            </Text>
          </>
        )}
      </Section>
      <Section title="By route">
        {routesOfDay.length === 0 ? (
          <Empty>No route was asked on this day. Choose another day.</Empty>
        ) : (
          <DataTable
            label="By route"
            columns={routeColumns}
            rows={routesOfDay}
            rowId={({ method, route: path }) => `${method} ${path}`}
          />
        )}
      </Section>
    </>
  )
}

const BASELINE = 'Mean of the week before'
const lines = [BASELINE]

function plotOf({ name, days: counts, baseline_daily_mean }: Metric, days: readonly Day[]) {
  return {
    series: [words(name), BASELINE],
    lines,
    points: days.map(({ window_end }, index) => ({
      at: new Date(Date.parse(window_end) - 1).toISOString(),
      values: [counts[index] ?? '0', baseline_daily_mean] as const,
    })),
  }
}

/** Unusual metrics first, then in the order of the service. */
function metricsOf(days: readonly Day[]): readonly Metric[] {
  const metrics = days.at(-1)?.metrics ?? []
  return metrics
    .map(each => ({
      ...each,
      level: levelOf(days, each),
      days: days.map(({ metrics: those }) => those.find(({ name }) => name === each.name)?.count ?? ('0' as const)),
    }))
    .toSorted((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level))
}

/** The greatest count first, each row with its share of the greatest. */
function byMost<Row>(rows: readonly Row[], countOf: (row: Row) => Decimal): (Row & Part)[] {
  const sorted = rows.toSorted((one, other) => Big(countOf(other)).cmp(countOf(one)))
  const [first] = sorted
  const most = first === undefined || isZero(countOf(first)) ? '1' : countOf(first)
  return sorted.map(row => ({ ...row, most }))
}

const RequestText = ({ method, path }: { readonly method: string; readonly path: string }) => (
  <>
    <Text size="sm">{requestWords(method, path)}</Text>
    <Code className="address">
      {method} {path}
    </Code>
  </>
)
