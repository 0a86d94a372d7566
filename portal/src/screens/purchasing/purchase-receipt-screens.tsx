/** The receipts of all purchase orders. The page of a receipt is that of its order. */
import { column } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { Reversed } from '../../patterns/reversal.tsx'
import { purchaseReceipts } from './nouns.ts'

export const { List, Page } = documentScreens(purchaseReceipts, {
  columns: [
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
  ],
  whenEmpty: 'Nothing has been received yet. Open a purchase order and receive what arrives.',
  shownAt: ({ purchase_order_id }) => `/purchase-orders/${purchase_order_id}`,
})
