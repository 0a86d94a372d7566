/** The endpoint of bulks. Other files declare the endpoints of its entries, and the server and the kit run it. */

import type { BulkEndpoint } from '../../kit/api/endpoint.ts'
import { resource } from '../../kit/documents/resources.ts'
import { BULK_BYTES_MAX, BulkReply, NewBulk } from './bulk-schemas.ts'

export const bulkEndpoint: BulkEndpoint = {
  kind: 'bulk',
  id: 'bulk',
  method: 'POST',
  path: '/bulk',
  tag: ['Bulk writes', 'Many writes with one request.'],
  scope: null,
  summary: 'Send up to 100 writes with one request',
  description:
    'Each entry is the command that it would be alone: its own scope, idempotency record, document quota and events, and its ' +
    'result is what it alone would have been answered. `path` is below `/api/external/v1` and has no query; every write but ' +
    'this one can be named. Entries run in their order: with `each` other writes may come between them, and what is refused ' +
    'leaves the others alone; with `all` they are one transaction, in which the refused entry shows its refusal and every ' +
    'other one 424 `not_applied`, unless it was recorded before. The request itself needs no scope and takes no `Idempotency-Key` ' +
    '(400): repeat it as it was, and what is done is replayed. It takes as many requests of the rate as it has entries, or as its length asks for where that is more, all or none. ' +
    'What the whole is refused for, 400, 429 or 503, is no entry\'s doing and did nothing; after "the outcome is open" the ' +
    'same bulk tells it.',
  body: NewBulk,
  bytesMax: BULK_BYTES_MAX,
  example: {
    mode: 'all',
    requests: [
      {
        method: 'POST',
        path: '/suppliers',
        idempotency_key: 'import-7-supplier',
        body: { title: 'Bean Traders', external_ref: 'vendor-bean' },
      },
      {
        method: 'POST',
        path: '/products',
        idempotency_key: 'import-7-product',
        body: { title: 'Decaf beans', sku: 'BEAN-DECAF', unit_name: 'kg', type: 'MATERIAL', purchase_price: 11.4 },
      },
    ],
  },
  refusals: [],
  reply: BulkReply,
}

export const bulk = resource([], [bulkEndpoint])
