/** The list of manufacturing orders. */
import type { ManufacturingOrder } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { words } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { column, numberColumn } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodeFilter, CodesFilter, DayFilter, TextFilter, useFilters, VariantFilter } from '../../patterns/filters.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { useApi } from '../../session.tsx'
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

export function ManufacturingOrders() {
  const api = useApi()
  const { search, filter, onClear } = useFilters(route)
  return (
    <ListPage
      title="Manufacturing orders"
      query={listQuery(['manufacturing-orders'], search, (query, options) =>
        api.manufacturingOrders.list(query, options),
      )}
      columns={columns}
      actions={
        <>
          <PathLink to="/production-tasks">All tasks</PathLink>
          <NewManufacturingOrder />
        </>
      }
      onClear={onClear}
      whenEmpty="Nothing is made yet. Make an order here, or send them to POST /manufacturing-orders."
      filters={
        <>
          <CodesFilter label="Status" of={STATUSES} {...filter('status')} />
          <CodeFilter label="Kind" of={TYPES} {...filter('type')} />
          <VariantFilter label="Product" of="is_producible" {...filter('item_variant_id')} />
          <TextFilter label="Number" {...filter('number')} />
          <DayFilter label="Starts from" {...filter('planned_start_after')} />
          <DayFilter label="Starts before" {...filter('planned_start_before')} />
        </>
      }
    />
  )
}
