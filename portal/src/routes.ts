/** The screens that belong to no noun, each with its path, its scope, and the schema of its address. */
import * as v from 'valibot'
import { entriesOf } from './filters.ts'
import { screen } from './root.ts'
import { entryFilters } from './screens/books/filters.ts'
import { requestFilters } from './screens/keys/nouns.ts'
import { TASK_STATUSES } from './screens/manufacturing/nouns.ts'
import { codes, order, text } from './search.ts'
import { TELEMETRY_SCOPE } from './telemetry.ts'

const placed = { storage_place_id: text, order }
const floor = { operation_id: text }
const tasks = { status: codes(TASK_STATUSES), ...floor, order }
const planner = { item_variant_id: text, storage_place_id: text }
/** Without it a quantity below 0 is short. */
const below = codes(['minimum'])
/** `delivery`: the opened one. */
const deliveries = { status: codes(['pending', 'succeeded', 'failed']), order, delivery: text }
/** A UTC day; without one the last 24 hours. `metric`: the plotted one. */
const telemetry = {
  day: v.optional(v.fallback(v.optional(v.pipe(v.string(), v.isoDate())), undefined)),
  metric: text,
}
/** `2026-11`; without it the present month. */
const books = {
  month: v.optional(v.fallback(v.optional(v.pipe(v.string(), v.regex(/^\d{4}-(0[1-9]|1[0-2])$/))), undefined)),
}
const labels = { copies: text }
const batches = { sku: text, batch_number: text, ...placed }

const levels = () => import('./screens/stock/levels.tsx')
const entries = () => import('./screens/books/entries.tsx')
const shortages = () => import('./screens/planner/shortages.tsx')
const requirements = () => import('./screens/planner/requirements.tsx')
const replenishment = () => import('./screens/planner/replenishment.tsx')
const subscriptions = () => import('./screens/webhooks/subscriptions.tsx')
const subscription = () => import('./screens/webhooks/subscription.tsx')
const kinds = () => import('./screens/webhooks/kinds.tsx')
const requests = () => import('./screens/keys/request-records.tsx')
const pickList = () => import('./screens/print/pick-list.tsx')
const packingSlip = () => import('./screens/print/packing-slip.tsx')
const purchaseOrder = () => import('./screens/print/purchase-order.tsx')
const printedLabels = () => import('./screens/print/labels.tsx')
const orderEntry = () => import('./screens/sales/order-entry.tsx')

export const routes = [
  screen('/', null, () => import('./screens/today/today.tsx'), 'Today'),
  screen('/shop-floor', 'read:manufacturing', () => import('./screens/manufacturing/floor.tsx'), 'Floor', floor),
  screen('/production-tasks', 'read:manufacturing', () => import('./screens/manufacturing/tasks.tsx'), 'Tasks', tasks),
  screen('/sales-orders/new', 'write:sales.order.create', orderEntry, 'OrderEntry', { reservation_id: text }),
  screen('/stock', 'read:stock', () => import('./screens/stock/stock.tsx'), 'Stock', { q: text, ...placed }),
  screen('/stock/batches', 'read:stock', levels, 'Levels', batches),
  screen('/stock/$id/$variantId', 'read:catalog', () => import('./screens/stock/variant.tsx'), 'Variant'),
  screen('/books', 'read:accounting', () => import('./screens/books/books.tsx'), 'Books', books),
  screen('/books/entries', 'read:accounting', entries, 'Entries', entriesOf(entryFilters)),
  screen('/import', null, () => import('./screens/import/import.tsx'), 'Import', { kind: text }),
  screen('/planner', 'read:stock', shortages, 'Shortages', { ...planner, order, below }),
  screen('/planner/requirements', 'read:stock', requirements, 'Requirements', { ...planner, quantity: text }),
  screen('/planner/replenishment', 'read:stock', replenishment, 'Replenishment', planner),
  screen('/webhooks', 'read:webhooks', subscriptions, 'Subscriptions', { order }),
  screen('/webhooks/$id', 'read:webhooks', subscription, 'Subscription', deliveries),
  screen('/webhooks/kinds', 'read:webhooks', kinds, 'Kinds', { q: text, kind: text }),
  screen('/webhooks/live', 'read:webhooks', () => import('./screens/webhooks/live.tsx'), 'Live', { type: text }),
  screen('/security', TELEMETRY_SCOPE, () => import('./screens/security/security.tsx'), 'Security', telemetry),
  screen('/requests', 'read:requests', requests, 'Requests', entriesOf(requestFilters)),
  screen('/sales-orders/pick', 'read:sales', () => import('./screens/sales/picking.tsx'), 'Picking', { ids: text }),
  screen('/print/pick-lists/$id', 'read:sales', pickList, 'PickList'),
  screen('/print/pick-lists', 'read:sales', pickList, 'PickWave', { ids: text }),
  screen('/print/packing-slips', 'read:sales', packingSlip, 'PackingSlips', { ids: text }),
  screen('/print/packing-slips/$id', 'read:sales', packingSlip, 'PackingSlip'),
  screen('/print/purchase-orders/$id', 'read:purchase', purchaseOrder, 'PrintedPurchaseOrder'),
  screen('/print/work-orders/$id', 'read:manufacturing', () => import('./screens/print/work-order.tsx'), 'WorkOrder'),
  screen('/print/batch-labels/$id', 'read:stock', printedLabels, 'BatchLabels', labels),
  screen('/print/shelf-labels/$productId/$variantId', 'read:catalog', printedLabels, 'ShelfLabels', labels),
] as const
