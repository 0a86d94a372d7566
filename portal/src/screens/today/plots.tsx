/** What is due, what was sold, and what is asked, as plots by days. */
import { Group, Text } from '@mantine/core'
import type { Page } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { dayOf, startOf, today } from '../../days.ts'
import { type Decimal, type ExactApi, isZero, share, sum, times } from '../../exact.ts'
import { moneyText, quantityText, Status } from '../../format.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { rowsOf } from '../../patterns/groups.ts'
import { Lacks } from '../../patterns/lacking.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { Plot } from '../../patterns/plot.tsx'
import type { Point } from '../../patterns/plot-props.ts'
import type { ManufacturingOrder, SalesOrder, SalesShipment, SecurityTelemetry } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { levelOf, TELEMETRY_SCOPE, telemetryQuery } from '../../telemetry.ts'
import { openSales, toMake } from './reads.ts'

const Note = Text.withProps({ size: 'sm', c: 'dimmed', px: 'sm', pb: 'sm' })

/** A day as charts of some days name it. */
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', timeZone: 'UTC' })

const weekdayText = (at: string): string => weekday.format(new Date(at))

/** What was sold day by day, and what is left of it after the cost of the goods. */
const DAYS = 14
const [PAGE_ROWS, SHIPMENTS_MAX, MOVEMENTS_MAX] = [200, 1_000, 5_000]

const series = ['Sales without tax', 'Margin']
const lines = ['Margin']
const NONE: readonly Point[] = []

/** A list as far as these rows, and whether there are more. */
async function upTo<Row>(pages: AsyncIterable<Page<Row>>, most: number) {
  const rows: Row[] = []
  for await (const { data, next_cursor } of pages) {
    rows.push(...data)
    if (rows.length >= most) return { rows, isMore: next_cursor !== '' }
  }
  return { rows, isMore: false }
}

/** In the tenant's currency; null of an order in another one that has no rate. */
function saleOf({ items }: SalesShipment, { items: ordered, exchange_rate: rate }: SalesOrder): Decimal | null {
  if (rate === null) return null
  const amounts = items.map(({ sales_order_item_id: id, quantity }): Decimal => {
    const line = ordered.find(one => one.id === id)
    return !line || isZero(line.quantity) ? '0' : share(line.line_amount, { part: quantity, whole: line.quantity })
  })
  return times(sum(amounts), rate)
}

async function salesByDay(api: ExactApi, first: string, signal: AbortSignal) {
  const since = { created_after: startOf(first), order: 'desc', limit: PAGE_ROWS } as const
  const [shipped, moved] = await Promise.all([
    upTo(api.salesShipments.list({ ...since, reversed: false }, { signal }).pages(), SHIPMENTS_MAX),
    upTo(api.stockMovements.list({ ...since, source_type: 'SALES_SHIPMENT' }, { signal }).pages(), MOVEMENTS_MAX),
  ])
  const orderIds = shipped.rows.map(({ sales_order_id }) => sales_order_id)
  const orders = await rowsOf(orderIds, id => api.salesOrders.list({ id, limit: id.length }, { signal }))
  const orderOf = new Map(orders.map(order => [order.id, order]))
  const movesOf = Map.groupBy(moved.rows, ({ source_id }) => source_id)
  const days = Array.from({ length: DAYS }, (_, index) => today(index + 1 - DAYS))
  const points = days.map(at => {
    const sold = shipped.rows.flatMap(shipment => {
      const order = orderOf.get(shipment.sales_order_id)
      const sale = order && dayOf(shipment.date) === at ? saleOf(shipment, order) : null
      return sale === null ? [] : [{ sale, moved: sum((movesOf.get(shipment.id) ?? []).map(({ value }) => value)) }]
    })
    const sales = sum(sold.map(({ sale }) => sale))
    // What left has a value below zero.
    return { at, values: [sales, sum([sales, ...sold.map(one => one.moved)])] }
  })
  return {
    points,
    isMore: shipped.isMore || moved.isMore,
    isWithoutRate: orders.some(one => one.exchange_rate === null),
  }
}

export function Sales() {
  const { api, me, can } = useSession()
  const first = today(1 - DAYS)
  const lacking = ['read:sales', 'read:stock'].find(scope => !can(scope))
  const { data, error, refetch } = useQuery({
    queryKey: ['sales-by-day', first],
    // It reads much: it is not done anew for every shipment.
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      // Browsers send few requests at once: what else a screen reads goes first.
      await new Promise(resolve => setTimeout(resolve))
      return salesByDay(api, first, signal)
    },
    enabled: lacking === undefined,
  })
  if (lacking !== undefined) return <Lacks scope={lacking} />
  if (error) return <Failure error={error} title="The sales could not be read" onRetry={() => refetch()} />
  const notes = [
    'By the day of shipment; the margin is what is left after the cost of the goods.',
    ...(data?.isMore ? ['Earlier shipments of these days are too many to be counted here.'] : []),
    ...(data?.isWithoutRate ? ['Orders in other currencies without an exchange rate are left out.'] : []),
  ]
  return (
    <Plot
      title="Sales and margin"
      series={series}
      lines={lines}
      points={data?.points ?? NONE}
      atText={weekdayText}
      valueText={value => moneyText(value, me.currency)}
      shape="bars"
      note={<Note>{notes.join(' ')}</Note>}
    />
  )
}

/** How many orders are to be shipped and to be made, by the day on which they are due. */
const DUE_DAYS = 7
const LATE = 'late'
const dueSeries = ['To ship', 'To make']
const dueText = (at: string) => (at === LATE ? 'Late' : weekdayText(at))

export function Due() {
  const { api, can } = useSession()
  const { data: sales } = useQuery({ ...openSales(api), enabled: can('read:sales') })
  const { data: making } = useQuery({ ...toMake(api), enabled: can('read:manufacturing') })
  const { points, later } = useMemo(() => countsOf(sales?.data ?? [], making?.data ?? []), [sales, making])
  if (!can('read:sales') && !can('read:manufacturing')) return null
  const isMore = [sales, making].some(page => page && page.next_cursor !== '')
  return (
    <Plot
      title="To ship and to make"
      series={dueSeries}
      points={points}
      atText={dueText}
      shape="bars"
      isBeside
      note={
        <Note>
          Open orders by the day on which they are due; {later} are due later or have no day.
          {isMore && ' The first hundred of each are counted.'}
        </Note>
      }
    />
  )
}

function countsOf(sales: readonly SalesOrder[], making: readonly ManufacturingOrder[]) {
  const due = [sales.map(order => dayOf(order.delivery_date)), making.map(order => dayOf(order.production_date))]
  const count = (of: (day: string) => boolean) =>
    due.map(days => String(days.filter(day => day !== '' && of(day)).length) as Decimal)
  const points = [
    { at: LATE, values: count(day => day < today()) },
    ...Array.from({ length: DUE_DAYS }, (_, index) => ({
      at: today(index),
      values: count(day => day === today(index)),
    })),
  ]
  return { points, later: due.flat().filter(day => day === '' || day >= today(DUE_DAYS)).length }
}

/** The requests of the last 24 hours beside those of the week before. */
const requestSeries = ['Requests', 'Refused or failed']

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
      series={requestSeries}
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
