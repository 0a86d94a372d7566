/** What was sold day by day, and what is left of it after the cost of the goods. */
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dayOf, startOf, today } from '../../days.ts'
import { type Decimal, type ExactApi, isZero, share, sum, times } from '../../exact.ts'
import { moneyText } from '../../format.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { rowsOf } from '../../patterns/groups.ts'
import { Lacks } from '../../patterns/lacking.tsx'
import { Plot } from '../../patterns/plot.tsx'
import type { Point } from '../../patterns/plot-props.ts'
import type { SalesOrder, SalesShipment } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { weekdayText } from './weekday.ts'

const DAYS = 14
const [PAGE_ROWS, SHIPMENTS_MAX, MOVEMENTS_MAX] = [200, 1_000, 5_000]

const series = ['Sales without tax', 'Margin']
const lines = ['Margin']
const NONE: readonly Point[] = []

/** A list as far as these rows, and whether there are more. */
async function upTo<Row>(
  pages: AsyncIterable<{ readonly data: readonly Row[]; readonly next_cursor: string }>,
  most: number,
) {
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
  const orders = await rowsOf(
    shipped.rows.map(({ sales_order_id }) => sales_order_id),
    id => api.salesOrders.list({ id, limit: id.length }, { signal }),
  )
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
      note={
        <Text size="sm" c="dimmed" px="sm" pb="sm">
          {notes.join(' ')}
        </Text>
      }
    />
  )
}
