/** The endpoints of batches. */
import { listDocuments } from '../../../kit/api/document-queries.ts'
import { defineList, defineRead, type Endpoint } from '../../../kit/api/endpoint.ts'
import { refuse } from '../../../kit/api/errors.ts'
import { stockTag } from '../tag.ts'
import { Batch, batchText } from './document.ts'
import { batchFilters, TraceQuery } from './schemas.ts'
import { traceBatch } from './trace.ts'
import { Trace } from './trace-document.ts'

const words = { tag: stockTag, scope: 'read:stock', refusals: [] }
const batches = { table: 'batches', alias: 'b', document: Batch.json }
const noSuchBatch = refuse('not_found', 'no such batch')

export const listBatchesEndpoint = defineList({
  ...words,
  id: 'listBatches',
  path: '/batches',
  summary: 'List batches',
  description:
    'Every batch that ever came in, also one that is used up; quantities over all storage places. `expires_before` is exclusive, ' +
    'and leaves out batches without an expiry date.',
  filters: batchFilters.schema,
  reply: Batch.reply,
  page: ({ pool, tenantId }, { filters, params: _, ...page }) =>
    listDocuments(pool, batches, { tenantId, ...page, ...batchFilters.ask(filters, tenantId) }),
})

export const getBatchEndpoint = defineRead({
  ...words,
  id: 'getBatch',
  path: '/batches/{id}',
  summary: 'Read a batch',
  description: 'Quantities are over all storage places; `GET /stock?batch_id=` has them place by place.',
  reply: Batch.reply,
  tagged: true,
  handle: async ({ pool }, { params }) => (await pool.lookUp(batchText, params['id'] ?? '')) ?? noSuchBatch,
})

export const traceBatchEndpoint = defineRead({
  ...words,
  id: 'traceBatch',
  path: '/batches/{id}/trace',
  summary: 'Trace a batch',
  description:
    'Where a batch went (`forward`) or came from (`backward`), over all levels of manufacturing, as one consistent snapshot. ' +
    'Forward: what was shipped and to whom, what orders consumed, what was adjusted out, what came back, and what lies where now; ' +
    'an order that consumed it leads to what the order produced, one level deeper, and that batch is followed likewise. Backward: ' +
    'what was received and from whom, produced, adjusted in and returned; an order that produced it leads to what the order ' +
    'consumed. Each batch and each order is followed once, at its lowest level; an output without a batch is shown and not ' +
    'followed. A row is the sum over the movements of one source, batch and place; transfers are not shown. Rows are in the ' +
    'order of level, then of their first movement; what is in stock ends its level.',
  query: TraceQuery,
  exampleQuery: { direction: 'forward' },
  reply: Trace,
  handle: async ({ pool, tenantId }, { params, query }) =>
    (await traceBatch(pool, { tenantId, id: params['id'] ?? '', direction: query.direction })) ?? noSuchBatch,
})

export const batchEndpoints: readonly Endpoint[] = [listBatchesEndpoint, getBatchEndpoint, traceBatchEndpoint]
