/** The commands that book landed costs on a receipt, and reverse them (docs/rules/purchasing.md). */
import { isRefusal, noSuch, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { amend, amendable, changes } from '../../../kit/documents/acts.ts'
import { made } from '../../../kit/documents/command.ts'
import { creates } from '../../../kit/documents/creates.ts'
import { theRecord } from '../../../kit/documents/needs.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { StoragePlace } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import { causeOf } from '../../stock/cause.ts'
import { notReversed } from '../../stock/reversals/fields.ts'
import { reverses } from '../../stock/reversals/reverse.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { decideMoney } from '../orders/rules.ts'
import { PurchaseReceipt, type Receipt } from '../receipts/noun.ts'
import { LandedCost, type NewLanded } from './noun.ts'
import { allocate, costAtHome, goodsOf, undo } from './rules.ts'

/** The place of the goods now: the place that the body names, else the place of the receipt. */
const placeOf = ({ storage_place_id: named }: Pick<NewLanded, 'storage_place_id'>, receipt: Receipt): string | null =>
  named === undefined ? receipt.storage_place_id : named

/** Batches of lines or allocations. */
const batchesOf = (lines: readonly { readonly batch_id: string | null }[]) =>
  lines.flatMap(({ batch_id: id }) => (id === null ? [] : [{ id }]))

/**
 * Refuses `validation_failed` for an absent receipt, a closed date and a taken number, and as `decideMoney`, `refusePlace` and `allocate`
 * do; `conflict` as `refuseReceipt` does.
 */
export const createLandedCost = creates(LandedCost, {
  description:
    'Freight, duty and the like on a receipt, also long after it. Each cost is turned into the currency of the tenant, rounded to 4 ' +
    'decimals, and spread over the lines of the receipt that hold stock; the shares add up to the cost exactly. What a line bears ' +
    'goes into the value of the stock as far as its goods are still at `storage_place_id`, by a movement of quantity 0; the rest ' +
    'is expensed. A receipt without goods, or a reversed one, is 409 `conflict`. A receipt with a landed cost that is not reversed ' +
    'cannot be reversed.',
  example: {
    purchase_receipt_id: '1061',
    items: [
      { title: 'Sea freight', amount: 180.5 },
      { title: 'Duty', amount: 42.75, distribution: 'VALUE' },
      { title: 'Unloading', amount: 30, distribution: 'QUANTITY' },
    ],
    notes: 'Invoice 2026-7731 of the forwarder',
  },
  counts: true,
  refusals: ['conflict', 'unprocessable'],
  // An allocation has the id of its receipt line.
  ids: body => 1 + body.items.length,
  needs: body => ({
    receipt: theRecord(PurchaseReceipt, body.purchase_receipt_id),
    place: theRecord(StoragePlace, body.storage_place_id),
  }),
  more: (body, { receipt }) => {
    if (receipt === null) return { stock: stockOf({ positions: [] }) }
    const storagePlaceId = placeOf(body, receipt)
    const goods = goodsOf(receipt)
    return {
      stock: stockOf({
        positions: goods.map(line => ({ itemVariantId: line.item_variant_id, storagePlaceId })),
        batches: batchesOf(goods),
      }),
    }
  },
  decide: (body, facts, { now, tenant, work }) => {
    const date = body.date ?? now
    const money = decideMoney(body, tenant.currency)
    if (isRefusal(money)) return money
    const { receipt } = facts
    if (receipt === null) return noSuch('purchase_receipt_id', 'purchase receipt')
    const refused =
      refuseDocumentDate({ field: 'date', date, now, tenant }) ??
      (body.storage_place_id == null ? null : refusePlace('storage_place_id', facts.place)) ??
      refuseReceipt(receipt) ??
      facts.refuseTaken()
    if (refused) return refused
    const id = work.newId()
    const storagePlaceId = placeOf(body, receipt)
    const costs = body.items.map(({ amount, distribution }) => ({
      cost: costAtHome(amount, money.exchangeRate),
      distribution,
    }))
    const allocations = allocate(facts.stock, {
      ...{ costs, storagePlaceId, receiptId: receipt.id, goods: goodsOf(receipt) },
      cause: causeOf(LandedCost, 'LANDED_COST', { id, date }),
    })
    if (isRefusal(allocations)) return allocations
    const total = costs.reduce((sum, { cost }) => sum + cost, 0n)
    const inStock = allocations.reduce((sum, line) => sum + line.stock_amount, 0n)
    const landed = work.make(LandedCost, {
      id,
      number: facts.number.take(),
      purchase_receipt_id: receipt.id,
      purchase_order_id: receipt.purchase_order_id,
      storage_place_id: storagePlaceId,
      currency: money.currency,
      exchange_rate: money.exchangeRate,
      date,
      notes: body.notes,
      external_ref: body.external_ref,
      metadata: body.metadata,
      created_at: now,
      ...notReversed(now),
      total_amount: total,
      stock_amount: inStock,
      expensed_amount: total - inStock,
      items: body.items.map(item => ({ id: work.newId(), ...item })),
      allocations,
    })
    return made(work, LandedCost, landed)
  },
})

/** Refuses `conflict` for a receipt without goods, and for a reversed one. */
function refuseReceipt(receipt: Receipt): Refusal | null {
  if (receipt.reversed) return refuse('conflict', `the receipt ${receipt.number} is reversed`)
  return goodsOf(receipt).length === 0
    ? refuse('conflict', `the receipt ${receipt.number} has no goods: services bear no landed cost`)
    : null
}

export const changeLandedCost = changes(LandedCost, {
  description: amendable(LandedCost),
  example: { notes: 'The forwarder sent the invoice twice', metadata: { invoice: '2026-7731' } },
  decide: amend(LandedCost),
})

export const reverseLandedCost = reverses(LandedCost, {
  scope: 'write:purchase.receipt.reverse',
  example: { reason: 'Invoiced for another receipt' },
  dateOf: landed => landed.date,
  positions: landed =>
    landed.allocations.map(line => ({
      itemVariantId: line.item_variant_id,
      storagePlaceId: landed.storage_place_id,
    })),
  ofValue: {
    description:
      'Takes out of the value of the stock what the landed cost brought, of each line as far as its goods are still at the place: ' +
      '`stock_amount` times what is there now, over what was there then, and never more than the stock is worth. Movements of kind ' +
      'REVERSAL and quantity 0 say so. What left the place since keeps its share of the cost. A date before that of the document is ' +
      '400; a second time is 409 `already_reversed`. The document stays in its list.',
    batches: landed => batchesOf(landed.allocations),
    post: undo,
  },
})
