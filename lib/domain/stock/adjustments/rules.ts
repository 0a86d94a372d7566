/** Decides on stock adjustments: how each line changes the stock. Pure (docs/rules/stock.md). */
import { decideEach, invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { type Cost, costOf, formatCost, type Micro } from '../../../platform/decimal.ts'
import { type DateFault, openBatch } from '../batch-rules.ts'
import { defaultInflowValue, usualUnitCost } from '../cost-rules.ts'
import {
  datesOf,
  dateWithoutBatch,
  type Named,
  namedBatch,
  nameOf,
  overflow,
  refuseTwoBatches,
  variantOf,
  wrongDate,
} from '../line-rules.ts'
import { type Condition, firstInStock } from '../picking-rules.ts'
import { type Issued, issue, receive, revalue } from '../posting-rules.ts'
import { Demands, notAsExpected, notEnough, onHandOf, type Shortage } from '../shortage-rules.ts'
import { type Batch, type Cause, levelOf, type Position, positionOf, type Stock, type Variant } from '../stock.ts'
import type { AdjustmentLine, NewAdjustment, NewAdjustmentItem } from './noun.ts'

/** Checks the body alone. Refuses `validation_failed`. */
export function refuseBody(body: NewAdjustment): Refusal | null {
  const judged = decideEach(body.items, (item, index) => {
    const at = `items[${index}]`
    const given = [item.quantity, item.counted_quantity, item.value_change].filter(each => each !== null)
    if (given.length !== 1)
      return invalid(`${at}.quantity`, 'give exactly one of quantity, counted_quantity and value_change')
    if (item.value_change !== null) return refuseRevaluation(at, item, body.reason)
    if (item.quantity === 0n) return invalid(`${at}.quantity`, 'must not be 0')
    const twice = refuseTwoBatches(at, item)
    if (twice) return twice
    return item.unit_cost !== undefined && (item.quantity ?? 0n) < 0n ? costOfOutflow(at) : null
  })
  return isRefusal(judged) ? judged : null
}

function refuseRevaluation(at: string, item: NewAdjustmentItem, reason: NewAdjustment['reason']): Refusal | null {
  if (item.value_change === 0n) return invalid(`${at}.value_change`, 'must not be 0')
  if (reason !== 'REVALUATION') return invalid('reason', `${at}.value_change goes with the reason REVALUATION`)
  return item.unit_cost === undefined ? refuseTwoBatches(at, item) : costOfOutflow(at)
}

/**
 * Posts the lines in their order; later lines see what earlier ones did. Refuses `validation_failed` (references, batches, dates, a result
 * below 0, a cost without an inflow) and `stock_changed` (an expected_quantity that differs). These two name each sku that is short or has
 * changed. A stock count refuses `insufficient_stock` instead. The first line that fails decides the refusal; later lines are checked only
 * for more of the same.
 */
export function decideAdjustment(
  stock: Stock,
  document: {
    readonly cause: Cause
    readonly storagePlaceId: string | null
    readonly number: string
    readonly items: readonly NewAdjustmentItem[]
    /**
     * The adjustment books a stock count: quarantined stock is taken too, after the other stock. `nameOfLine`: the name in messages of the
     * line with this index.
     */
    readonly ofCount?: { readonly nameOfLine: (index: number) => string }
  },
): readonly AdjustmentLine[] | Refusal {
  const { cause, storagePlaceId, number, items, ofCount } = document
  const found: Found = { demands: new Demands(), changed: [] }
  let first: Fault | 'wrong' | null = null
  const decided = decideEach(items, (item, index) => {
    const at = ofCount?.nameOfLine(index) ?? `items[${index}]`
    const quantityAt = ofCount ? at : `${at}.${item.quantity === null ? 'counted_quantity' : 'quantity'}`
    const conditions = ofCount ? PHYSICAL : UNQUARANTINED
    const line = decideItem({ stock, cause, number, at, quantityAt, item, found, conditions }, storagePlaceId)
    if (typeof line === 'string') first ??= line
    else if (isRefusal(line)) first ??= 'wrong'
    return first !== null && first !== 'wrong' && isRefusal(line) ? first : line
  })
  if (isRefusal(decided)) return decided
  const fault = decided.find(line => typeof line === 'string')
  if (fault === undefined) return decided.filter(line => typeof line !== 'string').flat()
  return fault === 'changed'
    ? notAsExpected(found.changed)
    : notEnough(ofCount ? 'insufficient_stock' : 'validation_failed', found.demands.short)
}

/** The kinds of stock that outflows take, in this order. */
const UNQUARANTINED: readonly Condition[] = ['unquarantined']
const PHYSICAL: readonly Condition[] = ['unquarantined', 'quarantined']

/** Short: a line needs more than there is. Changed: the stock is not what the line expects. */
type Fault = 'short' | 'changed'

/** What the lines need so far, and where the stock is not what they expect. */
type Found = { readonly demands: Demands; readonly changed: Shortage[] }

function decideItem(
  line: Omit<Task, 'variant' | 'position'>,
  storagePlaceId: string | null,
): readonly AdjustmentLine[] | Fault | Refusal {
  const { stock, at, item } = line
  const variant = variantOf(stock, { at, itemVariantId: item.item_variant_id })
  if (isRefusal(variant)) return variant
  return decideLine({ ...line, variant, position: positionOf(stock, { itemVariantId: variant.id, storagePlaceId }) })
}

type Task = {
  readonly stock: Stock
  readonly cause: Cause
  /** The document's number, which is the batch number for lines without one. */
  readonly number: string
  /** `items[3]` */
  readonly at: string
  /** The name of its quantity in messages: `items[3].quantity` */
  readonly quantityAt: string
  readonly item: NewAdjustmentItem
  readonly variant: Variant
  readonly position: Position
  readonly found: Found
  readonly conditions: readonly Condition[]
}

function decideLine(task: Task): readonly AdjustmentLine[] | Fault | Refusal {
  const { at, item, variant, position, found } = task
  const named = namedBatch(task.stock, variant, { at, line: item })
  if (isRefusal(named)) return named
  const onHand = onHandOf(position, named)
  const expected = item.expected_quantity
  if (expected !== null && expected !== onHand) {
    const batchNumber = named?.number ?? null
    found.changed.push({
      ...{
        field: `${at}.expected_quantity`,
        variant,
        batchNumber,
        placeId: position.storagePlaceId,
        needed: expected,
        onHand,
        takeable: onHand,
      },
    })
    return 'changed'
  }
  if (item.value_change !== null) return changeValue(task, named, item.value_change)
  if (item.counted_quantity !== null && variant.batchTracked && named === null)
    return invalid(`${at}.counted_quantity`, `${nameOf(variant)} is batch-tracked: name the batch that was counted`)
  const change = item.counted_quantity === null ? (item.quantity ?? 0n) : item.counted_quantity - onHand
  const misplaced = named === null && !(variant.batchTracked && change > 0n) ? dateWithoutBatch(at, item) : null
  if (misplaced !== null) return misplaced
  if (change > 0n) return bringIn(task, named, change)
  if (item.unit_cost !== undefined) return costOfOutflow(at)
  return change < 0n ? takeAway(task, named, -change) : [unchanged(task, named, onHand)]
}

const costOfOutflow = (at: string) => invalid(`${at}.unit_cost`, 'only an inflow has a unit_cost')

/**
 * All batches of a variant at a place share the value. The movement belongs to the entry of the named batch, if there is one, else to any
 * entry with stock.
 */
function changeValue(task: Task, named: Named, value: Cost): readonly AdjustmentLine[] | Refusal {
  const { stock, cause, at, item, variant, position } = task
  const misplaced = dateWithoutBatch(at, item)
  if (misplaced !== null) return misplaced
  const own = named === null ? undefined : named.batch && levelOf(position, named.batch)
  const level = named === null ? firstInStock(position) : own
  if (level === undefined || position.quantity === 0n || (named !== null && level.quantity === 0n))
    return invalid(`${at}.value_change`, `there is no stock of ${nameOf(variant)} to be worth more or less`)
  if (position.value + value < 0n)
    return invalid(`${at}.value_change`, `the stock of ${nameOf(variant)} is worth ${formatCost(position.value)}`)
  const figures = {
    ...{ quantity: 0n, quantity_before: level.quantity, quantity_after: level.quantity },
    ...{ unit_cost: usualUnitCost(position, variant.purchasePrice), amount: value },
  }
  const posted = revalue(stock, cause, { position, batch: level.batch, value })
  return typeof posted === 'boolean' ? [line(task, level.batch, figures)] : overflow(`${at}.value_change`)
}

const rowQuantity = (position: Position, batch: Batch | null | undefined): Micro =>
  batch === undefined ? 0n : (levelOf(position, batch)?.quantity ?? 0n)

function bringIn(task: Task, named: Named, quantity: Micro): readonly AdjustmentLine[] | Refusal {
  const { stock, cause, at, quantityAt, item, variant, position } = task
  const batch = inflowBatch(task, named)
  if (batch !== null && 'reason' in batch) return wrongDate(at, batch)
  const quantityBefore = rowQuantity(position, batch)
  const given = item.unit_cost ?? null
  const unitCost = given ?? usualUnitCost(position, variant.purchasePrice)
  const amount =
    given === null ? defaultInflowValue(position, quantity, variant.purchasePrice) : costOf(quantity, given)
  const level = receive(stock, cause, { position, batch, quantity, value: amount, quarantine: false })
  if ('fault' in level) return overflow(quantityAt)
  return [
    line(task, batch, {
      quantity,
      quantity_before: quantityBefore,
      quantity_after: level.quantity,
      unit_cost: unitCost,
      amount,
    }),
  ]
}

/** An inflow of a tracked variant without a batch number uses the document's number. */
function inflowBatch({ stock, item, number, variant }: Task, named: Named): Batch | DateFault | null {
  if (named?.batch !== undefined) return named.batch
  if (named === null && !variant.batchTracked) return null
  return openBatch(stock, variant, { number: named?.number ?? number, dates: datesOf(item) })
}

/** Takes stock without a named batch: first expired first out, and expired stock counts. */
function takeAway(task: Task, named: Named, quantity: Micro): readonly AdjustmentLine[] | 'short' {
  const { quantityAt, variant, position, found } = task
  const demand = found.demands.of(variant, { position, named, condition: 'unquarantined' })
  const isUnknown = named !== null && named.batch === undefined
  const { takes, missing } = isUnknown ? { takes: [], missing: quantity } : takeOf(task, named?.batch, quantity)
  demand.needed += quantity
  demand.missing += missing
  if (missing > 0n) {
    demand.field ??= quantityAt
    return 'short'
  }
  return takes.map(take =>
    line(task, take.level.batch, {
      quantity: -take.quantity,
      quantity_before: take.quantityBefore,
      quantity_after: take.quantityBefore - take.quantity,
      unit_cost: usualUnitCost(take.holdingBefore, null),
      amount: -take.value,
    }),
  )
}

function takeOf({ stock, cause, position, conditions }: Task, batch: Batch | undefined, quantity: Micro): Issued {
  let missing = quantity
  const takes: Issued['takes'][number][] = []
  for (const condition of conditions) {
    if (missing === 0n) break
    const issued = issue(stock, cause, { position, quantity: missing, batch, condition })
    takes.push(...issued.takes)
    missing = issued.missing
  }
  return { takes, missing }
}

/** A count equal to the stock makes a line without a movement. It makes no batch. */
function unchanged(task: Task, named: Named, onHand: Micro): AdjustmentLine {
  const { variant, position } = task
  const batch = named === null ? null : { id: named.batch?.id ?? null, number: named.number }
  return line(task, batch, {
    quantity: 0n,
    quantity_before: onHand,
    quantity_after: onHand,
    unit_cost: usualUnitCost(position, variant.purchasePrice),
    amount: 0n,
  })
}

/** A line of the document, for the stock entry of a batch. */
const line = (
  { stock, variant }: Task,
  batch: { readonly id: string | null; readonly number: string } | null,
  figures: Pick<AdjustmentLine, 'quantity' | 'quantity_before' | 'quantity_after' | 'unit_cost' | 'amount'>,
): AdjustmentLine => ({
  id: stock.takeId(),
  item_id: variant.itemId,
  item_variant_id: variant.id,
  sku: variant.sku,
  title: variant.title,
  batch_id: batch?.id ?? null,
  batch_number: batch?.number ?? null,
  ...figures,
})
