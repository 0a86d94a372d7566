/** The commands that make and change sales orders (docs/rules/sales.md). */

import { invalid, isRefusal, noSuch, type Refusal } from '../../../kit/api/errors.ts'
import { type Day, dayIn } from '../../../kit/days.ts'
import { acts, amend, changes } from '../../../kit/documents/acts.ts'
import { changed, type Deciding, type Decision, isSame, made } from '../../../kit/documents/command.ts'
import { creates } from '../../../kit/documents/creates.ts'
import { withMerged } from '../../../kit/documents/merging.ts'
import { moreIds } from '../../../kit/documents/more-ids.ts'
import {
  always,
  answerOf,
  numberOf,
  recordBy,
  theRecord,
  theRecords,
  theTenant,
  theTime,
} from '../../../kit/documents/needs.ts'
import { metadataPatch } from '../../../kit/fields/kinds.ts'
import type { Micro } from '../../../platform/decimal.ts'
import { refuseCurrency } from '../../accounting/currencies.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { choosePartner, namedPartner, refuseNamed, refusePartner } from '../../partners/chosen.ts'
import { Customer } from '../../partners/noun.ts'
import { mainPlace } from '../../places/main-place.ts'
import { StoragePlace } from '../../places/noun.ts'
import { sellableStock } from '../../stock/pick-order.ts'
import type { PositionNeed } from '../../stock/position-load.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { stockPart } from '../../stock/stock-part.ts'
import { type Hold, notHeld, Reservation } from '../reservations/noun.ts'
import { endHold, placesHeld, refuseEnded } from '../reservations/rules.ts'
import { NOTHING_REFUNDED, refundedOfOrder } from '../returns/refunded.ts'
import { makeHandling, NOTHING_SAID } from '../shipments/make-handling.ts'
import { documents } from '../shipments/noun.ts'
import { User } from '../users.ts'
import { refuseBody, refuseLinesAndCharges } from './change-rules.ts'
import { componentPlaces, inKits } from './component-rules.ts'
import {
  type Line,
  type NewOrder,
  notEditable,
  type Order,
  type OrderChange,
  SalesOrder,
  totalMismatch,
} from './noun.ts'
import { decidePatch } from './patch-rules.ts'
import { greater, placeOf } from './quantity-rules.ts'
import { decideRate } from './rate-rules.ts'
import { refuseBelowRefunds } from './refunded-rules.ts'
import { decideOrder, refuseOrderedAhead } from './rules.ts'
import { eventOf, refuseFinished } from './status-rules.ts'

const namedIn = (body: NewOrder) => ({ id: body.customer_id, inline: body.customer })
const placesOf = (items: readonly { readonly storage_place_id?: string | null | undefined }[]): string[] =>
  items.flatMap(({ storage_place_id: id }) => (id == null ? [] : [id]))

/** Ids for the components of new lines. */
const componentIds = (items: readonly { readonly item_variant_id?: string | null | undefined }[]) =>
  moreIds(work => {
    const { variants } = work.part(stockPart).stock
    return items.reduce((sum, { item_variant_id: id }) => sum + (variants.get(id ?? '')?.components.length ?? 0), 0)
  })

/**
 * Refuses `validation_failed` for an unknown currency, a closed date, a taken number and an absent reservation, and as `refuseNamed`,
 * `choosePartner` and `decideOrder` do; `reservation_not_held` as `refuseEnded` does.
 */
