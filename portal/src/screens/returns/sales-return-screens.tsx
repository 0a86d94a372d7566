/** Sales returns: their list, and a page each with what comes back, and its steps. */
import { dayText, Instant, moneyText, quantityText, Status } from '../../format.tsx'
import { BatchOf } from '../../patterns/batches.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import { type Columns as ColumnsOf, TableSection } from '../../patterns/data-table.tsx'
import { useRecord } from '../../patterns/detail-page.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import type { Happening } from '../../patterns/event-timeline.tsx'
import { linkTo } from '../../patterns/links.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import type { SalesReturn as Return } from '../../records.ts'
import { salesOrders } from '../sales/nouns.ts'
import { salesReturns } from './nouns.ts'
import { SalesReturnSteps } from './steps.tsx'

export const { List, Page } = documentScreens(salesReturns, {
  columns: [
    numberColumn(salesReturns),
    column.status('Status', ({ sales_return }) => sales_return.status),
    column.shown('Sales order', ({ sales_return }) => sales_return.sales_order_number),
    column.lines('What', ({ items }) => items, { visibleFrom: 'sm' }),
    column.instant('Created', ({ sales_return }) => sales_return.created_date, 'sm'),
    column.day('Returned', ({ sales_return }) => sales_return.return_date, 'md'),
    // In the currency of its order, which the list does not tell.
    column.number('Refund', ({ sales_return }) => sales_return.refund_amount, 'md'),
  ],
  rowId: ({ sales_return }) => sales_return.id,
  whenEmpty: 'Nothing has come back yet. Open a shipped sales order and announce what returns of it.',
  useMore: ({ sales_return }) => useRecord(salesOrders, sales_return.sales_order_id),
  recorded: ({ sales_return }) => sales_return,
  status: ({ sales_return }) => <Status code={sales_return.status} />,
  steps: one => <SalesReturnSteps one={one} />,
  facts: ({ sales_return: of }, order) => [
    ['Sales order', linkTo('SALES_ORDER', of.sales_order_id, of.sales_order_number)],
    ['Customer', order && linkTo('CUSTOMER', order.customer.id, order.customer.title)],
    ['Refund', amountText(of.refund_amount, order?.currency)],
    ['Comes back to', <PlaceTitle key="place" id={of.storage_place_id} />],
    ['Parcel', of.tracking_info],
    ['Return reference', of.external_return_ref],
    ['Reference', of.external_ref],
    ['Created', <Instant key="created" at={of.created_date} />],
    ['Returned', of.return_date && dayText(of.return_date)],
    ['Cancelled because', of.cancellation_reason],
    ['Notes', of.notes],
  ],
  related: ({ items }, order) => (
    <TableSection title="Lines" columns={columns} rows={items.map(item => ({ ...item, currency: order?.currency }))} />
  ),
  history: ({ sales_return }) => happeningsOf(sales_return),
})

type Line = Return['items'][number] & { readonly currency: string | undefined }

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

/** When a return was cancelled is not kept: the time of its last change stands for it. */
function happeningsOf({
  status,
  created_date,
  created_by_user_name,
  return_date,
  updated_at,
  cancellation_reason,
}: Return['sales_return']): Happening[] {
  return [
    { key: 'created', at: created_date, title: 'Announced', by: created_by_user_name },
    ...(return_date === null ? [] : [{ key: 'returned', at: return_date, title: 'Back in stock' }]),
    ...(status === 'CANCELLED'
      ? [{ key: 'cancelled', at: updated_at, title: 'Cancelled', text: cancellation_reason }]
      : []),
  ]
}
