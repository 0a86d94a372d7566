/** Purchase orders, receipts and landed costs: how they are read, listed, linked and found, and their events. */
import { filter } from '../../filters.ts'
import { dayText, words } from '../../format.tsx'
import { inBooks, type Known, noun, planned, untilReversed } from '../../noun.ts'
import { joinedTexts } from '../../patterns/titles.ts'

const scope = 'read:purchase'

export const purchaseOrders = noun({
  ...{ kind: 'PURCHASE_ORDER', one: 'Purchase order', many: 'Purchase orders' },
  ...{ list: '/purchase-orders', scope },
  of: api => api.purchaseOrders,
  filters: {
    status: filter.codes('Status', ['OPEN', 'DONE']),
    delivery_status: filter.codes('Delivery', ['NOT_RECEIVED', 'PARTIALLY_RECEIVED', 'RECEIVED']),
    supplier_id: filter.supplier('Supplier'),
    number: filter.text('Number'),
    expected_after: filter.day('Expected from'),
    expected_before: filter.day('Expected before'),
  },
  find: { by: 'part', hint: ({ supplier, status }) => joinedTexts(supplier.title, words(status)) },
  touches: planned,
  events: ['created', 'updated', 'done'],
})

export const purchaseReceipts = noun({
  ...{ kind: 'PURCHASE_RECEIPT', one: 'Receipt', many: 'Receipts' },
  ...{ list: '/purchase-receipts', under: '/purchase-orders', scope },
  of: api => api.purchaseReceipts,
  filters: {
    storage_place_id: filter.place('Place'),
    received_after: filter.day('Received from'),
    received_before: filter.day('Received before'),
  },
  find: {
    by: { newest: 'external_ref' },
    hint: ({ received_date, external_ref }) => joinedTexts(dayText(received_date), external_ref),
  },
  touches: ['purchase-orders'],
  events: untilReversed,
})

export const landedCosts = noun({
  ...{ kind: 'LANDED_COST', one: 'Landed cost', many: 'Landed costs' },
  ...{ list: '/landed-costs', under: '/purchase-orders', scope },
  of: api => api.landedCosts,
  filters: {
    purchase_order_id: filter.link(),
    created_after: filter.day('Booked from'),
    created_before: filter.day('Booked before'),
  },
  find: { by: 'number' },
  touches: ['stock', 'stock-valuation', 'stock-movements', ...inBooks],
  events: untilReversed,
})

/** The pages of suppliers and variants show supplier items. */
export const supplierItems: Known = {
  kind: 'SUPPLIER_ITEM',
  events: ['created', 'updated'],
  resource: 'supplier-items',
  touches: ['replenishment', 'requirements'],
}