export const createOrder = creates(SalesOrder, {
  description:
    'Give `customer_id`, or `customer`, which is found by its `external_ref` or else made. A line defaults to the price of its ' +
    'variant (0 without one) and to the main place (null where the tenant has none; an explicit null is stock without a ' +
    'place), and reserves its quantity there. Reservations inform; physical stock decides when goods are shipped. With ' +
    '`allow_backorder: false` lines that together exceed the available quantity of a variant at a place are 409 ' +
    "`insufficient_stock`, and nothing is made. `currency` defaults to the tenant's. Services reserve nothing. " +
    'With `reservation_id` the order takes a reservation that is HELD, else 409 `reservation_not_held`.',
  example: {
    customer: { title: 'Harbour Coffee Bar', country_code: 'DE', external_ref: 'shop-customer-17' },
    allow_backorder: false,
    items: [{ item_variant_id: '1042', quantity: 2, price: 24.5, tax_rate: 19 }],
  },
  counts: true,
  refusals: ['insufficient_stock', notHeld, totalMismatch, 'unprocessable'],
  form: refuseLinesAndCharges,
  ids: body => body.items.length + body.charges.length + 2,
  needs: body => ({
    hold: theRecord(Reservation, body.reservation_id),
    customer: namedPartner(Customer, namedIn(body)),
    places: theRecords(StoragePlace, placesOf(body.items)),
    mainPlace,
  }),
  more: (body, facts) => ({
    stock: stockOf({
      positions: [
        ...body.items.flatMap(({ item_variant_id: itemVariantId, storage_place_id: given }) => {
          const storagePlaceId = given === undefined ? (facts.mainPlace?.id ?? null) : given
          return itemVariantId == null ? [] : [{ itemVariantId, storagePlaceId }]
        }),
        ...(facts.hold === null ? [] : placesHeld(facts.hold)),
      ],
    }),
    ids: componentIds(body.items),
  }),
  decide: (body, facts, { now, tenant, work }) => {
    const named = namedIn(body)
    const { hold } = facts
    const refused =
      refuseNamed(Customer, named) ??
      refuseHold() ??
      refuseCurrency(body.currency) ??
      refuseOrderedAhead(body, now) ??
      refuseDocumentDate({ field: 'created_date', date: now, now, tenant }) ??
      facts.refuseTaken()
    if (refused) return refused
    const currency = body.currency ?? tenant.currency
    const rate = decideRate({ currency }, body.exchange_rate, tenant.currency)
    if (isRefusal(rate)) return rate
    const customer = choosePartner(Customer, { named, found: facts.customer, work })
    if (isRefusal(customer)) return customer
    const { partner } = customer
    const id = work.newId()
    const consumed =
      hold && work.change(Reservation, endHold(facts.stock, hold, { status: 'CONSUMED', salesOrderId: id }))
    const order = decideOrder(facts, {
      id,
      number: facts.number.take(),
      currency,
      exchange_rate: rate,
      customer_id: partner.id,
      shipping_address: body.shipping_address === undefined ? partner.shipping_address : body.shipping_address,
      billing_address: body.billing_address === undefined ? partner.billing_address : body.billing_address,
      created_date: now,
      body,
    })
    if (isRefusal(order)) return order
    const before = [...customer.events, ...(consumed === null ? [] : eventsOfHold(consumed))]
    return made(work, SalesOrder, work.make(SalesOrder, order), before)

    function refuseHold(): Refusal | null {
      if (body.reservation_id == null) return null
      return hold === null ? noSuch('reservation_id', 'reservation') : refuseEnded(hold, now)
    }
    function eventsOfHold(after: Hold) {
      return hold === null ? [] : changed(work, Reservation, { before: hold, after, event: 'consumed' }).events
    }
  },
})

/** Refuses as `refuseBody` and `decidePatch` do, and for a finished order, an absent customer and a closed date. */
export const changeOrder = changes(SalesOrder, {
  description:
    'Entries of `items` with `id` change that line or, with `remove: true`, take it out; entries without add one. Lines that are ' +
    'not named stay. A quantity may fall to what is shipped, and when that leaves nothing unshipped the order is SHIPPED and ' +
    'DONE; a shipped line cannot be removed. What is packed beyond a new quantity counts as unpacked. ' +
    '`delivery_status: SHIPPED` ships all that is left (a shipment of now), `PACKED` packs it. `status: DONE` without shipping ' +
    'releases the reservations; `CANCELLED` is allowed while nothing is shipped. An order made with `allow_backorder: false` ' +
    'is checked again where it comes to need more of a variant at a place. A finished order is 409 `sales_order_not_editable`.',
  example: { notes: 'Deliver to the back door', priority: 5 },
  refusals: ['insufficient_stock', notEditable, totalMismatch, 'unprocessable'],
  form: refuseBody,
  ids: body => (body.items?.length ?? 0) + (body.charges?.length ?? 0) + (body.delivery_status === undefined ? 1 : 64),
  needs: (body, actor) => ({
    customer: theRecord(Customer, body.customer_id),
    places: theRecords(StoragePlace, placesOf(body.items ?? [])),
    mainPlace,
    user: recordBy(User, 'name', body.status === 'CANCELLED' ? actor.userName : null),
    number: numberOf(body.delivery_status === undefined ? null : documents[kinds[body.delivery_status]], null),
    now: theTime,
    tenant: theTenant,
  }),
  more: ({ record, body }, { mainPlace: main, now, tenant }) => ({
    stock: stockOf({
      positions: positionsOf(record, body, { mainPlaceId: main?.id ?? null, today: dayIn(tenant.timeZone, now) }),
    }),
    refunded:
      body.items === undefined && body.charges === undefined
        ? always(NOTHING_REFUNDED)
        : answerOf(refundedOfOrder, { id: record.id }),
    ids: componentIds((body.items ?? []).filter(({ id }) => id === undefined)),
  }),
  decide: ({ record: before, body }, facts, deciding) => {
    const { now, tenant, work } = deciding
    const refused =
      refuseFinished(before) ??
      facts.refuseTaken(before.id) ??
      refuseCustomer() ??
      refuseDate() ??
      refuseOrderedAhead(body, now)
    if (refused) return refused
    const document = body.delivery_status === undefined ? null : documentOf(kinds[body.delivery_status])
    const patched = decidePatch(facts, before, { body, now, tenantCurrency: tenant.currency, document })
    if (isRefusal(patched)) return patched
    const { order, rows } = patched
    const below = refuseBelowRefunds(facts.refunded, { before, after: order, body })
    if (below) return below
    if (isSame(before, order)) return { body: work.render(SalesOrder, before), events: [] }
    const handled =
      document !== null && rows.length > 0
        ? makeHandling(work, { ...document, number: facts.number.take(), orderId: before.id, said: NOTHING_SAID, rows })
        : null
    const changed = changedOrder(deciding, { before, after: order.status === 'CANCELLED' ? cancelled(order) : order })
    return { ...changed, events: [...(handled?.events ?? []), ...changed.events] }

    function refuseCustomer(): Refusal | null {
      return body.customer_id === undefined || body.customer_id === before.customer_id
        ? null
        : refusePartner(Customer, facts.customer)
    }
    /** A PATCH that ships or packs makes a document that is dated now. */
    function refuseDate(): Refusal | null {
      if (body.delivery_status === undefined) return null
      return refuseDocumentDate({ field: 'delivery_status', date: now, now, tenant })
    }
    function documentOf(kind: 'sales_shipment' | 'sales_packing') {
      return { kind, id: work.newId(), date: now }
    }
    function cancelled(order: Order): Order {
      const name = deciding.actor.userName
      const user = facts.user ?? work.make(User, { id: work.newId(), name })
      return { ...order, cancelled_by_user_id: user.id, cancelled_by_user_name: name }
    }
  },
})

