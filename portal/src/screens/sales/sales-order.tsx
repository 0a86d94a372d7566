/** A sales order: its lines, totals, what happened to it, and its steps. */
import { Anchor, Group, Stack } from '@mantine/core'
import type { SalesOrder as Order } from '@millrace/client'
import { queryOptions } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, Instant, moneyText, quantityText, Status } from '../../format.tsx'
import { columnsOf, DataTable } from '../../patterns/data-table.tsx'
import { Columns, DetailHead, DetailPage, Facts, Section } from '../../patterns/detail-page.tsx'
import { usePlaceTitle } from '../../patterns/places.ts'
import { Totals } from '../../patterns/totals.tsx'
import { What } from '../../patterns/what.tsx'
import { useApi } from '../../session.tsx'
import { NewSalesReturn } from '../returns/new-sales-return.tsx'
import { SalesOrderSteps } from './steps.tsx'
import { SalesOrderTimeline } from './timeline.tsx'

const route = getRouteApi('/sales-orders/$id')

type Line = Exact<Order>['items'][number] & { readonly currency: string; readonly place: string }

const column = columnsOf<Line>()
const columns = column.columns([
  column.accessor('title', {
    header: 'What',
    cell: ({ row: { original } }) => (
      <What title={original.title} sku={original.sku} ids={[original.item_id, original.item_variant_id]} />
    ),
  }),
  column.accessor('place', { header: 'From', meta: { visibleFrom: 'md' } }),
  ...(['quantity', 'packed_quantity', 'shipped_quantity'] as const).map(name =>
    column.accessor(name, {
      header: { quantity: 'Quantity', packed_quantity: 'Packed', shipped_quantity: 'Shipped' }[name],
      cell: ({ getValue }) => quantityText(getValue()),
      meta: { align: 'right' },
    }),
  ),
  column.accessor('price', {
    header: 'Price',
    cell: ({ row: { original } }) => moneyText(original.price, original.currency),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
  column.accessor('tax_rate', {
    header: 'Tax',
    cell: ({ getValue }) => `${quantityText(getValue())} %`,
    meta: { align: 'right', visibleFrom: 'md' },
  }),
  column.accessor('line_amount', {
    header: 'Amount',
    cell: ({ row: { original } }) => moneyText(original.line_amount, original.currency),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
])

export function SalesOrder() {
  const api = useApi()
  const { id } = route.useParams()
  const query = queryOptions({
    queryKey: ['sales-orders', 'one', id] as readonly unknown[],
    queryFn: ({ signal }) => api.salesOrders.get(id, { signal }),
  })
  return (
    <DetailPage kind="Sales order" query={query}>
      {order => <Shown order={order} />}
    </DetailPage>
  )
}

function Shown({ order }: { readonly order: Exact<Order> }) {
  const placeTitle = usePlaceTitle()
  const { currency, customer } = order
  const lines = order.items.map(item => ({ ...item, currency, place: placeTitle(item.storage_place_id) }))
  return (
    <Stack gap="md">
      <DetailHead
        title={order.number}
        status={
          <Group gap={6}>
            <Status code={order.status} />
            <Status code={order.delivery_status} />
          </Group>
        }
        steps={
          <>
            <SalesOrderSteps order={order} />
            <NewSalesReturn order={order} />
          </>
        }
      />
      <Facts
        facts={[
          [
            'Customer',
            <Anchor
              key="customer"
              size="sm"
              renderRoot={props => <Link to="/sales-orders" search={{ customer_id: customer.id }} {...props} />}
            >
              {customer.title}
            </Anchor>,
          ],
          ['Country', customer.country_code],
          ['Due', order.delivery_date && dayText(order.delivery_date)],
          ['Priority', quantityText(order.priority)],
          ['Reference', order.external_ref],
          ['Created', <Instant key="created" at={order.created_date} />],
          ['Shipped', order.shipped_at && <Instant at={order.shipped_at} />],
          ['Cancelled', order.cancelled_at && <Instant at={order.cancelled_at} />],
          ['Cancelled by', order.cancelled_by_user_name],
          ['Reason', order.cancel_reason],
          ['Notes', order.notes],
        ]}
      />
      <Columns
        wide={
          <Section title="Lines">
            <DataTable label="Lines" columns={columns} rows={lines} rowId={line => line.id} />
            <Totals of={order} />
          </Section>
        }
        narrow={<SalesOrderTimeline order={order} />}
      />
    </Stack>
  )
}
