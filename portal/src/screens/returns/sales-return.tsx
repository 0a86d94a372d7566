/** A sales return: what comes back, and its steps. */
import { Stack } from '@mantine/core'
import type { SalesReturn as Return } from '@millrace/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { Instant, moneyText, quantityText, Status } from '../../format.tsx'
import { columnsOf, DataTable } from '../../patterns/data-table.tsx'
import { Columns, DetailHead, DetailPage, Facts, Section } from '../../patterns/detail-page.tsx'
import { EventTimeline, type Happening } from '../../patterns/event-timeline.tsx'
import { PathLink } from '../../patterns/path-link.tsx'
import { usePlaceTitle } from '../../patterns/places.ts'
import { What } from '../../patterns/what.tsx'
import { useApi } from '../../session.tsx'
import { SalesReturnSteps } from './steps.tsx'

const route = getRouteApi('/sales-returns/$id')

type Line = Exact<Return>['items'][number] & { readonly currency: string | undefined; readonly place: string }

const column = columnsOf<Line>()
const columns = column.columns([
  column.accessor('title', {
    header: 'What',
    cell: ({ row: { original } }) => <What title={original.title} sku={original.sku} />,
  }),
  column.accessor('quantity', {
    header: 'Quantity',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  column.accessor('reason', {
    header: 'Why',
    cell: ({ row: { original } }) => [original.reason, original.reason_note].filter(Boolean).join(': ') || '–',
  }),
  column.accessor('place', {
    header: 'Back to',
    cell: ({ row: { original } }) => `${original.place}${original.quarantine ? ', in quarantine' : ''}`,
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor('batch_id', {
    header: 'Batch',
    cell: ({ getValue }) => (getValue() === null ? '–' : <PathLink to={`/trace/${getValue()}`}>Trace</PathLink>),
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor('unit_price', {
    header: 'Refund each',
    cell: ({ row: { original } }) => amountText(original.unit_price, original.currency),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
])

/** The currency is the order's: until that is read the number stands alone. */
const amountText = (value: `${number}`, currency: string | undefined) =>
  currency === undefined ? quantityText(value) : moneyText(value, currency)

export function SalesReturn() {
  const api = useApi()
  const { id } = route.useParams()
  const query = queryOptions({
    queryKey: ['sales-returns', 'one', id] as readonly unknown[],
    queryFn: ({ signal }) => api.salesReturns.get(id, { signal }),
  })
  return (
    <DetailPage kind="Sales return" query={query}>
      {one => <Shown one={one} />}
    </DetailPage>
  )
}

function Shown({ one }: { readonly one: Exact<Return> }) {
  const api = useApi()
  const placeTitle = usePlaceTitle()
  const { sales_return, items } = one
  const { data: order } = useQuery({
    queryKey: ['sales-orders', 'one', sales_return.sales_order_id],
    queryFn: ({ signal }) => api.salesOrders.get(sales_return.sales_order_id, { signal }),
  })
  const lines = items.map(item => ({
    ...item,
    currency: order?.currency,
    place: placeTitle(item.storage_place_id),
  }))
  return (
    <Stack gap="md">
      <DetailHead
        title={sales_return.number}
        status={<Status code={sales_return.status} />}
        steps={<SalesReturnSteps one={one} />}
      />
      <Facts
        facts={[
          [
            'Sales order',
            <PathLink key="order" to={`/sales-orders/${sales_return.sales_order_id}`}>
              {sales_return.sales_order_number}
            </PathLink>,
          ],
          ['Customer', order?.customer.title],
          ['Refund', amountText(sales_return.refund_amount, order?.currency)],
          ['Comes back to', placeTitle(sales_return.storage_place_id)],
          ['Parcel', sales_return.tracking_info],
          ['Return reference', sales_return.external_return_ref],
          ['Reference', sales_return.external_ref],
          ['Created', <Instant key="created" at={sales_return.created_date} />],
          ['Returned', sales_return.return_date && <Instant at={sales_return.return_date} />],
          ['Cancelled because', sales_return.cancellation_reason],
          ['Notes', sales_return.notes],
        ]}
      />
      <Columns
        wide={
          <Section title="Lines">
            <DataTable label="Lines" columns={columns} rows={lines} rowId={line => line.id} />
          </Section>
        }
        narrow={<EventTimeline happenings={happeningsOf(sales_return)} />}
      />
    </Stack>
  )
}

/** What it was changed to last is the last thing that can happen to it. */
function happeningsOf({
  status,
  created_date,
  updated_at,
  cancellation_reason,
}: Exact<Return>['sales_return']): Happening[] {
  return [
    { key: 'created', at: created_date, title: 'Announced' },
    ...(status === 'RETURNED' ? [{ key: 'returned', at: updated_at, title: 'Back in stock' }] : []),
    ...(status === 'CANCELLED'
      ? [{ key: 'cancelled', at: updated_at, title: 'Cancelled', text: cancellation_reason }]
      : []),
  ]
}
