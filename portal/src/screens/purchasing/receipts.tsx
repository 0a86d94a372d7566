/** The receipts of all purchase orders. */
import type { PurchaseReceipt } from '@millrace/client'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { RecordOf } from '../../patterns/detail-page.tsx'
import { DayFilter, PlaceFilter } from '../../patterns/filters.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { ListOf } from '../../patterns/list-of.tsx'
import { Reversed } from '../../patterns/reversal.tsx'

const route = getRouteApi('/purchase-receipts')
const one = getRouteApi('/purchase-receipts/$id')

const columns: Columns<Exact<PurchaseReceipt>> = [
  column.shown('Number', receipt => (
    <>
      <DocumentLink kind="PURCHASE_ORDER" id={receipt.purchase_order_id} className="row-link">
        {receipt.number}
      </DocumentLink>
      <Reversed of={receipt} />
    </>
  )),
  column.day('Received', ({ received_date }) => received_date),
  column.lines('What', ({ items }) => items),
  column.place('At', ({ storage_place_id }) => storage_place_id, 'sm'),
  column.instant('Booked', ({ created_at }) => created_at, 'md'),
]

export const Receipts = () => (
  <ListOf
    title="Receipts"
    route={route}
    name="purchase-receipts"
    of={api => api.purchaseReceipts}
    columns={columns}
    whenEmpty="Nothing has been received yet. Open a purchase order and receive what arrives."
    filters={filter => (
      <>
        <PlaceFilter {...filter('storage_place_id')} />
        <DayFilter label="Received from" {...filter('received_after')} />
        <DayFilter label="Received before" {...filter('received_before')} />
      </>
    )}
  />
)

/** A receipt is shown with its order. */
export const Receipt = () => (
  <RecordOf route={one} kind="Receipt" name="purchase-receipts" of={api => api.purchaseReceipts}>
    {({ purchase_order_id }) => <Navigate to="/purchase-orders/$id" params={{ id: purchase_order_id }} replace />}
  </RecordOf>
)
