/**
 * Decides on sales returns: their moves, what may come back of an order, and the stock that does. Pure: no I/O and no clock
 * (contract 2, "Sales return").
 */
import { type Amount, lineAmounts } from '../../accounting/money.ts'
import { invalid, isRefusal, noSuch, type Refusal, refuse } from '../../api/errors.ts'
import { type Cost, divideRounded, formatMicro, type Micro, parseMicro } from '../../decimal.ts'
import { openBatch } from '../../stock/batch-rules.ts'
import { type Batch, type Book, type Cause, positionOf } from '../../stock/book.ts'
import { nameOf, overflow } from '../../stock/line-rules.ts'
import { receive } from '../../stock/posting-rules.ts'
import type { NewReturn, NewReturnItem, ReturnStatus } from './schemas.ts'

/** Where a return may go from each status. */
const moves: Readonly<Record<ReturnStatus, readonly ReturnStatus[]>> = {
  NOT_RETURNED: ['RETURNED', 'CANCELLED'],
  RETURNED: [],
  CANCELLED: [],
}

/** Refuses `sales_return_not_editable` for a move that the table lacks. */
export function refuseMove(
  from: { readonly number: string; readonly status: ReturnStatus },
  to: ReturnStatus,
): Refusal | null {
  if (moves[from.status].includes(to)) return null
  return refuse(
    'sales_return_not_editable',
    `The sales return ${from.number} is ${from.status}: it cannot become ${to}`,
  )
}

/** A line of the order that goods may come back of. */
export type ReturnableLine = {
  readonly id: string
  readonly itemVariantId: string
  readonly sku: string | null
  readonly title: string
  readonly storagePlaceId: string | null
  readonly price: Micro
  readonly shipped: Micro
  /** By returns that are not cancelled. */
  readonly held: Micro
  readonly lastBatchId: string | null
}

export type ReturnableOrder = {
  readonly id: string
  readonly customerId: string
  readonly currency: string
  readonly lines: ReadonlyMap<string, ReturnableLine>
}

/** What a new return meets; `order` null: the tenant has no such order. */
export type ReturnSurroundings = {
  readonly order: ReturnableOrder | null
  readonly mainPlaceId: string | null
  /** The asked places that exist. */
  readonly placeIds: ReadonlySet<string>
  /** The variant of each asked batch that exists. */
  readonly batchVariants: ReadonlyMap<string, string>
}

export type ReturnLine = {
  readonly line: ReturnableLine
  readonly item: NewReturnItem
  readonly storagePlaceId: string | null
  readonly batchId: string | null
  readonly unitPrice: Micro
  readonly refund: Amount
}

export type ReturnPlan = {
  readonly order: ReturnableOrder
  readonly storagePlaceId: string | null
  readonly lines: readonly ReturnLine[]
  readonly refundAmount: Amount
}

/**
 * The new return with its defaults. Refuses `validation_failed` for an absent order, line, place or batch, and for more than
 * is shipped of a line less what other returns hold.
 */
export function decideReturn(surroundings: ReturnSurroundings, body: NewReturn): ReturnPlan | Refusal {
  const { order, mainPlaceId } = surroundings
  if (order === null) return noSuch('sales_order_id', 'sales order')
  const storagePlaceId = body.storage_place_id === undefined ? mainPlaceId : body.storage_place_id
  if (!isPlace(surroundings, body.storage_place_id)) return noSuch('storage_place_id', 'storage place')
  const lines: ReturnLine[] = []
  const asked = new Map<string, Micro>()
  for (const [index, item] of body.items.entries()) {
    const line = decideLine(surroundings, { order, at: `items[${index}]`, item, asked })
    if (isRefusal(line)) return line
    lines.push(line)
  }
  return { order, storagePlaceId, lines, refundAmount: lines.reduce((sum, { refund }) => sum + refund, 0n) }
}

