/** The endpoint of stock entries. */
import { listDocuments } from '../../../kit/api/document-queries.ts'
import { defineList, type Endpoint } from '../../../kit/api/endpoint.ts'
import { stockTag } from '../tag.ts'
import { StockEntry } from './document.ts'
import { levelFilters } from './filters.ts'

const entries = { table: 'stock_levels', alias: 'l', document: StockEntry.json }

export const listStockEndpoint = defineList({
  id: 'listStock',
  path: '/stock',
  tag: stockTag,
  scope: 'read:stock',
  summary: 'List stock entries',
  description:
    'One entry per variant, storage place (or none) and batch (or none), ascending by id. An entry stays listed once it exists, ' +
    'so that `updated_after` (inclusive) shows it falling to 0. Batches of a variant at a place share its moving average ' +
    "cost and its value, so an entry's `updated_at` moves also when another batch changes what it shows: of an entry with stock " +
    'with every movement of the variant at the place, of an emptied one with the average. The `stock_value` of all entries of ' +
    'a variant at a place add up to its value exactly.',
  filters: levelFilters.schema,
  refusals: [],
  reply: StockEntry.reply,
  page: ({ pool, tenantId }, { filters, params: _, ...page }) =>
    listDocuments(pool, entries, { tenantId, ...page, ...levelFilters.ask(filters, tenantId) }),
})

export const levelEndpoints: readonly Endpoint[] = [listStockEndpoint]
