/** What a receipt of a purchase order is, and its lines. */
import { document, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import {
  cost,
  day,
  explained,
  flag,
  hidden,
  inColumn,
  instant,
  key,
  money,
  nullable,
  price,
  quantity,
  reference,
  text,
} from '../../../kit/documents/field.ts'
import { StoragePlace } from '../../places/document.ts'
import { PurchaseOrder } from '../orders/document.ts'

const PurchaseReceiptItem = lineOf({
  table: 'purchase_receipt_items',
  parent: 'purchase_receipt_id',
  fields: {
    id: key(),
    purchase_order_item_id: reference(),
    item_id: reference(),
    item_variant_id: reference(),
    sku: nullable(text()),
    title: text(),
    quantity: quantity(),
    batch_id: nullable(reference()),
    batch_number: nullable(text()),
    manufacture_date: nullable(day()),
    expiry_date: nullable(day()),
    price: explained(price(), "the order line's, in the order's currency"),
    line_amount: explained(money(), 'quantity times price, rounded half up to the minor unit, without tax'),
    quarantine: flag(),
    order_id: hidden(inColumn('purchase_order_id', reference())),
    /** What it added to the stock value, in the tenant's currency; null for a service. */
    stock_value: hidden(nullable(cost())),
  },
})

export const PurchaseReceipt = document({
  kind: 'purchase_receipt',
  noun: 'receipt',
  table: 'purchase_receipts',
  prefix: 'PR',
  fields: {
    id: key(),
    number: text(),
    purchase_order_id: reference(PurchaseOrder),
    storage_place_id: reference(StoragePlace),
    received_date: instant(),
    created_at: instant(),
    notes: nullable(text()),
    external_ref: nullable(text()),
    total_amount: explained(money(), 'sum of the line amounts'),
    items: lines(PurchaseReceiptItem, 'in the order sent'),
  },
  unique: ['number', 'external_ref'],
})

export type ReceiptLine = RecordOf<typeof PurchaseReceiptItem>