/** Refuses a body without any of its fields, and a taken `external_ref`. */
export const annotateOrder = acts(SalesOrder, 'annotate', {
  scope: 'write:sales.order.update',
  summary: 'Annotate a sales order',
  description:
    'Changes `notes`, `external_ref` and `metadata` in every status, of a finished order too; at least one of them is given. What is omitted ' +
    'stays; null clears; metadata merges. A body that changes nothing answers the order as it is.',
  body: {
    notes: SalesOrder.fields.notes.decided(),
    external_ref: SalesOrder.fields.external_ref.decided(),
    metadata: metadataPatch().decided(),
  },
  example: { notes: 'The customer called', metadata: { ticket: '5120' } },
  form: body =>
    Object.values(body).every(value => value === undefined)
      ? invalid('body', 'must have at least one of notes, external_ref, metadata')
      : null,
  decide: ({ record, params, body }, facts, deciding) => {
    const whole = withMerged(SalesOrder, record, body)
    return isRefusal(whole) ? whole : amend(SalesOrder)({ record, params, body: whole }, facts, deciding)
  },
})

const kinds = { SHIPPED: 'sales_shipment', PACKED: 'sales_packing' } as const

/** Writes a changed order and adds its event, which follows from the new status. */
export function changedOrder(
  { work }: Pick<Deciding, 'work'>,
  { before, after }: { readonly before: Order; readonly after: Order },
): Decision {
  return changed(work, SalesOrder, { before, after: work.change(SalesOrder, after), event: eventOf(after) })
}

/** A change of other fields loads no stock. Shipping picks batches; a reservation belongs to the entry without a batch. */
function positionsOf(
  order: Order,
  body: OrderChange,
  { mainPlaceId, today }: { readonly mainPlaceId: string | null; readonly today: Day },
): PositionNeed[] {
  const ships = body.delivery_status === 'SHIPPED'
  if (body.items === undefined && body.status === undefined && !ships) return []
  const taking = (quantity: Micro) => (ships ? { take: { quantity, order: sellableStock(today) } } : {})
  const lines = new Map(order.items.map(line => [line.id, line]))
  const stored = order.items.flatMap(line => needsOf(line, line.storage_place_id, line.quantity))
  const asked = (body.items ?? []).flatMap(item => {
    const line = item.id === undefined ? undefined : lines.get(item.id)
    const itemVariantId = item.id === undefined ? item.item_variant_id : line?.item_variant_id
    if (itemVariantId == null) return []
    const known = line === undefined ? mainPlaceId : line.storage_place_id
    const storagePlaceId = item.storage_place_id === undefined ? known : item.storage_place_id
    const quantity = item.quantity ?? line?.quantity ?? 0n
    if (line !== undefined) return needsOf(line, storagePlaceId, quantity)
    return [{ itemVariantId, storagePlaceId, ...taking(quantity) }]
  })
  return [...stored, ...asked]

  /**
   * What a line needs of its variant. For a kit: the greatest quantity of each component in this many kits. Rounding leaves the rest to the
   * last shipment.
   */
  function needsOf(line: Line, storagePlaceId: string | null, kits: Micro): PositionNeed[] {
    const where = placeOf(line)
    if (where === null) return []
    if (line.components.length === 0) return [{ ...where, storagePlaceId, ...taking(kits) }]
    const quantities = new Map(
      line.components.map(part => [part.item_variant_id, greater(part.quantity, inKits(kits, part.quantity_per_kit))]),
    )
    return componentPlaces({ ...line, storage_place_id: storagePlaceId }).map(place => ({
      ...place,
      ...taking(quantities.get(place.itemVariantId) ?? 0n),
    }))
  }
}
