/** The endpoints of stock counts and of their lines. */
import { defineList } from '../../../kit/api/endpoint.ts'
import { named } from '../../../kit/api/reply-fields.ts'
import { readsOf } from '../../../kit/documents/noun.ts'
import { notFound } from '../../../kit/documents/reads.ts'
import { replyOf } from '../../../kit/documents/reply.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { cancelCount, changeCount, createCount } from './commands.ts'
import { completeCount } from './completion.ts'
import { demo } from './demo.ts'
import { examples } from './examples.ts'
import { StockCount, StockCountItem } from './noun.ts'
import { ItemFilters, itemsOf } from './queries.ts'

export const [listCounts, getCount] = readsOf(StockCount)

export const listCountItems = defineList({
  tag: StockCount.tag,
  scope: StockCount.scopes.read,
  id: 'listStockCountItems',
  path: '/stock-counts/{id}/items',
  summary: 'List the lines of a stock count',
  description:
    'What was counted, in the order in which it was first counted. A line keeps what was there when it was counted; counted anew, ' +
    'it keeps what was there then.',
  filters: ItemFilters,
  refusals: [],
  reply: named('StockCountItem', replyOf(StockCountItem)),
  page: async ({ pool, tenantId }, { params, ...page }) =>
    (await itemsOf(pool, { tenantId, countId: params['id'] ?? '', ...page })) ?? notFound(StockCount),
})

export const stockCounts = resource(
  [StockCount, StockCountItem],
  [listCounts, getCount, createCount, changeCount, listCountItems, completeCount, cancelCount],
  { examples, demo },
)
