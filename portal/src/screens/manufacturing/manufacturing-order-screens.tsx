/** Manufacturing orders: their list, and a page for each with materials, tasks, costs, output and steps. */
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { dayText, Instant, quantityText, words } from '../../format.tsx'
import { ReasonStep, Step } from '../../patterns/action-form.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import { useRecord } from '../../patterns/detail-page.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import type { Happening } from '../../patterns/history.tsx'
import { ButtonLink, linkTo, PathLink } from '../../patterns/links.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { Lines, Quantity } from '../../patterns/units.tsx'
import type { ManufacturingOrder as Order } from '../../records.ts'
import { useApi, useSession } from '../../session.tsx'
import { salesOrders } from '../sales/nouns.ts'
import { Materials, OrderTasks, Output, outputsOf } from './below.tsx'
import { Costs } from './costs.tsx'
import { EditManufacturingOrder } from './edit.tsx'
import { MoveMaterials } from './move-materials.tsx'
import { NewManufacturingOrder } from './new-manufacturing-order.tsx'
import { manufacturingOrders } from './nouns.ts'
import { type Movement, movementsQuery, type Task, tasksQuery } from './reads.ts'
import { Work } from './work.tsx'

export const { List, Page } = documentScreens(manufacturingOrders, {
  columns: [
    numberColumn(manufacturingOrders),
    column.shown('What', ({ item_variant }) => variantTitle(item_variant)),
    column.status('Status', ({ status }) => status),
    column.quantity('Planned', ({ quantity }) => quantity, 'sm'),
    column.quantity('Produced', ({ released_quantity }) => released_quantity, 'sm'),
    column.day('Starts', ({ planned_start_date }) => planned_start_date, 'sm'),
    column.day('Due', ({ production_date }) => production_date, 'md'),
    column.shown('For', ({ type }) => words(type).replace('Make to ', ''), 'md'),
  ],
  actions: (
    <>
      <PathLink to="/shop-floor">Shop floor</PathLink>
      <PathLink to="/production-tasks">All tasks</PathLink>
      <NewManufacturingOrder />
    </>
  ),
  whenEmpty: 'Nothing is made yet. Make an order here, or send them to POST /manufacturing-orders.',
  useMore: useOthers,
  steps: (order, { tasks = [], movements }) => <Steps order={order} tasks={tasks} movements={movements} />,
  notice: order =>
    order.status === 'BLOCKED' && (
      <Alert color="red" variant="outline" title="Blocked">
        {order.block_reason ?? 'No reason was given.'}
      </Alert>
    ),
  facts: (order, { sale }) => [
    ['Makes', madeLink(order)],
    ['SKU', order.item_variant.sku],
    ['Planned', <Quantity key="planned" of={order.quantity} goods={order} />],
    ['Produced', <Quantity key="made" of={order.released_quantity} goods={order} />],
    ['Good', <Quantity key="good" of={order.actual_quantity} goods={order} />],
    ['Kind', words(order.type)],
    ['Sales order', linkTo('SALES_ORDER', order.sales_order_id, sale?.number ?? 'Made for this order')],
    ['Made at', <PlaceTitle key="place" id={order.manufacturing_location_id} />],
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
  ],
  related: (order, { movements }) => (
    <>
      <Materials order={order} movements={movements} />
      <OrderTasks order={order} />
      <Output order={order} />
    </>
  ),
  beside: (order, { tasks, booked }) => <Costs order={order} tasks={tasks} movements={booked} />,
  history: (order, { movements }) => happeningsOf(order, movements),
})

type Reads = { readonly tasks: readonly Task[]; readonly movements: readonly Movement[] }

function Steps({ order, tasks, movements }: Reads & { readonly order: Order }) {
  const { manufacturingOrders: orders } = useApi()
  const navigate = useNavigate()
  const { id, status } = order
  const step = useStepsOf(manufacturingOrders, order, 'write:manufacturing.order.update')
  const isStarted = status === 'IN_PROGRESS' || status === 'PARTIALLY_DONE'
  return (
    <>
      <Work order={order} tasks={tasks} />
      {isStarted && <MoveMaterials order={order} movements={movements} />}
      <EditManufacturingOrder order={order} />
      {(isStarted || status === 'NOT_STARTED') && (
        <ReasonStep
          {...step('Block', 'blocked')}
          explains="It can be neither started nor completed until it is unblocked. No stock moves."
          send={(reason, sending) => orders.block(id, { reason }, sending)}
        />
      )}
      {status === 'NOT_STARTED' && (
        <Step
          {...step('Delete', 'deleted')}
          explains="The order is gone, and what it reserves becomes free. This cannot be taken back."
          button={{ color: 'red', variant: 'outline' }}
          send={(_, sending) => orders.delete(id, sending)}
          onDone={() => navigate({ to: manufacturingOrders.list })}
        />
      )}
      <ButtonLink to={`/print/work-orders/${id}`}>Work order</ButtonLink>
    </>
  )
}

function useOthers({ id, sales_order_id }: Order) {
  const { api, can } = useSession()
  const { data: tasks } = useQuery(tasksQuery(api, id))
  const { data: booked } = useQuery({ ...movementsQuery(api, id), enabled: can('read:stock') })
  return { tasks, booked, movements: booked ?? [], sale: useRecord(salesOrders, sales_order_id) }
}

const madeLink = ({ item_variant: made }: Order) => linkTo('VARIANT', `${made.item_id}/${made.id}`, variantTitle(made))

const titleOf = ({ items }: Order, { item_variant_id: id }: Movement): string =>
  items.find(item => item.item_variant_id === id)?.title ?? ''

function happeningsOf(order: Order, movements: readonly Movement[]): Happening[] {
  return [
    ...(order.started_at === null ? [] : [{ key: 'started', at: order.started_at, title: 'Started' }]),
    ...movements
      .filter(({ kind }) => kind === 'MANUFACTURING_RETURN')
      .map(movement => ({
        key: `return ${movement.id}`,
        at: movement.created_at,
        title: 'Materials came back',
        text: <Lines of={[{ ...movement, title: titleOf(order, movement) }]} />,
      })),
    ...outputsOf(movements).map(({ id, created_at, quantity }) => ({
      key: `output ${id}`,
      at: created_at,
      title: `Produced ${quantityText(quantity)}`,
    })),
    // While it is blocked no other step changes it, so this is the time of the block.
    ...(order.status === 'BLOCKED'
      ? [{ key: 'blocked', at: order.updated_at, title: 'Blocked', text: order.block_reason }]
      : []),
    ...(order.completed_at === null ? [] : [{ key: 'done', at: order.completed_at, title: 'Done' }]),
  ]
}
