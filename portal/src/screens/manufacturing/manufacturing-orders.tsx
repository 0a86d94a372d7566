/** The list of manufacturing orders. */
import type { ManufacturingOrder } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { words } from '../../format.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodeFilter, CodesFilter, DayFilter, TextFilter, VariantFilter } from '../../patterns/filters.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { ListOf } from '../../patterns/list-of.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { NewManufacturingOrder } from './new-manufacturing-order.tsx'
import { STATUSES, TYPES } from './statuses.ts'

const route = getRouteApi('/manufacturing-orders')

const columns: Columns<Exact<ManufacturingOrder>> = [
  numberColumn('MANUFACTURING_ORDER'),
  column.shown('What', ({ item_variant }) => variantTitle(item_variant)),
  column.status('Status', ({ status }) => status),
  column.quantity('Planned', ({ quantity }) => quantity, 'sm'),
  column.quantity('Made', ({ released_quantity }) => released_quantity, 'sm'),
  column.day('Starts', ({ planned_start_date }) => planned_start_date, 'sm'),
  column.day('Due', ({ production_date }) => production_date, 'md'),
  column.shown('For', ({ type }) => words(type).replace('Make to ', ''), 'md'),
]

export const ManufacturingOrders = () => (
  <ListOf
    title="Manufacturing orders"
    route={route}
    name="manufacturing-orders"
    of={api => api.manufacturingOrders}
    columns={columns}
    actions={
      <>
        <PathLink to="/production-tasks">All tasks</PathLink>
        <NewManufacturingOrder />
      </>
    }
    whenEmpty="Nothing is made yet. Make an order here, or send them to POST /manufacturing-orders."
    filters={filter => (
      <>
        <CodesFilter label="Status" of={STATUSES} {...filter('status')} />
        <CodeFilter label="Kind" of={TYPES} {...filter('type')} />
        <VariantFilter label="Product" of="is_producible" {...filter('item_variant_id')} />
        <TextFilter label="Number" {...filter('number')} />
        <DayFilter label="Starts from" {...filter('planned_start_after')} />
        <DayFilter label="Starts before" {...filter('planned_start_before')} />
      </>
    )}
  />
)
