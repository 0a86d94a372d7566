/** What shipments and packings of sales orders are: they differ in nothing but what they do. */
import { document, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import { cost, instant, key, quantity, reference, text } from '../../../kit/fields/kinds.ts'
import { SalesOrder } from '../orders/noun.ts'

/** A line of the order, or the part of it from one batch. */
const itemFields = {
  id: key(),
  sales_order_item_id: reference(),
  item_variant_id: reference(),
  quantity: quantity(),
  batch_id: reference().orNull(),
}

const documentFields = {
  id: key(),
  number: text(),
  sales_order_id: reference(SalesOrder),
  date: instant(),
  external_ref: text().orNull(),
  created_at: instant(),
}

const unique = ['number', 'external_ref'] as const

export const SalesShipment = document({
  kind: 'sales_shipment',
  noun: 'shipment',
  table: 'sales_shipments',
  prefix: 'SH',
  fields: {
    ...documentFields,
    items: lines(
      lineOf({
        table: 'sales_shipment_items',
        parent: 'sales_shipment_id',
        fields: {
          ...itemFields,
          /** The order's, by which its lines are found. */
          order_id: reference().inColumn('sales_order_id').hidden(),
          /** Stock value that left; null for a service. */
          value: cost().orNull().hidden(),
        },
      }),
      'an entry for each line and batch',
    ),
  },
  unique,
})

export const SalesPacking = document({
  kind: 'sales_packing',
  noun: 'packing',
  table: 'sales_packings',
  prefix: 'PK',
  fields: {
    ...documentFields,
    items: lines(
      lineOf({ table: 'sales_packing_items', parent: 'sales_packing_id', fields: itemFields }),
      'an entry for each line',
    ),
  },
  unique,
})

export type Shipment = RecordOf<typeof SalesShipment>
export type Packing = RecordOf<typeof SalesPacking>

export const documents = { sales_shipment: SalesShipment, sales_packing: SalesPacking } as const
