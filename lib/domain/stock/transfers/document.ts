/** What a stock transfer is: it keeps what it answered, whatever is renamed later. */
import { document, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import { cost, flag, instant, key, quantity, reference, text } from '../../../kit/fields/kinds.ts'
import { StoragePlace } from '../../places/noun.ts'

/** One stock row that the transfer takes from. */
const StockTransferItem = lineOf({
  table: 'stock_transfer_items',
  parent: 'stock_transfer_id',
  fields: {
    id: key(),
    item_variant_id: reference(),
    sku: text().orNull(),
    title: text(),
    batch_id: reference().orNull(),
    batch_number: text().orNull(),
    quantity: quantity(),
    value: cost().words('the stock value that moved with the quantity'),
    from_quarantine: flag().hidden(),
    to_quarantine: flag().hidden(),
  },
})

export const StockTransfer = document({
  kind: 'stock_transfer',
  noun: 'stock transfer',
  table: 'stock_transfers',
  prefix: 'ST',
  fields: {
    id: key(),
    number: text(),
    from_storage_place_id: reference(StoragePlace).orNull(),
    to_storage_place_id: reference(StoragePlace).orNull(),
    date: instant(),
    notes: text().orNull(),
    external_ref: text().orNull(),
    created_at: instant(),
    items: lines(StockTransferItem, 'one per stock row taken from, in the order sent'),
  },
  unique: ['number', 'external_ref'],
})

export type TransferLine = RecordOf<typeof StockTransferItem>
