/** What a sales return is, and its lines. */
import { document, fieldOf, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import {
  choice,
  cost,
  flag,
  instant,
  key,
  money,
  price,
  quantity,
  reference,
  text,
  whole,
} from '../../../kit/fields/kinds.ts'
import { StoragePlace } from '../../places/noun.ts'
import { SalesOrder } from '../orders/noun.ts'

export const returnStatuses = {
  NOT_RETURNED: 'announced',
  RETURNED: 'the goods are back in stock',
  CANCELLED: 'called off',
} as const

const SalesReturnItem = lineOf({
  table: 'sales_return_items',
  parent: 'sales_return_id',
  fields: {
    id: key(),
    sales_order_item_id: reference(),
    item_variant_id: reference(),
    batch_id: reference().orNull(),
    storage_place_id: reference(StoragePlace)
      .words('where the goods come back to; null is stock without a place')
      .orNull(),
    sku: text().orNull(),
    title: text(),
    reason: text().orNull(),
    reason_note: text().orNull(),
    reason_id: whole().orNull(),
    quantity: quantity(),
    unit_price: price(),
    quarantine: flag(),
    order_id: reference().inColumn('sales_order_id').hidden(),
    /** Stock value that came back; null before, and for a service. */
    value: cost().orNull().hidden(),
  },
})

export const SalesReturn = document({
  kind: 'sales_return',
  noun: 'sales return',
  table: 'sales_returns',
  prefix: 'SR',
  envelope: 'sales_return',
  fields: {
    id: key(),
    number: text(),
    status: choice(returnStatuses),
    source_type: choice({ SALES_ORDER: 'goods of a sales order' }),
    sales_order_id: reference(SalesOrder),
    sales_order_number: fieldOf('sales_order_id', SalesOrder, 'number'),
    /** The order's customer when the return was made. */
    customer_id: reference(),
    storage_place_id: reference(StoragePlace).orNull(),
    external_return_ref: text().words('reference in an external system; need not be unique').orNull(),
    external_ref: text().orNull(),
    tracking_info: text().orNull(),
    notes: text().orNull(),
    cancellation_reason: text().orNull(),
    created_date: instant().inColumn('created_at'),
    updated_at: instant(),
    return_date: instant().words('when the goods were received').orNull(),
    refund_amount: money().words(
      "sum of quantity * unit_price, each rounded half up to the minor unit of the order's currency",
    ),
    items: lines(SalesReturnItem, 'in the order sent'),
  },
  unique: ['number', 'external_ref'],
})

export type Return = RecordOf<typeof SalesReturn>
export type ReturnLine = RecordOf<typeof SalesReturnItem>
export type ReturnStatus = Return['status']
