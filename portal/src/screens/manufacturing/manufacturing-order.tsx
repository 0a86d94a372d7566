/** A manufacturing order: its materials, tasks, costs and output, and its steps. */
import { Alert, Stack } from '@mantine/core'
import type { ManufacturingOrder as Order } from '@millrace/client'
import { queryOptions } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, Instant, quantityText, Status, words } from '../../format.tsx'
import { Columns, DetailHead, DetailPage, Facts } from '../../patterns/detail-page.tsx'
import { EventTimeline, type Happening } from '../../patterns/event-timeline.tsx'
import { PathLink } from '../../patterns/path-link.tsx'
import { usePlaceTitle } from '../../patterns/places.ts'
import { variantTitle } from '../../patterns/what.tsx'
import { useApi } from '../../session.tsx'
import { Costs } from './costs.tsx'
import { Materials } from './materials.tsx'
import { OrderTasks } from './order-tasks.tsx'
import { Output } from './output.tsx'
import { type Movement, useMovements, useTasks } from './reads.ts'
import { ManufacturingOrderSteps } from './steps.tsx'

const route = getRouteApi('/manufacturing-orders/$id')

export function ManufacturingOrder() {
  const api = useApi()
  const { id } = route.useParams()
  const query = queryOptions({
    queryKey: ['manufacturing-orders', 'one', id] as readonly unknown[],
    queryFn: ({ signal }) => api.manufacturingOrders.get(id, { signal }),
  })
  return (
    <DetailPage kind="Manufacturing order" query={query}>
      {order => <Shown order={order} />}
    </DetailPage>
  )
}

function Shown({ order }: { readonly order: Exact<Order> }) {
  const placeTitle = usePlaceTitle()
  const tasks = useTasks(order.id)
  const movements = useMovements(order.id)
  const { item_variant, sales_order_id } = order
  return (
    <Stack gap="md">
      <DetailHead
        title={order.number}
        status={<Status code={order.status} />}
        steps={<ManufacturingOrderSteps order={order} tasks={tasks.data ?? []} />}
      />
      {order.status === 'BLOCKED' && (
        <Alert color="red" variant="outline" title="Blocked">
          {order.block_reason ?? 'No reason was given.'}
        </Alert>
      )}
      <Facts
        facts={[
          [
            'Makes',
            <PathLink key="makes" to={`/stock/${item_variant.item_id}/${item_variant.id}`}>
              {variantTitle(item_variant)}
            </PathLink>,
          ],
          ['SKU', item_variant.sku],
          ['Planned', quantityText(order.quantity)],
          ['Made', quantityText(order.released_quantity)],
          ['Of it good', quantityText(order.actual_quantity)],
          ['Kind', words(order.type)],
          [
            'Sales order',
            sales_order_id && <PathLink to={`/sales-orders/${sales_order_id}`}>Made for this order</PathLink>,
          ],
          ['Made at', placeTitle(order.manufacturing_location_id)],
          ['Starts', order.planned_start_date && dayText(order.planned_start_date)],
          ['Due', order.production_date && dayText(order.production_date)],
          ['To be shipped', order.shipping_date && dayText(order.shipping_date)],
          ['Priority', quantityText(order.priority)],
          ['Output batch', order.output_batch_number],
          ['Output expires', order.output_expiry_date && dayText(order.output_expiry_date)],
          ['Started', order.started_at && <Instant at={order.started_at} />],
          ['Completed', order.completed_at && <Instant at={order.completed_at} />],
          ['Reference', order.external_ref],
          ['Notes', order.notes],
        ]}
      />
      <Columns
        wide={
          <>
            <Materials order={order} movements={movements.data} />
            <OrderTasks order={order} tasks={tasks} />
            <Output order={order} movements={movements} />
          </>
        }
        narrow={
          <>
            <Costs order={order} tasks={tasks.data} />
            <EventTimeline happenings={happeningsOf(order, movements.data ?? [])} />
          </>
        }
      />
    </Stack>
  )
}

function happeningsOf(order: Exact<Order>, movements: readonly Movement[]): Happening[] {
  const outputs = movements.filter(({ kind }) => kind === 'MANUFACTURING_OUTPUT')
  return [
    { key: 'created', at: order.created_at, title: 'Created' },
    ...(order.started_at === null ? [] : [{ key: 'started', at: order.started_at, title: 'Started' }]),
    ...outputs.map(({ id, created_at, quantity }) => ({
      key: `output ${id}`,
      at: created_at,
      title: `Made ${quantityText(quantity)}`,
    })),
    // While it is blocked nothing else changes it.
    ...(order.status === 'BLOCKED'
      ? [{ key: 'blocked', at: order.updated_at, title: 'Blocked', text: order.block_reason }]
      : []),
    ...(order.completed_at === null ? [] : [{ key: 'done', at: order.completed_at, title: 'Done' }]),
  ]
}
