/** What a receipt of a purchase order is, and its lines. */
import { document, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import { cost, day, flag, instant, key, money, price, quantity, reference, text } from '../../../kit/fields/kinds.ts'
import { StoragePlace } from '../../places/noun.ts'
import { PurchaseOrder } from '../orders/noun.ts'

const PurchaseReceiptItem = lineOf({
  table: 'purchase_receipt_items',
  parent: 'purchase_receipt_id',
  fields: {
    id: key(),
    purchase_order_item_id: reference(),
    item_id: reference(),
    item_variant_id: reference(),
    sku: text().orNull(),
    title: text(),
    quantity: quantity(),
    batch_id: reference().orNull(),
    batch_number: text().orNull(),
    manufacture_date: day().orNull(),
    expiry_date: day().orNull(),
    price: price().words("the order line's, in the order's currency"),
    line_amount: money().words('quantity times price, rounded half up to the minor unit, without tax'),
    quarantine: flag(),
    order_id: reference().inColumn('purchase_order_id').hidden(),
    /** What it added to the stock value, in the tenant's currency; null for a service. */
    stock_value: cost().orNull().hidden(),
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
    notes: text().orNull(),
    external_ref: text().orNull(),
    total_amount: money().words('sum of the line amounts'),
    items: lines(PurchaseReceiptItem, 'in the order sent'),
  },
  unique: ['number', 'external_ref'],
})

export type ReceiptLine = RecordOf<typeof PurchaseReceiptItem>
