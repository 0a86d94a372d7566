/** Decides on stock transfers: what each line takes from one place and brings to the other. Pure (docs/rules/stock.md). */

import { decideEach, invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { dayIn } from '../../../kit/days.ts'
import { causeOf } from '../cause.ts'
import { batchById, overflow, variantOf } from '../line-rules.ts'
import { pick } from '../picking-rules.ts'
import { receive, takeOut } from '../posting-rules.ts'
import { Demands, notEnough } from '../shortage-rules.ts'
import { positionOf, type Stock } from '../stock.ts'
import { type NewTransfer, type NewTransferItem, StockTransfer, type TransferLine } from './noun.ts'

type Places = { readonly from: string | null; readonly to: string | null }

/** Checks the body alone. Refuses `validation_failed`. */
export function refuseBody(body: NewTransfer): Refusal | null {
  if (body.from_storage_place_id !== body.to_storage_place_id) return null
  const judged = decideEach(body.items, (item, index) =>
    item.from_quarantine === item.to_quarantine
      ? invalid(`items[${index}].to_quarantine`, 'within one place it must differ from from_quarantine')
      : null,
  )
  return isRefusal(judged) ? judged : null
}

/**
 * Posts the lines in their order; later lines see what earlier ones did. The movement out of each stock entry is followed by its movement
 * in, of the same value. Refuses `validation_failed` (references) and `insufficient_stock`, naming each short sku with the needed and the
 * on-hand quantity. The first line that fails decides the refusal; later lines are checked only for more of the same.
 */
export function decideTransfer(
  stock: Stock,
  document: {
    readonly id: string
    readonly date: string
    readonly places: Places
    readonly items: readonly NewTransferItem[]
  },
): readonly TransferLine[] | Refusal {
  const { id, date, places, items } = document
  const demands = new Demands()
  let first: 'short' | 'wrong' | null = null
  const decided = decideEach(items, (item, index) => {
    const line = decideLine(stock, { at: `items[${index}]`, item, id, date, places, demands })
    if (line === 'short') first ??= 'short'
    else if (isRefusal(line)) first ??= 'wrong'
    return first === 'short' && isRefusal(line) ? 'short' : line
  })
  if (isRefusal(decided)) return decided
  const lines = decided.filter(line => line !== 'short').flat()
  return decided.includes('short') ? notEnough('insufficient_stock', demands.short) : lines
}

function decideLine(
  stock: Stock,
  task: {
    readonly at: string
    readonly item: NewTransferItem
    readonly id: string
    readonly date: string
    readonly places: Places
    readonly demands: Demands
  },
): readonly TransferLine[] | 'short' | Refusal {
  const { at, item, id, date, places, demands } = task
  const variant = variantOf(stock, { at, itemVariantId: item.item_variant_id })
  if (isRefusal(variant)) return variant
  const batch = item.batch_id === null ? undefined : batchById(stock, variant, { at, batchId: item.batch_id })
  if (isRefusal(batch)) return batch
  const from = positionOf(stock, { itemVariantId: variant.id, storagePlaceId: places.from })
  const to = positionOf(stock, { itemVariantId: variant.id, storagePlaceId: places.to })
  const condition = item.from_quarantine ? 'quarantined' : 'unquarantined'
  const named = batch === undefined ? null : { number: batch.number, batch }
  const demand = demands.of(variant, { position: from, named, condition })
  const { picks, missing } = pick(from, { quantity: item.quantity, batch, condition, day: dayIn(stock.timeZone, date) })
  demand.needed += item.quantity
  demand.missing += missing
  if (missing > 0n) demand.field ??= `${at}.quantity`
  const out = causeOf(StockTransfer, 'TRANSFER_OUT', { id, date })
  const into = causeOf(StockTransfer, 'TRANSFER_IN', { id, date })
  const lines: TransferLine[] = []
  for (const { level, quantity } of picks) {
    const { value } = takeOut(stock, out, { position: from, level, quantity, condition })
    const inflow = { position: to, batch: level.batch, quantity, value, quarantine: item.to_quarantine }
    if ('fault' in receive(stock, into, inflow)) return missing > 0n ? 'short' : overflow(`${at}.quantity`)
    lines.push({
      id: stock.takeId(),
      item_variant_id: variant.id,
      sku: variant.sku,
      title: variant.title,
      batch_id: level.batch?.id ?? null,
      batch_number: level.batch?.number ?? null,
      quantity,
      value,
      from_quarantine: item.from_quarantine,
      to_quarantine: item.to_quarantine,
    })
  }
  return missing === 0n ? lines : 'short'
}
