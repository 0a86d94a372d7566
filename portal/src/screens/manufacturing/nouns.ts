/** Manufacturing orders and their tasks: how they are read, listed, linked and found, and their events. */
import { filter } from '../../filters.ts'
import { words } from '../../format.tsx'
import { inBooks, noun, planned } from '../../noun.ts'
import { joinedTexts } from '../../patterns/titles.ts'

/** What a task can be, in the order in which it comes to be it: never partially done. */
export const TASK_STATUSES = ['NOT_STARTED', 'IN_PROGRESS', 'BLOCKED', 'DONE'] as const

export const manufacturingOrders = noun({
  ...{ kind: 'MANUFACTURING_ORDER', one: 'Manufacturing order', many: 'Manufacturing orders' },
  ...{ list: '/manufacturing-orders', scope: 'read:manufacturing' },
  of: api => api.manufacturingOrders,
  filters: {
    status: filter.codes('Status', ['NOT_STARTED', 'IN_PROGRESS', 'BLOCKED', 'PARTIALLY_DONE', 'DONE']),
    type: filter.code('Kind', ['MAKE_TO_STOCK', 'MAKE_TO_ORDER']),
    item_variant_id: filter.variant('Product', { use: 'is_producible' }),
    sales_order_id: filter.link(),
    number: filter.text('Number'),
    planned_start_after: filter.day('Starts from'),
    planned_start_before: filter.day('Starts before'),
  },
  find: { by: 'part', hint: ({ item_variant, status }) => joinedTexts(item_variant.title, words(status)) },
  touches: ['production-tasks', ...inBooks, ...planned],
  events: ['created', 'updated', 'started', 'partially_done', 'done', 'blocked', 'unblocked', 'deleted'],
})
