/** A purchase order for the supplier: in the supplier's units, with prices and totals. */
import { getRouteApi } from '@tanstack/react-router'
import { isZero } from '../../exact.ts'
import { dayText, moneyText, quantityText } from '../../format.tsx'
import { DetailPage } from '../../patterns/detail-page.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { PurchaseOrder as Order, StoragePlace, Supplier } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { addressText, figures, type PrintColumn, PrintTable, Sheet, Titled } from './sheet.tsx'

const route = getRouteApi('/print/purchase-orders/$id')

type Row = Order['items'][number] & { readonly currency: string }

const columns: readonly PrintColumn<Row>[] = [
  { header: 'Your number', cell: ({ supplier_sku }) => supplier_sku ?? '–' },
  { header: 'What', cell: ({ title, sku }) => <Titled title={title} below={[sku]} /> },
  figures('Quantity', row =>
    row.purchase_quantity === null ? (
      <Quantity of={row.quantity} goods={row} />
    ) : (
      <>
        {quantityText(row.purchase_quantity)} × {row.purchase_unit_name ?? 'purchase unit'}
        <small>
          <Quantity of={row.quantity} goods={row} /> in all
        </small>
      </>
    ),
  ),
  figures('Price', ({ price, purchase_price, currency }) => moneyText(purchase_price ?? price, currency)),
  figures('Discount', ({ discount_percent: off }) => (isZero(off) ? '–' : `${quantityText(off)} %`)),
  figures('Tax', ({ tax_rate }) => `${quantityText(tax_rate)} %`),
  figures('Amount', ({ line_amount, currency }) => moneyText(line_amount, currency)),
]

const totalColumns: readonly PrintColumn<Order>[] = [
  figures('Net', of => moneyText(of.total_amount, of.currency)),
  figures('Tax', of => moneyText(of.tax_amount, of.currency)),
  figures('Total', of => <strong>{moneyText(of.total_amount_with_tax, of.currency)}</strong>),
]

export function PrintedPurchaseOrder() {
  const { api, can } = useSession()
  const { id } = route.useParams()
  return (
    <DetailPage
      kind="Purchase order"
      name={['purchase-orders', 'printed', id]}
      read={async options => {
        const order = await api.purchaseOrders.get(id, options)
        const [supplier, place] = await Promise.all([
          api.suppliers.get(order.supplier.id, options),
          order.storage_place_id !== null && can('read:stock')
            ? api.storagePlaces.get(order.storage_place_id, options)
            : null,
        ])
        return { order, supplier, place }
      }}
    >
      {record => <Shown {...record} />}
    </DetailPage>
  )
}

type Props = { readonly order: Order; readonly supplier: Supplier; readonly place: StoragePlace | null }

function Shown({ order, supplier, place }: Props) {
  const { currency } = order
  return (
    <Sheet
      kind="Purchase order"
      number={order.number}
      back={`/purchase-orders/${order.id}`}
      warning={order.status === 'DONE' ? 'This order is done: nothing more of it is awaited.' : undefined}
      facts={[
        ['Supplier', addressText(supplier.address, supplier.title)],
        ['Deliver to', place && addressText(place.address, place.title)],
        ['Ordered', dayText(order.date)],
        ['Expected', order.expected_date && dayText(order.expected_date)],
        ['Reference', order.external_ref],
        ['Notes', order.notes],
      ]}
    >
      <PrintTable
        title="Ordered"
        columns={columns}
        rows={order.items.map(item => ({ ...item, currency, key: item.id }))}
      />
      <PrintTable title="Totals" columns={totalColumns} rows={[{ ...order, key: 'totals' }]} />
    </Sheet>
  )
}
