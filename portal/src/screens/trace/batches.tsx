/** Finds a batch. */
import type { Batch } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { column, numberColumn } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { DayFilter, TextFilter, VariantFilter } from '../../patterns/filters.tsx'
import { ListOf } from '../../patterns/list-of.tsx'
import { StockMarks } from '../../patterns/stock-marks.tsx'

const route = getRouteApi('/trace')

const columns: Columns<Exact<Batch>> = [
  numberColumn('BATCH', 'Batch'),
  column.shown(
    'What',
    batch => (
      <>
        {batch.title}
        <StockMarks of={batch} />
      </>
    ),
    undefined,
    ({ title }) => title,
  ),
  column.shown('SKU', ({ sku }) => sku, 'lg'),
  column.quantity('In stock', ({ quantity }) => quantity),
  column.quantity('Quarantined', ({ quarantine_quantity }) => quarantine_quantity, 'md'),
  column.day('Made', ({ manufacture_date }) => manufacture_date, 'md'),
  column.day('Expires', ({ expiry_date }) => expiry_date, 'sm'),
]

export const Batches = () => (
  <ListOf
    title="Trace"
    route={route}
    name="batches"
    of={api => api.batches}
    columns={columns}
    whenEmpty="There are no batches yet. A receipt, a production or an adjustment that names a batch makes one."
    filters={filter => (
      <>
        <TextFilter label="Batch number" {...filter('number')} />
        <VariantFilter label="Product" {...filter('item_variant_id')} />
        <DayFilter label="Expires before" {...filter('expires_before')} />
      </>
    )}
  />
)
