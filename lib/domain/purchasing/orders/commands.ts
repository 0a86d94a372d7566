/** The commands that make, change and close purchase orders (docs/rules/purchasing.md). Receipts are in `../receipts`. */
import { isRefusal, refuse } from '../../../kit/api/errors.ts'
import { acts, changes } from '../../../kit/documents/acts.ts'
import { changed, isSame, made } from '../../../kit/documents/command.ts'
import { creates } from '../../../kit/documents/creates.ts'
import { theRecord } from '../../../kit/documents/needs.ts'
import { text } from '../../../kit/fields/kinds.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { choosePartner, namedPartner, refuseNamed } from '../../partners/chosen.ts'
import { Supplier } from '../../partners/noun.ts'
import { mainPlace } from '../../places/main-place.ts'
import { type Place, StoragePlace } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import type { BatchNeed } from '../../stock/level-load.ts'
import { lineTotals } from '../../stock/order-line.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { expectedAt, expectedPositions, moveExpected, releaseExpected } from '../expected-rules.ts'
import { itemsOf } from '../supplier-items/current.ts'
import { decideChange } from './change-rules.ts'
import { type Line, type NewOrder, notEditable, type Order, type OrderChange, PurchaseOrder } from './noun.ts'
import { decideLines, decideMoney } from './rules.ts'
import { refuseDone } from './status-rules.ts'

const namedIn = (body: NewOrder) => ({ id: body.supplier_id, inline: body.supplier })

/** The place where a new order is expected: the one that the body names, else the main place. */
const placeOf = ({ storage_place_id: named }: NewOrder, main: Place | null): string | null =>
  named === undefined ? (main?.id ?? null) : named

/**
 * Refuses `validation_failed` for a closed date and a taken number, and as `decideMoney`, `refuseNamed`, `choosePartner`, `refusePlace` and
 * `decideLines` do.
 */
export const createOrder = creates(PurchaseOrder, {
  description:
    'Names its supplier by `supplier_id`, or brings it along as `supplier`: found by its `external_ref` (and then left as it ' +
    'is), else made. An archived supplier is 400. A line is in stock units (`quantity`, `price`) or in purchase units ' +
    '(`purchase_quantity`, `purchase_price`, `conversion_rate`, `purchase_unit_name`); fields of both are 400. Units, rate and price ' +
    'default to the supplier item for the variant, whose price counts where its currency is null or that of the order; then to the ' +
    "variant's `purchase_price` as it stands, else to 0. In purchase units `quantity` is `purchase_quantity * conversion_rate`, " +
    'rounded to 6 decimals; 0 is 400. `line_amount` is rounded half up to the minor unit of the currency, the tax is ' +
    "of the rounded amount, and totals are sums of lines. `exchange_rate` is the tenant's currency per unit of `currency`, at " +
    "most 10 decimals; it is required with another currency than the tenant's. What is open stands as `expected_quantity` " +
    'at `storage_place_id`, by default the main place; a receipt may go elsewhere. A named place that does not allow purchases is ' +
    '400. `batch_number` and `expiry_date` are what the receipt gives the goods unless it names others.',
  example: {
    supplier: { title: 'Nordic Packaging AS', country_code: 'NO', external_ref: 'vendor-17' },
    items: [
      { item_variant_id: '1042', quantity: 4000, price: 0.115, tax_rate: 19 },
      { item_variant_id: '1043', quantity: 1500 },
    ],
    notes: 'Deliver to gate 2',
  },
  counts: true,
  refusals: ['unprocessable'],
  ids: body => body.items.length + 2,
  needs: body => ({
    supplier: namedPartner(Supplier, namedIn(body)),
    place: theRecord(StoragePlace, body.storage_place_id),
    mainPlace,
  }),
  // An existing batch must keep its dates, so it is loaded.
  more: (body, facts) => ({
    stock: stockOf({
      positions: body.items.map(item => ({
        itemVariantId: item.item_variant_id,
        storagePlaceId: placeOf(body, facts.mainPlace),
      })),
      batches: body.items.flatMap(({ item_variant_id: itemVariantId, batch_number: number }) =>
        number === null ? [] : [{ itemVariantId, number }],
      ),
    }),
    supplied: itemsOf(
      facts.supplier?.id,
      body.items.map(item => item.item_variant_id),
    ),
  }),
  decide: (body, facts, { tenant, now, work }) => {
    const date = body.date ?? now
    const named = namedIn(body)
    const money = decideMoney(body, tenant.currency)
    if (isRefusal(money)) return money
    const refused =
      refuseNamed(Supplier, named) ??
      refuseDocumentDate({ field: 'date', date, now, tenant }) ??
      (body.storage_place_id == null ? null : refusePlace('storage_place_id', facts.place, 'purchases')) ??
      facts.refuseTaken()
    if (refused) return refused
    const supplier = choosePartner(Supplier, { named, found: facts.supplier, work })
    if (isRefusal(supplier)) return supplier
    const id = work.newId()
    const storagePlaceId = placeOf(body, facts.mainPlace)
    const found = facts.supplier?.id
    const itemOf = (itemVariantId: string) =>
      found === undefined ? null : facts.supplied({ supplierId: found, itemVariantId })
    const items = decideLines(
      { stock: facts.stock, itemOf },
      { currency: money.currency, storagePlaceId, items: body.items },
    )
    if (isRefusal(items)) return items
    const order = work.make(PurchaseOrder, {
      id,
      number: facts.number.take(),
      status: 'OPEN',
      delivery_status: 'NOT_RECEIVED',
      currency: money.currency,
      exchange_rate: money.exchangeRate,
      date,
      expected_date: body.expected_date,
      storage_place_id: storagePlaceId,
      completed_at: null,
      notes: body.notes,
      external_ref: body.external_ref,
      metadata: body.metadata,
      close_reason: null,
      created_at: now,
      updated_at: now,
      supplier_id: supplier.partner.id,
      ...lineTotals(items),
      items,
    })
    return made(work, PurchaseOrder, order, supplier.events)
  },
})

