/** What a receipt of a purchase order is, and its lines. */

import { dated, fewIds, filtersOf, manyIds, uniqueText } from '../../../kit/api/list-filters.ts'
import { lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { CreatedLineOf, CreateOf } from '../../../kit/fields/bodies.ts'
import {
  code,
  conversionRate,
  cost,
  currency,
  day,
  exactQuantity,
  exchangeRate,
  flag,
  identifier,
  instant,
  key,
  longText,
  money,
  percent,
  price,
  quantity,
  reference,
  sumOf,
  text,
} from '../../../kit/fields/kinds.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { Item, Variant } from '../../catalogue/variant.ts'
import { StoragePlace } from '../../places/noun.ts'
import { Batch } from '../../stock/batches/noun.ts'
import { REVERSAL, reversalFields, reversalFilters } from '../../stock/reversals/fields.ts'
import { LINES_MAX, PurchaseOrder, PurchaseOrderItem } from '../orders/noun.ts'

export const PurchaseReceiptItem = lineOf({
  table: 'purchase_receipt_items',
  parent: 'purchase_receipt_id',
  fields: {
    id: key(),
    purchase_order_item_id: reference(PurchaseOrderItem).writable('create'),
    item_id: reference(Item),
    item_variant_id: reference(Variant),
    sku: text().orNull(),
    title: text(),
    quantity: quantity({ moreThan: '0' })
      .words('in the unit of the product', 'in the unit of the product; or `purchase_quantity`')
      .decided()
      .writable('create'),
    purchase_quantity: quantity({ moreThan: '0' })
      .words(
        'in purchase units; null where the order line is in stock units, or so many purchase units have more than 6 decimals',
        'in purchase units, instead of `quantity`; only where the order line is in purchase units',
      )
      .shownOrNull()
      .decided()
      .writable('create'),
    purchase_unit_name: text().words("the order line's").orNull(),
    conversion_rate: conversionRate().words("the order line's: how many stock units are in one purchase unit"),
    /** The received quantity before it was rounded. Null: exactly the quantity. */
    exact_quantity: exactQuantity().orNull(),
    batch_id: reference(Batch).orNull(),
    batch_number: identifier().orNull().writable('create'),
    manufacture_date: day().orNull().writable('create'),
    expiry_date: day().orNull().writable('create'),
    price: price().words("the order line's, in the order's currency"),
    purchase_price: price()
      .words("the order line's, of one purchase unit; null where the line is in stock units")
      .orNull(),
    discount_percent: percent().words("the order line's, in percent"),
    line_amount: money().words(
      'quantity times the discounted price (of purchase units theirs), rounded half up to the minor unit, without tax',
    ),
    line_tax_amount: money().hidden(),
    quarantine: flag().default(false).writable('create'),
    order_id: reference(PurchaseOrder).inColumn('purchase_order_id').hidden(),
    /** The value that the line added to the stock, in the tenant's currency; null for a service. */
    stock_value: cost().orNull().hidden(),
  },
})

export const PurchaseReceipt = noun({
  name: 'purchase receipt',
  called: 'receipt',
  table: 'purchase_receipts',
  path: '/purchase-receipts',
  tag: ['Purchase receipts', 'What was received, over all purchase orders.'],
  events: {
    created: 'Goods were received.',
    updated: 'What is noted of a receipt changed.',
    reversed: 'A receipt was reversed.',
  },
  posts: { as: 'a receipt of a purchase order', kinds: { PURCHASE_RECEIPT: 'goods of a supplier', ...REVERSAL } },
  scopes: { read: 'read:purchase', create: 'write:purchase.receipt.create', update: 'write:purchase.receipt.create' },
  fields: {
    id: key(),
    number: code().counted('PR').writable('create'),
    purchase_order_id: reference(PurchaseOrder),
    storage_place_id: reference(StoragePlace).writable('create'),
    received_date: instant().words('when the goods arrived; now unless given').decided().writable('create'),
    created_at: instant(),
    ...reversalFields,
    notes: longText().orNull().writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    currency: currency().words("the order's"),
    exchange_rate: exchangeRate()
      .words(
        "the tenant's currency per unit of the receipt's, at which the goods came in",
        "the tenant's currency per unit of the order's, at which the goods come in; by default the order's",
      )
      .decided()
      .writable('create'),
    total_amount: money().words('sum of the line amounts'),
    tax_amount: money().words("the tax on them, each rounded, by the tax rates of the order's lines"),
    total_amount_with_tax: sumOf(['total_amount', 'tax_amount']),
    stock_amount: cost().words("what it brought into the value of the stock, in the tenant's currency"),
    items: lines(
      PurchaseReceiptItem,
      'in the order sent',
      'what arrived; all that is outstanding unless given',
    ).writable({ max: LINES_MAX, on: 'create', absent: 'decided' }),
  },
  unique: ['number', 'external_ref'],
  filters: filtersOf({
    external_ref: uniqueText(),
    purchase_order_id: fewIds(),
    storage_place_id: manyIds(),
    ...dated('received', 'received_date'),
    ...reversalFilters,
  }),
  listed: '`received_after` is inclusive, `received_before` exclusive; both speak of `received_date`.',
})

export type Receipt = RecordOf<typeof PurchaseReceipt>
export type ReceiptLine = RecordOf<typeof PurchaseReceiptItem>

export type NewReceipt = CreateOf<typeof PurchaseReceipt>
export type NewReceiptItem = CreatedLineOf<typeof PurchaseReceiptItem>
