/**
 * Decides what is issued to a started manufacturing order, and what comes back from it. Pure: no I/O and no clock
 * (docs/rules/manufacturing.md).
 */
import { decideEach, invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { NextUnit } from '../../../kit/documents/next-unit.ts'
import { formatMicro, type Micro } from '../../../platform/decimal.ts'
import { type Holding, outflowValue } from '../../stock/cost-rules.ts'
import { batchById, nameOf, overflow, variantOf } from '../../stock/line-rules.ts'
import { lesser } from '../../stock/picking-rules.ts'
import { issue, receive } from '../../stock/posting-rules.ts'
import { Demands, notEnough } from '../../stock/shortage-rules.ts'
import { type Batch, type Cause, type Position, positionOf, type Stock, type Variant } from '../../stock/stock.ts'
import { newItem, QUANTITY_LIMIT } from './creation-rules.ts'
import { LINES_MAX, type Materials, type Order, type OrderItem, wipCost } from './noun.ts'
import type { WrittenOff } from './written-off.ts'

type Line = Materials['items'][number]

/** Checks the body alone. Refuses `validation_failed`. */
export function refuseMaterialsBody({ items }: Materials): Refusal | null {
  const judged = decideEach(items, ({ quantity }, index) =>
    quantity === 0n ? invalid(`items[${index}].quantity`, 'must not be 0') : null,
  )
  return isRefusal(judged) ? judged : null
}

/**
 * The batches that may take back the goods of lines without a batch: of each variant the last batches that together hold all that comes
 * back. A batch that an earlier line of the body issues is loaded with that line.
 */
export function batchesToReturn(written: readonly WrittenOff[], items: readonly Line[]): readonly string[] {
  const left = new Map<string, Micro>()
  for (const { item_variant_id: id, quantity } of items)
    if (quantity < 0n) left.set(id, (left.get(id) ?? 0n) - quantity)
  return written.toReversed().flatMap(({ itemVariantId, batchId, quantity }) => {
    const wanted = left.get(itemVariantId) ?? 0n
    if (wanted <= 0n) return []
    left.set(itemVariantId, wanted - quantity)
    return batchId === null ? [] : [batchId]
  })
}

type Body = {
  readonly items: readonly Line[]
  /** The causes of the movements: of goods that are issued, and of goods that come back. */
  readonly issue: Cause
  readonly comeBack: Cause
}

/**
 * The order after the lines, which are posted in their order. Call `refuseMove` first. Refuses `validation_failed` for a variant that is
 * absent or a service, a batch of another variant, more goods back than are written off, too many lines and quantities beyond the limit;
 * `unprocessable` where the stock is too low, naming each variant that is short.
 */
export function decideMaterials(
  facts: { readonly stock: Stock; readonly writtenOff: readonly WrittenOff[] },
  order: Order,
  { items, ...causes }: Body,
): Order | Refusal {
  const { stock } = facts
  const written = [...facts.writtenOff]
  const demands = new Demands()
  let next = order
  const decided = decideEach(items, (item, index) => {
    const line = lineOf(stock, order, item, `items[${index}]`)
    if (isRefusal(line)) return line
    const after =
      item.quantity > 0n
        ? issued({ stock, written, demands, cause: causes.issue }, next, line)
        : returned({ stock, written, cause: causes.comeBack }, next, line)
    if (!isRefusal(after)) next = after
    return after
  })
  if (isRefusal(decided)) return decided
  const { short } = demands
  return short.length === 0 ? next : notEnough('unprocessable', short)
}

/** A line of the body with the records that it names. */
type Asked = {
  /** `items[3]` */
  readonly at: string
  readonly variant: Variant
  readonly position: Position
  /** Undefined: the line names no batch. */
  readonly batch: Batch | undefined
  /** Above 0. */
  readonly quantity: Micro
}

function lineOf(stock: Stock, order: Order, item: Line, at: string): Asked | Refusal {
  const { item_variant_id: itemVariantId, batch_id: batchId, quantity } = item
  // The position comes first: without it, a variant that was not loaded would look like an absent one.
  const position = positionOf(stock, { itemVariantId, storagePlaceId: order.manufacturing_location_id })
  const variant = variantOf(stock, { at, itemVariantId })
  if (isRefusal(variant)) return variant
  const batch = batchId === null ? undefined : batchById(stock, variant, { at, batchId })
  if (isRefusal(batch)) return batch
  return { at, variant, position, batch, quantity: quantity < 0n ? -quantity : quantity }
}

type Posting = {
  readonly stock: Stock
  readonly cause: Cause
  /** Each line changes this list. */
  readonly written: WrittenOff[]
}

/** The order with the materials of the line. Takes as much as is in stock, and counts the rest in `demands`. */
function issued(
  { stock, cause, written, demands }: Posting & { readonly demands: Demands },
  order: Order,
  { at, variant, position, batch, quantity }: Asked,
): Order | Refusal {
  const named = batch === undefined ? null : { number: batch.number, batch }
  const demand = demands.of(variant, { position, named, condition: 'sellable' })
  const { takes, missing } = issue(stock, cause, { position, quantity, batch, condition: 'sellable' })
  demand.needed += quantity
  demand.missing += missing
  for (const take of takes) writeOff(written, variant, take.level.batch?.id ?? null, take.quantity)
  // The command will be refused for what is missing. Later lines are judged as if it were there, so the refusal lists every shortage.
  if (missing > 0n) {
    demand.field ??= `${at}.quantity`
    writeOff(written, variant, batch?.id ?? null, missing)
  }
  const value = takes.reduce((sum, take) => sum + take.value, 0n)
  const first = order.items.findIndex(item => item.item_variant_id === variant.id)
  const line = order.items[first] ?? {
    ...newItem(variant, { id: stock.takeId(), quantity: 0n, share: null }),
    is_open: false,
  }
  const after = { ...line, actual_quantity: line.actual_quantity + quantity, cost: line.cost + value }
  if (after.actual_quantity >= QUANTITY_LIMIT)
    return invalid(`${at}.quantity`, `${nameOf(variant)}: 1000000000 or more would be written off`)
  if (first === -1 && order.items.length === LINES_MAX)
    return invalid(`${at}.item_variant_id`, `an order has at most ${LINES_MAX} lines`)
  const items = first === -1 ? [...order.items, after] : order.items.with(first, after)
  return { ...order, materials_cost: order.materials_cost + value, items }
}

/** Notes the batch as the last one that was written off. */
function writeOff(
  written: WrittenOff[],
  { id: itemVariantId }: Variant,
  batchId: string | null,
  quantity: Micro,
): void {
  const at = written.findIndex(each => each.itemVariantId === itemVariantId && each.batchId === batchId)
  const [before] = at === -1 ? [] : written.splice(at, 1)
  written.push({ itemVariantId, batchId, quantity: (before?.quantity ?? 0n) + quantity })
}

/** The order without the goods of the line, which return to the stock. */
function returned(
  { stock, cause, written }: Posting,
  order: Order,
  { at, variant, position, batch, quantity }: Asked,
): Order | Refusal {
  const from = written
    .filter(each => each.itemVariantId === variant.id && (batch === undefined || each.batchId === batch.id))
    .reverse()
  const most = from.reduce((sum, each) => sum + each.quantity, 0n)
  if (quantity > most) {
    const name = batch === undefined ? nameOf(variant) : `${nameOf(variant)} (batch ${batch.number})`
    return invalid(`${at}.quantity`, `only ${formatMicro(most)} of ${name} are written off for ${order.number}`)
  }
  let next = order
  let left = quantity
  for (const each of from) {
    if (left === 0n) break
    const part = lesser(left, each.quantity)
    left -= part
    written[written.indexOf(each)] = { ...each, quantity: each.quantity - part }
    const value = lesser(outflowValue(heldBy(next, variant), part), wipCost(next))
    const into = each.batchId === null ? null : batchOf(stock, each.batchId)
    const received = receive(stock, cause, { position, batch: into, quantity: part, value, quarantine: false })
    if ('fault' in received) return overflow(`${at}.quantity`)
    next = without(next, variant, { quantity: part, value })
  }
  return next
}

function batchOf(stock: Stock, id: string): Batch {
  const batch = stock.batches.get(id)
  if (batch === undefined) throw new NextUnit(`the batch ${id} was not asked for`)
  return batch
}

/** The quantity and the value that are written off for the variant, less what came back. */
const heldBy = ({ items }: Order, { id }: Variant): Holding =>
  items
    .filter(item => item.item_variant_id === id)
    .reduce((sum, item) => ({ quantity: sum.quantity + item.actual_quantity, value: sum.value + item.cost }), {
      quantity: 0n,
      value: 0n,
    })

/** The order with less written off. Quantity and value are taken from the lines of the variant, the last line first. */
function without(order: Order, { id }: Variant, back: Holding): Order {
  let { quantity, value } = back
  const items = order.items.toReversed().map((item): OrderItem => {
    if (item.item_variant_id !== id) return item
    const [less, cheaper] = [lesser(quantity, item.actual_quantity), lesser(value, item.cost)]
    quantity -= less
    value -= cheaper
    if (less === 0n && cheaper === 0n) return item
    return { ...item, actual_quantity: item.actual_quantity - less, cost: item.cost - cheaper }
  })
  return { ...order, materials_cost: order.materials_cost - back.value, items: items.reverse() }
}
