/** What a sales return is, and its lines. */
import { document, fieldOf, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import {
  choice,
  cost,
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
  whole,
} from '../../../kit/documents/field.ts'
import { StoragePlace } from '../../places/document.ts'
import { SalesOrder } from '../orders/document.ts'

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
    batch_id: nullable(reference()),
    storage_place_id: nullable(
      explained(reference(StoragePlace), 'where the goods come back to; null is stock without a place'),
    ),
    sku: nullable(text()),
    title: text(),
    reason: nullable(text()),
    reason_note: nullable(text()),
    reason_id: nullable(whole()),
    quantity: quantity(),
    unit_price: price(),
    quarantine: flag(),
    order_id: hidden(inColumn('sales_order_id', reference())),
    /** Stock value that came back; null before, and for a service. */
    value: hidden(nullable(cost())),
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
    storage_place_id: nullable(reference(StoragePlace)),
    external_return_ref: nullable(explained(text(), 'reference in an external system; need not be unique')),
    external_ref: nullable(text()),
    tracking_info: nullable(text()),
    notes: nullable(text()),
    cancellation_reason: nullable(text()),
    created_date: inColumn('created_at', instant()),
    updated_at: instant(),
    return_date: nullable(explained(instant(), 'when the goods were received')),
    refund_amount: explained(
      money(),
      "sum of quantity * unit_price, each rounded half up to the minor unit of the order's currency",
    ),
    items: lines(SalesReturnItem, 'in the order sent'),
  },
  unique: ['number', 'external_ref'],
})

export type Return = RecordOf<typeof SalesReturn>
export type ReturnLine = RecordOf<typeof SalesReturnItem>
export type ReturnStatus = Return['status']
