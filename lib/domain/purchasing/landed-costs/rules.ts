/**
 * Decides on landed costs: the share of each line of the receipt, the part of it that raises the stock's value, and what a reversal takes
 * back. Pure: no I/O and no clock (docs/rules/purchasing.md, "Landed costs").
 */
import type { Refusal } from '../../../kit/api/errors.ts'
import {
  COST_PLACES,
  type Cost,
  divideRounded,
  EXCHANGE_RATE_PLACES,
  type ExchangeRate,
  MICRO_PLACES,
  type Micro,
  powerOfTen,
} from '../../../platform/decimal.ts'
import { book, bookDifference } from '../../stock/book-rules.ts'
import { overflow } from '../../stock/line-rules.ts'
import { revalue } from '../../stock/posting-rules.ts'
import {
  type Batch,
  type Cause,
  levelOf,
  type Position,
  positionOf,
  type Stock,
  type Where,
} from '../../stock/stock.ts'
import type { Receipt, ReceiptLine } from '../receipts/noun.ts'
import type { Allocation, Landed, NewCost } from './noun.ts'

/** A line of a receipt that holds stock, with the value at which it came in. */
export type GoodsLine = ReceiptLine & { readonly stock_value: Cost }

/** Services get no share. */
export const goodsOf = ({ items }: Pick<Receipt, 'items'>): readonly GoodsLine[] =>
  items.filter((line): line is GoodsLine => line.stock_value !== null)

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n)

/** `round(amount * exchange_rate, 4)`: a cost in the tenant's currency. */
export const costAtHome = (amount: Micro, exchangeRate: ExchangeRate): Cost =>
  divideRounded(amount * exchangeRate, powerOfTen(MICRO_PLACES + EXCHANGE_RATE_PLACES - COST_PLACES))

/**
 * Splits a cost by weights of 0 or more, of which one is above 0. Running totals are rounded, not each share, so the shares add up to the
 * cost.
 */
export function spread(cost: Cost, weights: readonly bigint[]): readonly Cost[] {
  const whole = sumOf(weights)
  let [weight, given] = [0n, 0n]
  return weights.map(each => {
    weight += each
    const before = given
    given = divideRounded(cost * weight, whole)
    return given - before
  })
}

function weightsOf(goods: readonly GoodsLine[], distribution: NewCost['distribution']): readonly bigint[] {
  const byQuantity = distribution === 'QUANTITY' || goods.every(({ stock_value: value }) => value === 0n)
  return goods.map(line => (byQuantity ? line.quantity : line.stock_value))
}

/** The share of each line in all costs. */
function amountsOf(goods: readonly GoodsLine[], costs: readonly SpreadCost[]): readonly Cost[] {
  const shares = costs.map(({ cost, distribution }) => spread(cost, weightsOf(goods, distribution)))
  return goods.map((_, at) => sumOf(shares.map(share => share[at] ?? 0n)))
}

/** Counts down the quantity at each position: a second line of a variant gets only what the first line left. */
class Remainder {
  readonly #left = new Map<Position, Micro>()

  /** Takes up to `most` of what is left at the position. Returns the quantity taken. */
  take(position: Position, most: Micro): Micro {
    const left = this.#left.get(position) ?? position.quantity
    const taken = lesser(most, left)
    this.#left.set(position, left - taken)
    return taken
  }
}

/** A cost in the tenant's currency. */
export type SpreadCost = { readonly cost: Cost; readonly distribution: NewCost['distribution'] }

/**
 * Splits the costs over the goods of a receipt, and raises the value of the stock at the place by the share of the goods that are still
 * there. Refuses `validation_failed` for a stock value beyond the limit.
 */
export function allocate(
  stock: Stock,
  {
    cause,
    goods,
    storagePlaceId,
    costs,
    receiptId,
  }: {
    readonly cause: Cause
    readonly receiptId: string
    /** At least one. */
    readonly goods: readonly GoodsLine[]
    readonly storagePlaceId: string | null
    readonly costs: readonly SpreadCost[]
  },
): readonly Allocation[] | Refusal {
  const amounts = amountsOf(goods, costs)
  const remainder = new Remainder()
  const allocations: Allocation[] = []
  for (const [at, line] of goods.entries()) {
    const position = positionOf(stock, { itemVariantId: line.item_variant_id, storagePlaceId })
    const amount = amounts[at] ?? 0n
    const inStock = remainder.take(position, line.quantity)
    const stockAmount = divideRounded(amount * inStock, line.quantity)
    const batch = entryOf(stock, position, line.batch_id)
    const posted = revalue(stock, cause, { position, batch, value: stockAmount })
    if (typeof posted !== 'boolean') return overflow('items')
    bookExpensed(stock, cause, { where: position, amount: amount - stockAmount })
    allocations.push({
      id: line.id,
      receipt_id: receiptId,
      item_variant_id: line.item_variant_id,
      sku: line.sku,
      batch_id: batch?.id ?? null,
      stock_quantity: inStock,
      amount,
      stock_amount: stockAmount,
      expensed_amount: amount - stockAmount,
    })
  }
  return allocations
}

/** Expenses the part of a cost that no stock takes. Below 0: takes an expense back. */
const bookExpensed = (stock: Stock, cause: Cause, line: { readonly where: Where; readonly amount: Cost }) =>
  book(stock, cause, { debit: 'LANDED_COST_EXPENSED', credit: 'LANDED_COST_CLEARING', ...line })

/** The batch whose stock entry shows the movement: the line's batch, if the place ever had an entry of it. All entries share the value. */
function entryOf(stock: Stock, position: Position, batchId: string | null): Batch | null {
  const batch = batchId === null ? undefined : stock.batches.get(batchId)
  return batch !== undefined && levelOf(position, batch) !== undefined ? batch : null
}

/**
 * Takes the costs back from the stock, for each line as far as its goods are still at the place, and never more than the stock is worth.
 * Goods that left took their part of the cost with them.
 */
export function undo(
  stock: Stock,
  cause: Cause,
  { storage_place_id: storagePlaceId, allocations }: Pick<Landed, 'storage_place_id' | 'allocations'>,
): void {
  const remainder = new Remainder()
  for (const { item_variant_id: itemVariantId, stock_quantity: inStock, ...line } of allocations) {
    const position = positionOf(stock, { itemVariantId, storagePlaceId })
    bookExpensed(stock, cause, { where: position, amount: -line.expensed_amount })
    if (inStock === 0n) continue
    const there = remainder.take(position, inStock)
    const value = lesser(divideRounded(line.stock_amount * there, inStock), position.value)
    const batch = line.batch_id === null ? null : (stock.batches.get(line.batch_id) ?? null)
    revalue(stock, cause, { position, batch, value: -value })
    bookDifference(stock, cause, { where: position, amount: line.stock_amount - value })
  }
}
