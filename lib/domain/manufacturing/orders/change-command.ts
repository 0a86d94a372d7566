/** The command that changes manufacturing orders (docs/rules/manufacturing.md). */
import { isRefusal } from '../../../kit/api/errors.ts'
import { changes } from '../../../kit/documents/acts.ts'
import { updated } from '../../../kit/documents/command.ts'
import { theRecord } from '../../../kit/documents/needs.ts'
import { StoragePlace } from '../../places/noun.ts'
import type { Where } from '../../stock/stock.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { decideChange, namesBatch, plannedBatch, replans } from './change-rules.ts'
import { claimedPositions, outputPosition } from './claim-rules.ts'
import { invalidStatus, ManufacturingOrder, type Order, type OrderChange } from './noun.ts'
import { refuseChange } from './status-rules.ts'

/**
 * Its events: the stock of the output and the materials where it changes, then `manufacturing_order.updated`. Refuses as `refuseChange` and
 * `decideChange` do.
 */
export const changeManufacturingOrder = changes(ManufacturingOrder, {
  description:
    '`notes`, `external_ref` and `metadata` change in any status; priority and dates until the order is DONE; the batch of the output until the ' +
    'first output; `quantity`, `manufacturing_location_id` and `items` before the start. Another field is 422 ' +
    '`manufacturing_order_invalid_status`, and nothing changes. A new `quantity` computes the materials of the ' +
    'recipe as it was then anew, and planned durations alike; materials that a caller gave or changed stay. Then ' +
    'entries of `items` with `id` change the quantity of that line or, with `remove: true`, take it out; entries without add one. ' +
    'All lines may go. Reservations and expected output follow, also to another place.',
  example: { quantity: 12, priority: 8, planned_start_date: '2026-11-24T07:00:00Z' },
  refusals: [invalidStatus, 'unprocessable'],
  ids: body => body.items?.length ?? 0,
  needs: body => ({ place: theRecord(StoragePlace, body.manufacturing_location_id) }),
  more: ({ record, body }) => ({
    stock: stockOf({
      positions: positionsOf(record, body),
      batches: namesBatch(body) ? [{ itemVariantId: record.item_variant_id, number: plannedBatch(record, body) }] : [],
    }),
  }),
  decide: ({ record: before, body }, facts, { work }) => {
    const refused = refuseChange(before, body) ?? facts.refuseTaken(before.id)
    if (refused) return refused
    const next = decideChange(facts, before, body)
    return isRefusal(next) ? next : updated(work, ManufacturingOrder, { before, next })
  },
})

/** A change of other fields loads no stock. */
function positionsOf(order: Order, body: OrderChange): Where[] {
  if (!replans(body)) return namesBatch(body) ? [outputPosition(order)] : []
  const storagePlaceId = body.manufacturing_location_id ?? order.manufacturing_location_id
  const added = (body.items ?? []).flatMap(entry =>
    entry.item_variant_id === undefined ? [] : [entry.item_variant_id],
  )
  return [
    ...claimedPositions(order),
    ...claimedPositions({ ...order, manufacturing_location_id: storagePlaceId }),
    ...[...added, ...order.unneeded_materials.map(line => line.item_variant_id)].map(itemVariantId => ({
      itemVariantId,
      storagePlaceId,
    })),
  ]
}
