/** A hold: its lines, when it ends or how it ended, and its steps. */
import type { Reservation, SalesOrder } from '@millrace/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Exact } from '../../exact.ts'
import { Instant, Status } from '../../format.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns as ColumnsOf, DataTable } from '../../patterns/data-table.tsx'
import { Columns, RecordOf, RecordPage } from '../../patterns/detail-page.tsx'
import { EventTimeline, type Happening } from '../../patterns/event-timeline.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { Section } from '../../patterns/section.tsx'
import { useApi } from '../../session.tsx'
import { HoldSteps } from './steps.tsx'

const route = getRouteApi('/reservations/$id')

type One = Exact<Reservation>

const columns: ColumnsOf<One['items'][number]> = [
  column.what('What', line => line),
  column.place('At', ({ storage_place_id }) => storage_place_id),
  column.quantity('Quantity', ({ quantity }) => quantity),
]

export const Hold = () => (
  <RecordOf route={route} kind="Hold" name="reservations" of={api => api.reservations}>
    {hold => <Shown hold={hold} />}
  </RecordOf>
)

function Shown({ hold }: { readonly hold: One }) {
  const api = useApi()
  const { customer_id, sales_order_id } = hold
  const { data: customer = customer_id === null ? null : undefined } = useQuery({
    queryKey: ['customers', 'one', customer_id],
    queryFn: ({ signal }) => api.customers.get(customer_id ?? '', { signal }),
    enabled: customer_id !== null,
  })
  const { data: order } = useQuery({
    queryKey: ['sales-orders', 'one', sales_order_id],
    queryFn: ({ signal }) => api.salesOrders.get(sales_order_id ?? '', { signal }),
    enabled: sales_order_id !== null,
  })
  useEnd(hold)
  return (
    <RecordPage
      title={hold.number}
      of={hold}
      status={<Status code={hold.status} />}
      steps={<HoldSteps hold={hold} customer={customer} />}
      facts={[
        [
          'Customer',
          customer_id && (
            <DocumentLink kind="CUSTOMER" id={customer_id}>
              {customer?.title ?? `Customer ${customer_id}`}
            </DocumentLink>
          ),
        ],
        [hold.status === 'HELD' ? 'Ends' : 'Would have ended', <Instant key="end" at={hold.expires_at} />],
        ['Sales order', sales_order_id && <OrderLink key="order" id={sales_order_id} order={order} />],
        ['Reference', hold.external_ref],
        ['Notes', hold.notes],
      ]}
    >
      <Columns
        wide={
          <Section title="Lines">
            <DataTable label="Lines" columns={columns} rows={hold.items} />
          </Section>
        }
        narrow={<EventTimeline happenings={happeningsOf(hold, order)} />}
      />
    </RecordPage>
  )
}

type OrderProps = { readonly id: string; readonly order: Exact<SalesOrder> | undefined }

const OrderLink = ({ id, order }: OrderProps) => (
  <DocumentLink kind="SALES_ORDER" id={id}>
    {order?.number ?? `Order ${id}`}
  </DocumentLink>
)

/** The interface keeps no time of a release: the time of the last change stands for it. */
function happeningsOf(hold: One, order: Exact<SalesOrder> | undefined): Happening[] {
  const { status, expires_at, created_at, created_by_user_name, updated_at, updated_by_user_name } = hold
  const by = updated_by_user_name
  const ends: Readonly<Record<One['status'], readonly Happening[]>> = {
    HELD: [],
    CONSUMED: [
      {
        key: 'consumed',
        at: order?.created_date ?? updated_at,
        title: 'Ordered',
        text: hold.sales_order_id && <OrderLink id={hold.sales_order_id} order={order} />,
        by: order?.created_by_user_name ?? null,
      },
    ],
    RELEASED: [{ key: 'released', at: updated_at, title: 'Released', by }],
    EXPIRED: [{ key: 'expired', at: expires_at, title: 'Expired' }],
  }
  return [{ key: 'created', at: created_at, title: 'Held', by: created_by_user_name }, ...ends[status]]
}

/** The service ends a hold up to 5 s after its time, and this clock may differ from the service's. */
const AGAIN_MS = 5_000
/** A timer of the browser lasts 24 days at most. */
const WAIT_MS_MAX = 3_600_000

/** Reads the hold anew when its time is over: a key that may not read events is told of nothing. */
function useEnd(hold: One): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (hold.status !== 'HELD') return
    const leftMs = Date.parse(hold.expires_at) - Date.now()
    const again = () => queries.invalidateQueries({ queryKey: ['reservations'] })
    const timer = setTimeout(again, Math.min(Math.max(leftMs, AGAIN_MS), WAIT_MS_MAX))
    return () => clearTimeout(timer)
  }, [hold, queries])
}
