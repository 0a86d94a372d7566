/** A sales return: what comes back, and its steps. */
import type { SalesReturn as Return } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, Instant, moneyText, quantityText, Status } from '../../format.tsx'
import { BatchOf } from '../../patterns/batches.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns as ColumnsOf, DataTable } from '../../patterns/data-table.tsx'
import { Columns, RecordOf, RecordPage } from '../../patterns/detail-page.tsx'
import { EventTimeline, type Happening } from '../../patterns/event-timeline.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { Section } from '../../patterns/section.tsx'
import { useApi } from '../../session.tsx'
import { SalesReturnSteps } from './steps.tsx'

const route = getRouteApi('/sales-returns/$id')

type Line = Exact<Return>['items'][number] & { readonly currency: string | undefined }

const columns: ColumnsOf<Line> = [
  column.what('What', ({ title, sku }) => ({ title, sku })),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.shown('Why', ({ reason, reason_note }) => [reason, reason_note].filter(Boolean).join(': ') || '–'),
  column.shown(
    'Back to',
    ({ storage_place_id, quarantine }) => (
      <>
        <PlaceTitle id={storage_place_id} />
        {quarantine && ', in quarantine'}
      </>
    ),
    'sm',
  ),
  column.shown('Batch', ({ batch_id }) => batch_id && <BatchOf id={batch_id} />, 'sm'),
  column.figure('Refund each', ({ unit_price, currency }) => amountText(unit_price, currency), 'sm'),
]

/** The currency is the order's: until that is read the number stands alone. */
const amountText = (value: `${number}`, currency: string | undefined) =>
  currency === undefined ? quantityText(value) : moneyText(value, currency)

export const SalesReturn = () => (
  <RecordOf route={route} kind="Sales return" name="sales-returns" of={api => api.salesReturns}>
    {one => <Shown one={one} />}
  </RecordOf>
)

function Shown({ one }: { readonly one: Exact<Return> }) {
  const api = useApi()
  const { sales_return, items } = one
  const { data: order } = useQuery({
    queryKey: ['sales-orders', 'one', sales_return.sales_order_id],
    queryFn: ({ signal }) => api.salesOrders.get(sales_return.sales_order_id, { signal }),
  })
  return (
    <RecordPage
      title={sales_return.number}
      of={sales_return}
      status={<Status code={sales_return.status} />}
      steps={<SalesReturnSteps one={one} />}
      facts={[
        [
          'Sales order',
          <DocumentLink key="order" kind="SALES_ORDER" id={sales_return.sales_order_id}>
            {sales_return.sales_order_number}
          </DocumentLink>,
        ],
        [
          'Customer',
          order && (
            <DocumentLink kind="CUSTOMER" id={order.customer.id}>
              {order.customer.title}
            </DocumentLink>
          ),
        ],
        ['Refund', amountText(sales_return.refund_amount, order?.currency)],
        ['Comes back to', <PlaceTitle key="place" id={sales_return.storage_place_id} />],
        ['Parcel', sales_return.tracking_info],
        ['Return reference', sales_return.external_return_ref],
        ['Reference', sales_return.external_ref],
        ['Created', <Instant key="created" at={sales_return.created_date} />],
        ['Returned', sales_return.return_date && dayText(sales_return.return_date)],
        ['Cancelled because', sales_return.cancellation_reason],
        ['Notes', sales_return.notes],
      ]}
    >
      <Columns
        wide={
          <Section title="Lines">
            <DataTable
              label="Lines"
              columns={columns}
              rows={items.map(item => ({ ...item, currency: order?.currency }))}
            />
          </Section>
        }
        narrow={<EventTimeline happenings={happeningsOf(sales_return)} />}
      />
    </RecordPage>
  )
}

/** When a return was cancelled is not kept: the time of its last change stands for it. */
function happeningsOf({
  status,
  created_date,
  created_by_user_name,
  return_date,
  updated_at,
  cancellation_reason,
}: Exact<Return>['sales_return']): Happening[] {
  return [
    { key: 'created', at: created_date, title: 'Announced', by: created_by_user_name },
    ...(return_date === null ? [] : [{ key: 'returned', at: return_date, title: 'Back in stock' }]),
    ...(status === 'CANCELLED'
      ? [{ key: 'cancelled', at: updated_at, title: 'Cancelled', text: cancellation_reason }]
      : []),
  ]
}
