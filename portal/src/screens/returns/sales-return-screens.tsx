/** Sales returns: their list, and a page for each with its goods and steps. */
import { isZero } from '../../exact.ts'
import { capital, dayText, Instant, moneyText, quantityText, Status } from '../../format.tsx'
import { BatchOf } from '../../patterns/batches.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import { type Columns as ColumnsOf, TableSection } from '../../patterns/data-table.tsx'
import { useRecord } from '../../patterns/detail-page.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import type { Happening } from '../../patterns/history.tsx'
import { PartTexts } from '../../patterns/kits.tsx'
import { linkTo, What } from '../../patterns/links.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { taxTexts, taxWords } from '../../patterns/taxes.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { SalesOrder as Order, SalesReturn as Return } from '../../records.ts'
import { salesOrders } from '../sales/nouns.ts'
import { salesReturns } from './nouns.ts'
import { backWords, goesBackColumn } from './of-order.tsx'
import { SalesReturnSteps } from './steps.tsx'

export const { List, Page } = documentScreens(salesReturns, {
  columns: [
    numberColumn(salesReturns),
    column.status('Status', ({ sales_return }) => sales_return.status),
    column.shown('Sales order', ({ sales_return }) => sales_return.sales_order_number),
    goesBackColumn,
    column.instant('Created', ({ sales_return }) => sales_return.created_date, 'sm'),
    column.day('Returned', ({ sales_return }) => sales_return.return_date, 'md'),
    // The amount is in the currency of the order, which the list does not have.
    column.number('Refund with tax', ({ sales_return }) => sales_return.refund_amount_with_tax, 'md'),
  ],
  rowId: ({ sales_return }) => sales_return.id,
  whenEmpty: 'Nothing has come back yet. Open a shipped sales order and create its return.',
  useMore: ({ sales_return }) => useRecord(salesOrders, sales_return.sales_order_id),
  recorded: ({ sales_return }) => sales_return,
  status: ({ sales_return }) => <Status code={sales_return.status} />,
  steps: one => <SalesReturnSteps one={one} />,
  facts: ({ sales_return: of }, order) => [
    ['Sales order', linkTo('SALES_ORDER', of.sales_order_id, of.sales_order_number)],
    ['Customer', order && linkTo('CUSTOMER', order.customer.id, order.customer.title)],
    ['Refund with tax', amountText(of.refund_amount_with_tax, order?.currency)],
    ['Refund without tax', amountText(of.refund_amount, order?.currency)],
    ['Tax', amountText(of.refund_tax_amount, order?.currency)],
    ['Comes back to', <PlaceTitle key="place" id={of.storage_place_id} />],
    ['Parcel', of.tracking_info],
    ['Return reference', of.external_return_ref],
    ['Reference', of.external_ref],
    ['Created', <Instant key="created" at={of.created_date} />],
    ['Returned', of.return_date && dayText(of.return_date)],
    ['Cancelled because', of.cancellation_reason],
    ['Notes', of.notes],
  ],
  related: ({ items, charges }, order) => (
    <>
      {items.length > 0 && (
        <TableSection title="Lines" columns={columns} rows={items.map(item => ({ ...item, order }))} />
      )}
      {charges.length > 0 && (
        <TableSection title="Charges" columns={chargeColumns} rows={charges.map(charge => ({ ...charge, order }))} />
      )}
    </>
  ),
  history: happeningsOf,
})

type OfOrder = { readonly order: Order | null | undefined }
type Line = Return['items'][number] & OfOrder
type Charge = Return['charges'][number] & OfOrder

/** A line with money only has no quantity. */
const goodsText = (line: Line) => (isZero(line.quantity) ? 'Money alone' : <Quantity of={line.quantity} goods={line} />)

const eachText = ({ quantity, unit_price, order }: Line) =>
  isZero(quantity)
    ? null
    : amountText(unit_price, order?.currency) + (order ? ` ${taxWords(order.prices_include_tax)}` : '')

const taxText = (tax: Return['items'][number]['refund_tax_amount'], { taxes, order }: Line | Charge) =>
  taxes.length > 0 && order
    ? taxTexts({ tax_rate: '0', taxes }, order.currency).join(', ')
    : amountText(tax, order?.currency)

const columns: ColumnsOf<Line> = [
  column.shown(
    'What',
    ({ title, sku, components }) => (
      <>
        <What title={title} sku={sku} />
        <PartTexts of={components} />
      </>
    ),
    { says: ({ title }) => title },
  ),
  column.figure('Quantity', goodsText, { says: ({ quantity }) => quantity }),
  column.shown('Why', ({ reason, reason_note }) => [reason, reason_note].filter(Boolean).join(': ') || '–'),
  column.shown(
    'Back to',
    ({ storage_place_id, quarantine, restock, quantity }) =>
      isZero(quantity) ? null : restock ? (
        <>
          <PlaceTitle id={storage_place_id} />
          {quarantine && ', in quarantine'}
        </>
      ) : (
        'Stays with the customer'
      ),
    'sm',
  ),
  column.shown('Batch', ({ batch_id }) => batch_id && <BatchOf id={batch_id} />, 'sm'),
  column.figure('Refund each', eachText, 'md'),
  column.figure('Tax', line => taxText(line.refund_tax_amount, line), 'sm'),
  column.figure('Refund with tax', line => amountText(line.refund_amount_with_tax, line.order?.currency)),
]

const chargeColumns: ColumnsOf<Charge> = [
  column.shown('For', ({ title }) => title),
  column.figure('Refund without tax', ({ amount, order }) => amountText(amount, order?.currency), 'sm'),
  column.figure('Tax', charge => taxText(charge.tax_amount, charge), 'sm'),
  column.figure('Refund with tax', charge => amountText(charge.amount_with_tax, charge.order?.currency)),
]

/** The currency is that of the order. Until the order is loaded, the number has none. */
const amountText = (value: `${number}`, currency: string | undefined) =>
  currency === undefined ? quantityText(value) : moneyText(value, currency)

/** The API has no time of a cancellation. The time of the last change is shown instead. */
function happeningsOf(one: Return): Happening[] {
  const { status, created_date, created_by_user_name, return_date, updated_at, cancellation_reason } = one.sales_return
  return [
    { key: 'created', at: created_date, title: 'Created', by: created_by_user_name },
    ...(return_date === null ? [] : [{ key: 'returned', at: return_date, title: capital(backWords(one)) }]),
    ...(status === 'CANCELLED'
      ? [{ key: 'cancelled', at: updated_at, title: 'Cancelled', text: cancellation_reason }]
      : []),
  ]
}