/** Refuses as `refuseDone`, `decideChange` and `moveExpected` do, and for a taken external_ref. Closed periods do not matter. */
export const changeOrder = changes(PurchaseOrder, {
  description:
    'Entries of `items` with `id` change that line or, with `remove: true`, take it out; entries without add one as in a new ' +
    'order. Lines that are not named stay. What is expected follows, also to a new `storage_place_id`. What is received stays as ' +
    'it was posted; later receipts take the price as it then is. Lines in purchase units change by `purchase_quantity` and ' +
    '`purchase_price`; their rate and unit stay. A quantity may fall to what is received; a received line ' +
    'cannot be removed, and `supplier_id` changes only before the first receipt, with `supplier_sku` and no price. When nothing is outstanding any more, the ' +
    'order is RECEIVED and DONE. Of an order that is DONE only `notes`, `external_ref` and `metadata` change, else 409 ' +
    '`purchase_order_not_editable`. Currency and exchange rate never change. A body that changes nothing answers the order as it is.',
  example: {
    expected_date: '2026-12-11',
    items: [
      { id: '1051', quantity: 4500, price: 0.11 },
      { item_variant_id: '1044', quantity: 200, price: 0.4, expected_date: '2026-12-18' },
    ],
  },
  refusals: [notEditable],
  ids: body => (body.items ?? []).filter(({ id }) => id === undefined).length,
  needs: body => ({
    supplier: theRecord(Supplier, body.supplier_id),
    place: theRecord(StoragePlace, body.storage_place_id),
  }),
  more: ({ record, body }) => ({
    stock: stockOf({ positions: expectedPositions(record, body), batches: batchesOf(record, body) }),
    supplied: suppliedOf(record, body),
  }),
  decide: ({ record: before, body }, facts, { now, work }) => {
    const refused = refuseDone(before, body) ?? facts.refuseTaken(before.id)
    if (refused) return refused
    const supplierId = body.supplier_id ?? before.supplier_id
    const itemOf = (itemVariantId: string) => facts.supplied({ supplierId, itemVariantId })
    const after = decideChange({ ...facts, itemOf }, before, { body, now })
    if (isRefusal(after)) return after
    if (isSame(before, after)) return { body: work.render(PurchaseOrder, before), events: [] }
    const field = body.items === undefined ? 'storage_place_id' : 'items'
    const overflow = moveExpected(facts.stock, { field, before, after })
    if (overflow) return overflow
    const event = after.status === before.status ? 'updated' : 'done'
    return changed(work, PurchaseOrder, { before, after: work.change(PurchaseOrder, after), event })
  },
})

/** The supplier's items of the added variants, or of all variants if the supplier changes. */
function suppliedOf({ supplier_id: before, items }: Order, body: OrderChange) {
  const after = body.supplier_id ?? before
  const added = (body.items ?? []).flatMap(({ item_variant_id: id }) => (id === undefined ? [] : [id]))
  return itemsOf(after, [...(after === before ? [] : items.map(line => line.item_variant_id)), ...added])
}

/** The batches that entries of a change name. */
function batchesOf({ items }: Order, body: OrderChange): readonly BatchNeed[] {
  const lines = new Map(items.map(line => [line.id, line]))
  return (body.items ?? []).flatMap(item => {
    if (item.batch_number === undefined && item.expiry_date === undefined) return []
    const line = item.id === undefined ? undefined : lines.get(item.id)
    const itemVariantId = line?.item_variant_id ?? item.item_variant_id
    const number = item.batch_number === undefined ? line?.batch_number : item.batch_number
    return itemVariantId === undefined || number == null ? [] : [{ itemVariantId, number }]
  })
}

/** Refuses `purchase_order_not_editable` for an order that is done. */
export const closeOrder = acts(PurchaseOrder, 'close', {
  scope: 'write:purchase.order.update',
  summary: 'Close a purchase order short',
  description:
    'The order is DONE, what is outstanding is expected no longer, and `delivery_status` stays what the lines say. Later ' +
    'receipts are 409 `purchase_receipt_not_allowed`.',
  body: { reason: text().orNull() },
  example: { reason: 'The rest is sold out' },
  refusals: [notEditable],
  more: ({ record }) => ({ stock: stockOf({ positions: openLines(record).map(line => expectedAt(record, line)) }) }),
  decide: ({ record: before, body }, { stock }, { now, work }) => {
    if (before.status === 'DONE') return refuse(notEditable, `the purchase order ${before.number} is done`)
    for (const line of openLines(before))
      releaseExpected(stock, { order: before, line, quantity: line.quantity - line.received_quantity })
    const after = work.change(PurchaseOrder, {
      ...before,
      status: 'DONE',
      completed_at: now,
      close_reason: body.reason,
      updated_at: now,
      items: before.items.map(line => (line.received_quantity < line.quantity ? { ...line, is_open: false } : line)),
    })
    return changed(work, PurchaseOrder, { before, after, event: 'done' })
  },
})

const openLines = ({ items }: Order): readonly Line[] =>
  items.filter(line => line.holds_stock && line.received_quantity < line.quantity)
