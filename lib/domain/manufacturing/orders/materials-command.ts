/** The command that issues materials to a started manufacturing order, and takes them back (docs/rules/manufacturing.md). */

import { isRefusal } from '../../../kit/api/errors.ts'
import { dayIn } from '../../../kit/days.ts'
import { acts } from '../../../kit/documents/acts.ts'
import { updated } from '../../../kit/documents/command.ts'
import { answerOf, theRecord, theTenant, theTime } from '../../../kit/documents/needs.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { StoragePlace } from '../../places/noun.ts'
import { refuseArchived } from '../../places/rules.ts'
import { causeOf } from '../../stock/cause.ts'
import { sellableStock } from '../../stock/pick-order.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { batchesToReturn, decideMaterials, refuseMaterialsBody } from './materials-rules.ts'
import { invalidStatus, ManufacturingOrder, materialsFields } from './noun.ts'
import { refuseMove } from './status-rules.ts'
import { writtenOff } from './written-off.ts'

/** Its events: the stock of the materials, then `manufacturing_order.updated`. Refuses as `decideMaterials` and `refuseArchived` do. */
export const moveMaterials = acts(ManufacturingOrder, 'materials', {
  id: 'moveMaterials',
  scope: 'write:manufacturing.order.update',
  summary: 'Issue or take back materials of an order that has started',
  description:
    'All lines or none, posted in their order; a later line sees what an earlier one did. Above 0 more is issued, picked as at the ' +
    'start: first-expired-first-out or the named batch, never expired (by `date`) or quarantined stock; too little is 422 ' +
    '`unprocessable`. It counts in the first line of the variant; a variant without a line gets one with `quantity` 0. Below 0 goods ' +
    'come back to the place of the order, at most what is written off net: into the named batch, else into the batches that were ' +
    'written off, the last first. Each movement brings back `round(q * W / w, 4)` of the net value W and the net quantity w that are ' +
    'written off for the variant, all of W where all comes back, but at most `wip_cost`. It comes off the lines of the variant, the ' +
    'last first; a place of the order that was archived meanwhile is 409 `conflict`. IN_PROGRESS and PARTIALLY_DONE only.',
  body: materialsFields,
  form: refuseMaterialsBody,
  example: {
    items: [
      { item_variant_id: '1042', quantity: 3 },
      { item_variant_id: '1043', quantity: -2 },
    ],
  },
  counts: true,
  refusals: ['conflict', invalidStatus, 'unprocessable'],
  // Each line of the body may add a line to the order.
  ids: body => body.items.length,
  needs: (_body, _actor, { id = '' }) => ({
    now: theTime,
    tenant: theTenant,
    writtenOff: answerOf(writtenOff, { id }),
  }),
  more: ({ record, body }, facts) => ({
    place: theRecord(StoragePlace, record.manufacturing_location_id),
    stock: stockOf({
      positions: body.items.map(({ item_variant_id: itemVariantId, quantity, batch_id: batchId }) => ({
        itemVariantId,
        storagePlaceId: record.manufacturing_location_id,
        take:
          quantity < 0n
            ? undefined
            : {
                quantity,
                order: batchId === null ? sellableStock(dayIn(facts.tenant.timeZone, body.date ?? facts.now)) : null,
              },
      })),
      batches: [
        ...body.items.flatMap(({ batch_id: id }) => (id === null ? [] : [{ id }])),
        ...batchesToReturn(facts.writtenOff, body.items).map(id => ({ id })),
      ],
    }),
  }),
  decide: ({ record: before, body }, facts, { now, tenant, work }) => {
    const date = body.date ?? now
    const refused =
      refuseMove(before, 'materials') ??
      refuseDocumentDate({ field: 'date', date, now, tenant }) ??
      (body.items.some(({ quantity }) => quantity < 0n) ? refuseArchived(facts.place, 'goods back') : null)
    if (refused) return refused
    const causeFor = (kind: 'MANUFACTURING_WRITE_OFF' | 'MANUFACTURING_RETURN') =>
      causeOf(ManufacturingOrder, kind, { id: before.id, date })
    const next = decideMaterials(facts, before, {
      items: body.items,
      issue: causeFor('MANUFACTURING_WRITE_OFF'),
      comeBack: causeFor('MANUFACTURING_RETURN'),
    })
    return isRefusal(next) ? next : updated(work, ManufacturingOrder, { before, next })
  },
})
