/** What of a sales order can go back: shipped pieces, and the part of lines and charges that is not refunded. */
import { type Decimal, isPositive, isZero, minus, sum, typed, typedHint } from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import type { QuantityLine } from '../../patterns/quantity-fields.tsx'
import type { SalesOrder as Order, SalesReturn, SalesShipment } from '../../records.ts'
import { notCancelled } from './of-order.tsx'
import { type ReturnedKit, returnedKit } from './returned-kit.ts'

type Piece = Pick<
  SalesReturn['items'][number] | SalesShipment['items'][number],
  'sales_order_item_id' | 'batch_id' | 'quantity'
>
/** What was shipped and came back of the order, and the numbers of the batches. */
type Past = {
  readonly returns: readonly SalesReturn[]
  readonly shipments: readonly SalesShipment[]
  readonly batches: ReadonlyMap<string, string>
}

export type ReturnLine = QuantityLine & {
  readonly line: string
  readonly batch_id: string | null
  /** The pieces are refunded and do not come back. */
  readonly stays: boolean
  readonly kit?: ReturnedKit | undefined
}

/** A line or charge whose money is refunded without goods, in the price mode of the order. */
export type MoneyLine = {
  readonly id: string
  readonly of: 'items' | 'charges'
  readonly title: string
  /** Below 0 for a voucher. */
  readonly left: Decimal
  readonly amount: string
}

/**
 * Lines with more shipped pieces than other returns have, a row for each batch that left, the last one first. The person says how many come
 * back. Pieces that left from one batch only, or partly without a batch, are one row: the service knows their batch.
 */
export function returnable(order: Order, { returns, shipments, batches }: Past): ReturnLine[] {
  const held = notCancelled(returns).flatMap(({ items }) => items)
  const gone = shipments.filter(({ reversed_at }) => reversed_at === null).flatMap(({ items }) => items)
  const rows = order.items.flatMap(item => {
    const { id, item_variant_id, title } = item
    const of = <Piece extends { readonly sales_order_item_id: string }>(lines: readonly Piece[]) =>
      lines.filter(({ sales_order_item_id }) => sales_order_item_id === id)
    const quantityOf = (lines: readonly Piece[]) => sum(lines.map(({ quantity }) => quantity))
    const batchIds = of(gone).map(({ batch_id }) => batch_id)
    const ids = [...new Set(batchIds.toReversed())]
    const kit = returnedKit(item, { left: of(gone), held: of(held) })
    const whole = { item_variant_id, title, line: id, stays: false, kit }
    if (ids.length < 2 || ids.includes(null))
      return [{ ...whole, id, batch_id: null, left: minus(item.shipped_quantity, quantityOf(of(held))) }]
    return ids.map(batch_id => {
      const inBatch = (lines: readonly Piece[]) => quantityOf(of(lines).filter(piece => piece.batch_id === batch_id))
      const left = minus(inBatch(gone), inBatch(held))
      const title = `${item.title}, batch ${batches.get(batch_id ?? '') ?? batch_id}`
      return { ...whole, id: `${id} ${batch_id}`, title, batch_id, left }
    })
  })
  return rows.filter(row => isPositive(row.left)).map(row => ({ ...row, quantity: '' }))
}

/** What is left of lines and charges after other refunds. */
export function refundable(order: Order, returns: readonly SalesReturn[]): MoneyLine[] {
  const { prices_include_tax: isWith } = order
  const held = notCancelled(returns)
  const lines = order.items.map(({ id, title, ...line }): MoneyLine => {
    const of = held.flatMap(({ items }) => items).filter(item => item.sales_order_item_id === id)
    const refunded = of.map(item => (isWith ? item.refund_amount_with_tax : item.refund_amount))
    const left = minus(isWith ? line.line_amount_with_tax : line.line_amount, sum(refunded))
    return { id, of: 'items', title, left, amount: '' }
  })
  const charges = order.charges.map(({ id, title, ...charge }): MoneyLine => {
    const of = held.flatMap(one => one.charges).filter(one => one.sales_order_charge_id === id)
    const refunded = of.map(one => (isWith ? one.amount_with_tax : one.amount))
    const left = minus(isWith ? charge.amount_with_tax : charge.amount, sum(refunded))
    return { id, of: 'charges', title, left, amount: '' }
  })
  return [...lines, ...charges].filter(({ left }) => !isZero(left))
}

/** An empty field means nothing. The amounts of a voucher are below 0. */
export function moneyRule(input: string, { money }: { readonly money: readonly MoneyLine[] }, path: string) {
  const line = money[Number(path.split('.')[1])]
  const amount = typed(input)
  if (input.trim() === '' || line === undefined) return null
  if (amount === null) return typedHint
  const [most, given] = isPositive(line.left) ? [line.left, amount] : [minus('0', line.left), minus('0', amount)]
  if (isPositive(minus(given, most))) return `at most ${quantityText(line.left)}`
  if (isPositive(given)) return null
  return isPositive(line.left) ? 'must be greater than 0' : 'must be below 0: it is a voucher'
}
