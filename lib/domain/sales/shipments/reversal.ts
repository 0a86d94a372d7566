/** The command that reverses a shipment: the goods come back, and the order has them to ship again (docs/rules/sales.md). */
import { type Refusal, refuse } from '../../../kit/api/errors.ts'
import { changed } from '../../../kit/documents/command.ts'
import { type Need, recordBehind, theRecord } from '../../../kit/documents/needs.ts'
import { Customer } from '../../partners/noun.ts'
import { reverses } from '../../stock/reversals/reverse.ts'
import { placesOfLine } from '../orders/component-rules.ts'
import { type Order, SalesOrder } from '../orders/noun.ts'
import { withLines } from '../orders/quantity-rules.ts'
import { reserve } from '../orders/reservation-rules.ts'
import { reopened } from '../orders/status-rules.ts'
import { forgetReturnable, returnOfLine } from '../returns/returnable.ts'
import { afterParts } from './kit-rules.ts'
import { SalesShipment, type Shipment } from './noun.ts'

const orderOf = recordBehind(SalesShipment, 'sales_order_id', SalesOrder)

/** Its events: the stock, the shipment, then the order: `sales_order.updated`. Also refuses `conflict` for a return of one of its lines. */
export const reverseShipment = reverses(SalesShipment, {
  scope: 'write:sales.shipment.reverse',
  description:
    '`shipped_quantity` and `delivery_status` of the sales order follow, services included; what is packed stays packed. An order that ' +
    'was not set DONE by hand is OPEN again and reserves again. A return of one of the lines that is not cancelled is 409 `conflict`.',
  example: { reason: 'The parcel never left' },
  dateOf: shipment => shipment.date,
  needs: id => ({ order: orderOf(id) }),
  more: (shipment, { order }) => ({
    customer: theRecord(Customer, order?.customer_id),
    returned: returnsOf(shipment),
  }),
  positions: (shipment, { order }) => {
    const shipped = new Set(shipment.items.map(item => item.sales_order_item_id))
    return (order?.items ?? []).filter(({ id }) => shipped.has(id)).flatMap(placesOfLine)
  },
  refuse: ({ returned }) => refuseReturned(returned),
  also: (shipment, { order: before, stock }, { work }) => {
    if (before === null) throw new Error(`the sales order ${shipment.sales_order_id} is gone`)
    const after = work.change(SalesOrder, unshippedOrder(before, shipment))
    for (const item of shipment.items) forgetReturnable(work, item.sales_order_item_id)
    return reserve(stock, { before, after }) ?? changed(work, SalesOrder, { before, after, event: 'updated' }).events
  },
})

/** Numbers of returns of the shipment's lines that are not cancelled. */
const returnsOf = ({ items }: Shipment): Need<readonly string[]> => {
  const lineIds = new Set(items.map(item => item.sales_order_item_id))
  return {
    ask: (load, tenantId) => {
      for (const id of lineIds) returnOfLine.ask(load, tenantId, { id })
    },
    see: work => [...lineIds].flatMap(id => work.answer(returnOfLine, { id }) ?? []),
  }
}

const refuseReturned = ([number]: readonly string[]): Refusal | null =>
  number === undefined
    ? null
    : refuse('conflict', `the sales return ${number} holds goods of this shipment: cancel it first`)

/** The order after the reversal. The reversed shipment keeps its lines. */
function unshippedOrder(order: Order, { items }: Shipment): Order {
  const lines = new Map(order.items.map(line => [line.id, line]))
  for (const { sales_order_item_id: id, quantity, value, components } of items) {
    const line = lines.get(id)
    if (line === undefined) throw new Error(`the line ${id} of the order is gone`)
    lines.set(id, {
      ...line,
      components: components.length === 0 ? line.components : afterParts(line, components, -1n),
      shipped_quantity: line.shipped_quantity - quantity,
      shipped_value: line.shipped_value - (value ?? 0n),
      was_shipped: true,
    })
  }
  return reopened(order, withLines(order, lines).items)
}
