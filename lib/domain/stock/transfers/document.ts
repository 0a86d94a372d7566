/** What a stock transfer is: it keeps what it answered, whatever is renamed later. */
import { document, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import {
  cost,
  explained,
  flag,
  hidden,
  instant,
  key,
  nullable,
  quantity,
  reference,
  text,
} from '../../../kit/documents/field.ts'
import { StoragePlace } from '../../places/document.ts'

/** One stock row that the transfer takes from. */
const StockTransferItem = lineOf({
  table: 'stock_transfer_items',
  parent: 'stock_transfer_id',
  fields: {
    id: key(),
    item_variant_id: reference(),
    sku: nullable(text()),
    title: text(),
    batch_id: nullable(reference()),
    batch_number: nullable(text()),
    quantity: quantity(),
    value: explained(cost(), 'the stock value that moved with the quantity'),
    from_quarantine: hidden(flag()),
    to_quarantine: hidden(flag()),
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
    from_storage_place_id: nullable(reference(StoragePlace)),
    to_storage_place_id: nullable(reference(StoragePlace)),
    date: instant(),
    notes: nullable(text()),
    external_ref: nullable(text()),
    created_at: instant(),
    items: lines(StockTransferItem, 'one per stock row taken from, in the order sent'),
  },
  unique: ['number', 'external_ref'],
})

export type TransferLine = RecordOf<typeof StockTransferItem>
