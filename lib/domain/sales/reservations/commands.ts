/** The commands that make, change and release holds (docs/rules/holds.md). Sales orders consume them; expiry.ts ends them. */
import { isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { acts, amend, changes } from '../../../kit/documents/acts.ts'
import { changed, made } from '../../../kit/documents/command.ts'
import { creates } from '../../../kit/documents/creates.ts'
import { merged } from '../../../kit/documents/merging.ts'
import { theRecord, theRecords } from '../../../kit/documents/needs.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { refusePartner } from '../../partners/chosen.ts'
import { Customer } from '../../partners/noun.ts'
import { mainPlace } from '../../places/main-place.ts'
import { StoragePlace } from '../../places/noun.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { notHeld, Reservation } from './noun.ts'
import { endHold, newLines, placesHeld, refuseEnd, refuseEnded, reserveLines } from './rules.ts'

/** Refuses `validation_failed` for a taken number, and as `refuseEnd`, `refusePartner` and `newLines` do. */
export const createReservation = creates(Reservation, {
  description:
    'Holds goods until `expires_at`, for somebody who is about to order. Lines are refused as those of a sales order are; a ' +
    'service cannot be held. All of it must be available, else 409 `insufficient_stock`, and nothing is held. While it is HELD ' +
    'its goods are reserved. `POST /sales-orders` with `reservation_id` takes them. At `expires_at` it ends by itself.',
  example: {
    expires_at: '2026-11-21T05:15:00Z',
    items: [{ item_variant_id: '1042', quantity: 2 }],
    notes: 'Calls back in ten minutes',
  },
  counts: true,
  refusals: ['insufficient_stock', 'unprocessable'],
  ids: body => body.items.length + 1,
  needs: body => ({
    customer: theRecord(Customer, body.customer_id),
    places: theRecords(
      StoragePlace,
      body.items.flatMap(({ storage_place_id: id }) => (id == null ? [] : [id])),
    ),
    mainPlace,
  }),
  more: (body, facts) => ({
    stock: stockOf({
      positions: body.items.map(item => ({
        itemVariantId: item.item_variant_id,
        storagePlaceId: item.storage_place_id === undefined ? (facts.mainPlace?.id ?? null) : item.storage_place_id,
      })),
    }),
  }),
  decide: (body, facts, { now, tenant, work }) => {
    const refused =
      refuseEnd(body.expires_at, now) ??
      refuseDocumentDate({ field: 'created_at', date: now, now, tenant }) ??
      facts.refuseTaken() ??
      (body.customer_id === null ? null : refusePartner(Customer, facts.customer))
    if (refused) return refused
    const id = work.newId()
    const items = newLines(facts, body.items)
    if (isRefusal(items)) return items
    const short = reserveLines(facts.stock, items)
    if (short) return short
    const hold = work.make(Reservation, {
      id,
      number: facts.number.take(),
      status: 'HELD',
      customer_id: body.customer_id,
      sales_order_id: null,
      expires_at: body.expires_at,
      notes: body.notes,
      external_ref: body.external_ref,
      metadata: body.metadata,
      created_at: now,
      updated_at: now,
      items,
    })
    return made(work, Reservation, hold)
  },
})

/** Refuses `reservation_not_held` for a new end of a hold that has ended, and `validation_failed` as `refuseEnd` does. */
export const changeReservation = changes(Reservation, {
  description:
    '`expires_at` changes while the reservation is HELD, else 409 `reservation_not_held`; `notes`, `external_ref` and `metadata` ' +
    'change in every status. A body that changes nothing answers the reservation as it is.',
  example: { notes: 'Wants the invoice by mail', metadata: { till: '3' } },
  refusals: [notHeld],
  decide: (asked, facts, deciding) => {
    const { record: before, body } = asked
    const { now } = deciding
    const { expires_at: end } = merged(Reservation, before, body)
    return (end === before.expires_at ? null : refuseMove(end)) ?? amend(Reservation)(asked, facts, deciding)

    function refuseMove(to: string): Refusal | null {
      return refuseEnded(before, now) ?? refuseEnd(to, now)
    }
  },
})

/** Refuses `reservation_not_held` for a hold that has ended. */
export const releaseReservation = acts(Reservation, 'release', {
  summary: 'Release a reservation',
  description:
    'Ends it before its time: its goods are available again. One that has ended is 409 `reservation_not_held`.',
  scope: 'write:sales.order.create',
  body: {},
  example: {},
  refusals: [notHeld, 'unprocessable'],
  more: ({ record }) => ({ stock: stockOf({ positions: placesHeld(record) }) }),
  decide: ({ record: before }, { stock }, { now, work }) => {
    const refused = refuseEnded(before, now)
    if (refused) return refused
    const after = work.change(Reservation, endHold(stock, before, { status: 'RELEASED' }))
    return changed(work, Reservation, { before, after, event: 'released' })
  },
})
