/** The command that changes the numbers and dates of batches (docs/rules/batches.md). */
import { isRefusal } from '../../../kit/api/errors.ts'
import { dayIn } from '../../../kit/days.ts'
import { changes } from '../../../kit/documents/acts.ts'
import { updated } from '../../../kit/documents/command.ts'
import { always, answerOf, type Need } from '../../../kit/documents/needs.ts'
import { NextUnit } from '../../../kit/documents/next-unit.ts'
import { question } from '../../../kit/documents/question.ts'
import type * as stock from '../stock.ts'
import { forgetStockOf, stockOf } from '../stock-load.ts'
import { stockPart } from '../stock-part.ts'
import { Batch } from './noun.ts'
import { placesOfBatch, redate } from './places.ts'
import { decideChange, judgedOn } from './rules.ts'

/** The id of the variant's batch with this number; null: there is none. */
const batchNumbered = question({
  name: 'batches by number',
  keys: { item_variant_id: 'bigint', number: 'text' },
  sql: asked => `
    select q.tenant_id, q.item_variant_id, q.number, b.id
    from ${asked}
    cross join lateral (
      select id from batches where tenant_id = q.tenant_id and item_variant_id = q.item_variant_id and number = q.number limit 1
    ) b`,
  read: ([row]) => row?.['id'] ?? null,
  reads: [[Batch.table, id => id ?? undefined]],
})

/**
 * Batches that earlier commands of the unit of work made. @throws NextUnit where an earlier command changed the stock of the batch, because
 * the batch shows its stock.
 */
const madeBefore = ({ id }: Batch): Need<readonly stock.Batch[]> => ({
  ask: () => {},
  see: work => {
    const { positions, newBatches } = work.part(stockPart).stock
    if (positions.values().some(({ levels }) => levels.get(id)?.changed))
      throw new NextUnit(`batch ${id} has other stock`)
    return newBatches
  },
})

const batchOf = (batch: Batch): stock.Batch => ({
  id: batch.id,
  itemVariantId: batch.item_variant_id,
  number: batch.number,
  manufactureDate: batch.manufacture_date,
  expiryDate: batch.expiry_date,
})

/**
 * Its events: `stock.changed` where a date changes what is available, then `batch.updated`. Refuses `validation_failed` for a number that
 * another batch of the variant has.
 */
export const changeBatch = changes(Batch, {
  description:
    'A number that another batch of the variant has is 400. Null clears a date. Picking, stock, batches and traces show the change at once; where it changes what is available, `stock.changed` says so. ' +
    'Documents keep the number and dates that they showed. No accounting period is asked.',
  example: { expiry_date: '2027-02-28' },
  refusals: ['unprocessable'],
  needs: (_body, _actor, { id = '' }) => ({ places: answerOf(placesOfBatch, { batch_id: id }) }),
  more: ({ record, body }, { places }) => ({
    made: madeBefore(record),
    stock: stockOf(
      body.expiry_date === undefined
        ? { positions: [] }
        : {
            positions: places.map(storagePlaceId => ({ itemVariantId: record.item_variant_id, storagePlaceId })),
            batches: [{ id: record.id }],
          },
    ),
    holder:
      body.number === undefined
        ? always(null)
        : answerOf(batchNumbered, { item_variant_id: record.item_variant_id, number: body.number }),
  }),
  decide: ({ record, body }, { made, holder, places, stock }, { now, tenant, work }) => {
    const today = dayIn(tenant.timeZone, now)
    const before = judgedOn(today, record)
    const next = decideChange(before, body, { holder, made, today })
    if (isRefusal(next)) return next
    if (next !== before) {
      const { id, item_variant_id, number } = next
      if (next.expiry_date !== before.expiry_date) redate(stock, batchOf(next), places)
      forgetStockOf(work, item_variant_id)
      work.changeAnswer(batchNumbered, { item_variant_id, number }, id)
    }
    return updated(work, Batch, { before, next })
  },
})
