/** Documents that only move stock, and stock: how they are read, listed, linked and found, and their events. */
import { filter } from '../../filters.ts'
import { words } from '../../format.tsx'
import { inBooks, type Known, noun, planned, untilReversed } from '../../noun.ts'

const scope = 'read:stock'
const booked = { created_after: filter.day('Booked from'), created_before: filter.day('Booked before') }

export const stockAdjustments = noun({
  ...{ kind: 'STOCK_ADJUSTMENT', one: 'Stock adjustment', many: 'Stock adjustments' },
  ...{ list: '/stock-adjustments', scope },
  of: api => api.stockAdjustments,
  filters: booked,
  find: { by: 'number', label: 'Adjustments' },
  touches: inBooks,
  events: untilReversed,
})

export const stockTransfers = noun({
  ...{ kind: 'STOCK_TRANSFER', one: 'Stock transfer', many: 'Stock transfers' },
  ...{ list: '/stock-transfers', scope },
  of: api => api.stockTransfers,
  filters: booked,
  find: { by: 'number', label: 'Transfers' },
  events: untilReversed,
})

export const stockCounts = noun({
  ...{ kind: 'STOCK_COUNT', one: 'Stock count', many: 'Stock counts' },
  ...{ list: '/stock-counts', scope },
  of: api => api.stockCounts,
  filters: { status: filter.codes('Status', ['OPEN', 'DONE', 'CANCELLED']), storage_place_id: filter.place('Place') },
  /** The list of counted lines has no filters. */
  pageFilters: {},
  find: { by: 'number', label: 'Counts', hint: ({ status }) => words(status) },
  events: ['created', 'updated', 'completed', 'cancelled'],
})

/** The lists of stock have routes of their own, because the search in stock is special. */
export const stock: Known = {
  kind: 'STOCK',
  resource: 'stock',
  touches: ['availability', 'batches', 'stock-valuation', 'stock-movements', ...inBooks, ...planned],
}

/** How many of a kit could be sold. Kits have these events; their products are another noun. */
export const kits: Known = { kind: 'KIT', resource: 'availability' }
