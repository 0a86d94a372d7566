/** The shipments of all sales orders. The page of a shipment is that of its order. */
import { sum } from '../../exact.ts'
import { countText } from '../../format.tsx'
import { column } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { Reversed } from '../../patterns/reversal.tsx'
import { Quantity } from '../../patterns/units.tsx'
import { salesShipments } from './nouns.ts'

export const { List, Page } = documentScreens(salesShipments, {
  columns: [
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
    // Quantities of different products have no sum.
    column.figure('Quantity', ({ items }) => {
      const [first, ...others] = items
      return first && others.every(({ item_variant_id }) => item_variant_id === first.item_variant_id) ? (
        <Quantity of={sum(items.map(({ quantity }) => quantity))} goods={first} />
      ) : null
    }),
    column.shown('Reference', ({ external_ref }) => external_ref, 'md'),
    column.instant('Booked', ({ created_at }) => created_at, 'sm'),
  ],
  whenEmpty: 'Nothing has been shipped yet. Open a sales order and ship what is there.',
  shownAt: ({ sales_order_id }) => `/sales-orders/${sales_order_id}`,
})
