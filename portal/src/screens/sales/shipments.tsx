/** The shipments of all sales orders. */
import type { SalesShipment } from '@millrace/client'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { type Exact, sum } from '../../exact.ts'
import { countText } from '../../format.tsx'
import { column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { RecordOf } from '../../patterns/detail-page.tsx'
import { DayFilter, VariantFilter } from '../../patterns/filters.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { ListOf } from '../../patterns/list-of.tsx'
import { Reversed } from '../../patterns/reversal.tsx'
import { Quantity } from '../../patterns/units.tsx'

const route = getRouteApi('/sales-shipments')
const one = getRouteApi('/sales-shipments/$id')

const columns: Columns<Exact<SalesShipment>> = [
  column.shown('Number', shipment => (
    <>
      <DocumentLink kind="SALES_ORDER" id={shipment.sales_order_id} className="row-link">
        {shipment.number}
      </DocumentLink>
      <Reversed of={shipment} />
    </>
  )),
  column.day('Shipped', ({ date }) => date),
  column.figure('Lines', ({ items }) => countText(items.length)),
  // Of several products there is no sum.
  column.figure('Quantity', ({ items }) => {
    const [first, ...others] = items
    return first && others.every(({ item_variant_id }) => item_variant_id === first.item_variant_id) ? (
      <Quantity of={sum(items.map(({ quantity }) => quantity))} goods={first} />
    ) : null
  }),
  column.shown('Reference', ({ external_ref }) => external_ref, 'md'),
  column.instant('Booked', ({ created_at }) => created_at, 'sm'),
]

export const Shipments = () => (
  <ListOf
    title="Shipments"
    route={route}
    name="sales-shipments"
    of={api => api.salesShipments}
    columns={columns}
    whenEmpty="Nothing has been shipped yet. Open a sales order and ship what is there."
    filters={filter => (
      <>
        <VariantFilter label="Product" of="is_sellable" {...filter('item_variant_id')} />
        <DayFilter label="Booked from" {...filter('created_after')} />
        <DayFilter label="Booked before" {...filter('created_before')} />
      </>
    )}
  />
)

/** A shipment is shown with its order. */
export const Shipment = () => (
  <RecordOf route={one} kind="Shipment" name="sales-shipments" of={api => api.salesShipments}>
    {({ sales_order_id }) => <Navigate to="/sales-orders/$id" params={{ id: sales_order_id }} replace />}
  </RecordOf>
)
