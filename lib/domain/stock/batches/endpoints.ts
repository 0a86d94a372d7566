/** The endpoints of batches and of their traces. */
import { defineRead } from '../../../kit/api/endpoint.ts'
import type { Choices } from '../../../kit/api/fields.ts'
import { readsOf } from '../../../kit/documents/noun.ts'
import { notFound } from '../../../kit/documents/reads.ts'
import { type Others, resource } from '../../../kit/documents/resources.ts'
import { changeBatch } from './commands.ts'
import { examples } from './examples.ts'
import { Batch } from './noun.ts'
import { TraceQuery } from './schemas.ts'
import { traceBatch } from './trace.ts'
import { traceReply } from './trace-document.ts'

export const [listBatches, getBatch] = readsOf(Batch)

const getTrace = (sources: Choices) =>
  defineRead({
    tag: Batch.tag,
    scope: Batch.scopes.read,
    refusals: [],
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
    reply: traceReply(sources),
    handle: async ({ pool, tenantId }, { params, query }) =>
      (await traceBatch(pool, { tenantId, id: params['id'] ?? '', direction: query.direction })) ?? notFound(Batch),
  })

export const batches = resource([Batch], [listBatches, getBatch, changeBatch], { examples })
export const traces = ({ booked }: Others) => resource([], [getTrace(booked.traced)])