const isPlace = ({ placeIds }: ReturnSurroundings, id: string | null | undefined) =>
  id === undefined || id === null || placeIds.has(id)

function decideLine(
  surroundings: ReturnSurroundings,
  task: {
    readonly order: ReturnableOrder
    readonly at: string
    readonly item: NewReturnItem
    /** What earlier entries ask of each line. */
    readonly asked: Map<string, Micro>
  },
): ReturnLine | Refusal {
  const { order, at, item, asked } = task
  const line = order.lines.get(item.sales_order_item_id)
  if (line === undefined) return noSuch(`${at}.sales_order_item_id`, 'line of this order')
  if (!isPlace(surroundings, item.storage_place_id)) return noSuch(`${at}.storage_place_id`, 'storage place')
  if (item.batch_id !== null && surroundings.batchVariants.get(item.batch_id) !== line.itemVariantId)
    return noSuch(`${at}.batch_id`, `batch of ${nameOf(line)}`)
  const quantity = parseMicro(item.quantity)
  const earlier = asked.get(line.id) ?? 0n
  const left = line.shipped - line.held - earlier
  if (quantity > left)
    return invalid(`${at}.quantity`, `at most ${formatMicro(left)} of ${nameOf(line)} are shipped and not returned`)
  asked.set(line.id, earlier + quantity)
  const unitPrice = item.unit_price === undefined ? line.price : parseMicro(item.unit_price)
  const { amount } = lineAmounts({ quantity, price: unitPrice, taxRate: 0n, currency: order.currency })
  return {
    line,
    item,
    storagePlaceId: item.storage_place_id === undefined ? line.storagePlaceId : item.storage_place_id,
    batchId: item.batch_id ?? line.lastBatchId,
    unitPrice,
    refund: amount,
  }
}

/** A line of a return that is to be received. */
export type ExpectedItem = {
  readonly id: string
  readonly itemVariantId: string
  readonly storagePlaceId: string | null
  readonly batchId: string | null
  readonly quantity: Micro
  readonly quarantine: boolean
  /** False for a service: it comes back without stock. */
  readonly holdsStock: boolean
  /** All that left for the order line, and its stock value. */
  readonly shipped: Micro
  readonly shippedValue: Cost
}

export type ReceivedItem = { readonly id: string; readonly batchId: string | null; readonly value: Cost | null }

/**
 * Brings the goods back at the cost at which the order line left, on average over all of it. A batch-tracked variant that
 * left without a batch comes into one of the return's number. Refuses `validation_failed` when the stock would outgrow what
 * can be kept.
 */
export function receiveItems(
  book: Book,
  goods: { readonly cause: Cause; readonly number: string; readonly items: readonly ExpectedItem[] },
): readonly ReceivedItem[] | Refusal {
  const received: ReceivedItem[] = []
  for (const [index, item] of goods.items.entries()) {
    if (!item.holdsStock) {
      received.push({ id: item.id, batchId: item.batchId, value: null })
      continue
    }
    const batch = batchOf(book, item, goods.number)
    const value = divideRounded(item.quantity * item.shippedValue, item.shipped)
    const { quantity, quarantine } = item
    const level = receive(book, goods.cause, { position: positionOf(book, item), batch, quantity, value, quarantine })
    if ('fault' in level) return overflow(`items[${index}].quantity`)
    received.push({ id: item.id, batchId: batch?.id ?? null, value })
  }
  return received
}

function batchOf(book: Book, item: ExpectedItem, number: string): Batch | null {
  if (item.batchId !== null) {
    const batch = book.batches.get(item.batchId)
    if (batch === undefined) throw new Error(`the batch ${item.batchId} was not asked for`)
    return batch
  }
  const variant = book.variants.get(item.itemVariantId)
  if (!variant?.batchTracked) return null
  const batch = openBatch(book, variant, { number, dates: { manufactureDate: null, expiryDate: null } })
  if ('reason' in batch) throw new Error('a batch without dates cannot contradict any')
  return batch
}
