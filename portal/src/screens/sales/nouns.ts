/** Sales orders and their shipments: how they are read, listed, linked and found, and their events. */
import { filter } from '../../filters.ts'
import { dayText, words } from '../../format.tsx'
import { noun, planned, untilReversed } from '../../noun.ts'
import { joinedTexts } from '../../patterns/titles.ts'

export const salesOrders = noun({
  ...{ kind: 'SALES_ORDER', one: 'Sales order', many: 'Sales orders' },
  ...{ list: '/sales-orders', scope: 'read:sales' },
  of: api => api.salesOrders,
  filters: {
    status: filter.codes('Status', ['OPEN', 'DONE', 'CANCELLED']),
    delivery_status: filter.codes('Delivery', [
      'NOT_SHIPPED',
      'PARTIALLY_PACKED',
      'PACKED',
      'PARTIALLY_SHIPPED',
      'SHIPPED',
    ]),
    customer_id: filter.customer('Customer'),
    number: filter.text('Number'),
    delivery_after: filter.day('Due from'),
    delivery_before: filter.day('Due before'),
  },
  find: { by: 'part', hint: ({ customer, status }) => joinedTexts(customer.title, words(status)) },
  touches: ['sales-shipments', ...planned],
  events: ['created', 'updated', 'shipped', 'done', 'cancelled'],
})

export const salesShipments = noun({
  ...{ kind: 'SALES_SHIPMENT', one: 'Shipment', many: 'Shipments' },
  ...{ list: '/sales-shipments', under: '/sales-orders', scope: 'read:sales' },
  of: api => api.salesShipments,
  filters: {
    item_variant_id: filter.variant('Product', { use: 'is_sellable' }),
    batch_id: filter.link(),
    created_after: filter.day('Booked from'),
    created_before: filter.day('Booked before'),
  },
  find: {
    by: { newest: 'external_ref' },
    hint: ({ date, tracking_number }) => joinedTexts(dayText(date), tracking_number),
    texts: ({ tracking_number }) => [tracking_number],
  },
  touches: ['sales-orders'],
  events: untilReversed,
})
