/** Orders in answers: the fields that people ask about, with a bounded number of lines. It computes nothing. */

import type { ManufacturingOrder, PurchaseOrder, SalesOrder } from '../../../client/src/index.ts'
import { extended, type JsonSchema, picked } from './outputs.ts'

const LINES_MAX = 50

/** An order by its number. The service's counted numbers are upper case; models and people may write `so-00001`. */
export async function byNumber<T>(
  number: string,
  find: (number: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  const upper = number.toUpperCase()
  return (await find(number)) ?? (upper === number ? undefined : find(upper))
}

const lines = <T, Shown>(items: readonly T[], shown: (item: T) => Shown) => ({
  items: items.slice(0, LINES_MAX).map(shown),
  ...(items.length > LINES_MAX ? { items_left_out: items.length - LINES_MAX } : {}),
})

type Priced = { readonly price: number; readonly discount_percent: number; readonly line_amount: number }

const amountsOf = ({ price, discount_percent, line_amount }: Priced) => ({ price, discount_percent, line_amount })

/** Of a kit, in all kits of its line. */
const shownComponent = ({
  sku,
  title,
  quantity,
  shipped_quantity,
}: SalesOrder['items'][number]['components'][number]) => ({
  ...{ sku, title, quantity, shipped_quantity },
})

export const shownSalesOrder = (order: SalesOrder) => ({
  id: order.id,
  number: order.number,
  status: order.status,
  delivery_status: order.delivery_status,
  customer: order.customer.title,
  created_date: order.created_date,
  delivery_date: order.delivery_date,
  shipped_at: order.shipped_at,
  external_ref: order.external_ref,
  currency: order.currency,
  exchange_rate: order.exchange_rate,
  prices_include_tax: order.prices_include_tax,
  total_amount: order.total_amount,
  tax_amount: order.tax_amount,
  total_amount_with_tax: order.total_amount_with_tax,
  cancel_reason: order.cancel_reason,
  notes: order.notes,
  shipping_address: order.shipping_address,
  charges: order.charges.map(({ title, amount, amount_with_tax }) => ({ title, amount, amount_with_tax })),
  ...lines(order.items, ({ sku, title, quantity, packed_quantity, shipped_quantity, components, ...line }) => ({
    sku,
    title,
    quantity,
    packed_quantity,
    shipped_quantity,
    ...amountsOf(line),
    discount_amount: line.discount_amount,
    taxes: line.taxes,
    line_amount_with_tax: line.line_amount_with_tax,
    ...(components.length > 0 ? { components: components.map(shownComponent) } : {}),
  })),
})

export const shownPurchaseOrder = (order: PurchaseOrder) => ({
  id: order.id,
  number: order.number,
  status: order.status,
  delivery_status: order.delivery_status,
  supplier: order.supplier.title,
  date: order.date,
  expected_date: order.expected_date,
  completed_at: order.completed_at,
  currency: order.currency,
  total_amount: order.total_amount,
  tax_amount: order.tax_amount,
  total_amount_with_tax: order.total_amount_with_tax,
  close_reason: order.close_reason,
  notes: order.notes,
  ...lines(order.items, ({ sku, title, quantity, received_quantity, batch_number, ...line }) => ({
    sku,
    title,
    quantity,
    received_quantity,
    ...amountsOf(line),
    batch_number,
  })),
})

export const shownManufacturingOrder = (order: ManufacturingOrder) => ({
  id: order.id,
  number: order.number,
  type: order.type,
  status: order.status,
  block_reason: order.block_reason,
  makes: { sku: order.item_variant.sku, title: order.item_variant.item_title, variant: order.item_variant.title },
  quantity: order.quantity,
  released_quantity: order.released_quantity,
  actual_quantity: order.actual_quantity,
  planned_start_date: order.planned_start_date,
  started_at: order.started_at,
  production_date: order.production_date,
  completed_at: order.completed_at,
  output_batch_number: order.output_batch_number,
  actual_cost: order.actual_cost,
  notes: order.notes,
  ...lines(order.items, ({ sku, title, quantity, actual_quantity }) => ({ sku, title, quantity, actual_quantity })),
})

/** One of the three kinds, as it is shown; without lines in lists. */
export const anyOrder: JsonSchema = {
  anyOf: [
    extended(
      picked('SalesOrder', ['id', 'number', 'status', 'delivery_status', 'currency', 'total_amount_with_tax', 'notes']),
      { customer: { type: 'string' } },
    ),
    extended(
      picked('PurchaseOrder', [
        'id',
        'number',
        'status',
        'delivery_status',
        'currency',
        'total_amount_with_tax',
        'notes',
      ]),
      { supplier: { type: 'string' } },
    ),
    picked('ManufacturingOrder', [
      'id',
      'number',
      'type',
      'status',
      'quantity',
      'released_quantity',
      'actual_cost',
      'notes',
    ]),
  ],
}
