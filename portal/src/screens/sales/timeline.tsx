/** The history of a sales order, from its documents. */
import { useQuery } from '@tanstack/react-query'
import { moneyText } from '../../format.tsx'
import { type Happening, reversalOf } from '../../patterns/history.tsx'
import { PartTexts } from '../../patterns/kits.tsx'
import { DocumentLink, PathLink } from '../../patterns/links.tsx'
import { Reversed } from '../../patterns/reversal.tsx'
import { Lines } from '../../patterns/units.tsx'
import type { SalesOrder, SalesPackingItem, SalesReturn, SalesShipmentItem } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { backWords, GoesBack } from '../returns/of-order.tsx'
import { EditParcel, Parcel, ReverseShipment } from './parcel.tsx'

const DOCUMENTS_MAX = 200

export function useDocuments(order: SalesOrder) {
  const api = useApi()
  return useQuery({
    queryKey: ['sales-orders', 'documents', order.id],
    queryFn: async ({ signal }) => {
      const page = { limit: DOCUMENTS_MAX }
      const [packings, shipments] = await Promise.all([
        api.salesOrders.listPackings(order.id, page, { signal }),
        api.salesOrders.listShipments(order.id, page, { signal }),
      ])
      return { packings: packings.data, shipments: shipments.data }
    },
  })
}

type Others = {
  readonly documents: ReturnType<typeof useDocuments>
  readonly returns: readonly SalesReturn[] | undefined
}

export function happeningsOf(order: SalesOrder, { documents: { data }, returns = [] }: Others): readonly Happening[] {
  const titles = new Map(order.items.map(({ id, title }) => [id, title]))
  const lines = (items: readonly (SalesShipmentItem | SalesPackingItem)[]) => (
    <Lines
      of={items.map(item => ({ ...item, title: titles.get(item.sales_order_item_id) ?? 'a removed line' }))}
      most={items.length}
    />
  )
  return [
    { key: 'created', at: order.created_date, title: 'Created', by: order.created_by_user_name },
    ...(data?.packings ?? []).map(({ id, number, created_at: at, created_by_user_name: by, items }) => ({
      ...{ by, at, key: `packing ${id}`, title: `Packed with ${number}`, text: lines(items) },
    })),
    ...(data?.shipments ?? []).map(shipment => ({
      ...{ key: `shipment ${shipment.id}`, by: shipment.created_by_user_name },
      ...{ at: shipment.created_at, title: `Shipped with ${shipment.number}` },
      text: (
        <>
          {lines(shipment.items)}
          <PartTexts of={shipment.items.flatMap(({ components }) => components)} />{' '}
          <PathLink inText to={`/print/packing-slips/${shipment.id}`}>
            Packing slip
          </PathLink>{' '}
          <EditParcel shipment={shipment} /> <ReverseShipment shipment={shipment} order={order} />
          <Parcel shipment={shipment} />
          <Reversed of={shipment} />
        </>
      ),
    })),
    ...(data?.shipments ?? []).flatMap(reversalOf),
    ...returns.flatMap(one => returnSteps(one, order)),
    ...(order.cancelled_at === null
      ? []
      : [{ key: 'cancelled', at: order.cancelled_at, title: 'Cancelled', text: order.cancel_reason }]),
  ]
}

/** The API has no time of a cancellation. The time of the last change is shown instead. */
function returnSteps(one: SalesReturn, { currency }: SalesOrder): readonly Happening[] {
  const { id, number, status, created_date, return_date, updated_at, ...of } = one.sales_return
  const link = (
    <DocumentLink inText kind="SALES_RETURN" id={id}>
      {number}
    </DocumentLink>
  )
  const refund = `${moneyText(of.refund_amount_with_tax, currency)} with tax, of it ${moneyText(of.refund_tax_amount, currency)} tax`
  const what = (
    <>
      {link}: <GoesBack one={one} />
    </>
  )
  return [
    {
      ...{ key: `return ${id}`, at: created_date, title: 'Return created', by: of.created_by_user_name },
      text: (
        <>
          {what}; {refund}
        </>
      ),
    },
    ...(return_date === null
      ? []
      : [{ key: `returned ${id}`, at: return_date, title: `Return is ${backWords(one)}`, text: what }]),
    ...(status === 'CANCELLED'
      ? [{ key: `return ${id} cancelled`, at: updated_at, title: 'Return cancelled', text: link }]
      : []),
  ]
}
