/**
 * Decides on new and changed lines of purchase orders: their defaults, batches and amounts. Pure: no I/O and no clock
 * (docs/rules/purchasing.md).
 */
import { invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { merged } from '../../../kit/documents/merging.ts'
import { formatMicro } from '../../../platform/decimal.ts'
import { lineAmounts } from '../../accounting/amounts-rules.ts'
import { dateFault } from '../../stock/batch-rules.ts'
import { nameOf } from '../../stock/line-rules.ts'
import { holdsStock, orderedVariant, variantFields } from '../../stock/order-line.ts'
import { batchByNumber, type Stock } from '../../stock/stock.ts'
import type { SupplierItem } from '../supplier-items/noun.ts'
import { exactOf, pricedGoods } from '../unit-rules.ts'
import { type Line, type NewOrderItem, type OrderItemChange, PurchaseOrderItem } from './noun.ts'
import { changedUnits, newUnits } from './unit-rules.ts'

/** The data that lines depend on: the stock with their variants, and the supplier's item of each variant. */
export type LineFacts = { readonly stock: Stock; readonly itemOf: (itemVariantId: string) => SupplierItem | null }

/**
 * A new line with its defaults. Takes a new id. `at` is the line's place in the body: `items[3]`. Refuses `validation_failed` for absent,
 * archived and non-purchasable variants, batches of untracked variants, and other dates than an existing batch has, and as `newUnits` does.
 */
export function newLine(
  { stock, itemOf }: LineFacts,
  { at, item, currency }: { readonly at: string; readonly item: NewOrderItem; readonly currency: string },
): Line | Refusal {
  const variant = orderedVariant(stock, 'purchasable', { at, itemVariantId: item.item_variant_id })
  if (isRefusal(variant)) return variant
  const misplaced = refuseBatch(stock, { at, itemVariantId: variant.id, named: item, before: noBatch })
  if (misplaced !== null) return misplaced
  const supplied = itemOf(variant.id)
  const units = newUnits({ at, item, variant, supplied, currency })
  if (isRefusal(units)) return units
  const { discount_percent, tax_rate } = item
  return {
    ...variantFields(variant),
    ...units,
    supplier_sku: supplied?.supplier_sku ?? null,
    discount_percent,
    tax_rate,
    ...amountsOf({ ...units, discount_percent, tax_rate, currency }),
    id: stock.takeId(),
    batch_number: item.batch_number,
    expiry_date: item.expiry_date,
    expected_date: item.expected_date,
    is_open: true,
    was_received: false,
    received_quantity: 0n,
    received_rest: 0n,
  }
}

function amountsOf(
  line: Pick<
    Line,
    'quantity' | 'purchase_quantity' | 'price' | 'conversion_rate' | 'purchase_price' | 'discount_percent' | 'tax_rate'
  > & { readonly currency: string },
): Pick<Line, 'line_amount' | 'line_tax_amount'> {
  const { discount_percent: discount, tax_rate: taxRate, currency } = line
  const { amount, taxAmount } = lineAmounts({ ...pricedGoods(line, exactOf(line)), discount, taxRate, currency })
  return { line_amount: amount, line_tax_amount: taxAmount }
}

/**
 * A line after its change, or the same line if nothing changes. What was received stays as it was posted. Refuses `validation_failed` for a
 * quantity below the received one, a new batch of an untracked variant, and other dates than an existing batch has, and as `changedUnits`
 * does.
 */
export function changedLine(
  stock: Stock,
  task: { readonly at: string; readonly line: Line; readonly change: OrderItemChange; readonly currency: string },
): Line | Refusal {
  const { at, line, change, currency } = task
  const named = merged(PurchaseOrderItem, line, change)
  const units = changedUnits(named, { at, change })
  if (isRefusal(units)) return units
  if (named === line) return line
  const next = { ...named, ...units }
  if (next.quantity < line.received_quantity) {
    const field = line.purchase_quantity === null ? 'quantity' : 'purchase_quantity'
    const received = `${formatMicro(line.received_quantity)}${field === 'quantity' ? '' : ' in stock units'}`
    return invalid(`${at}.${field}`, `must be ${received} or more: so much is received`)
  }
  const misplaced = refuseBatch(stock, { at, itemVariantId: line.item_variant_id, named: next, before: line })
  return misplaced ?? { ...next, ...amountsOf({ ...next, currency }) }
}

type OfBatch = Pick<Line, 'batch_number' | 'expiry_date'>
const noBatch: OfBatch = { batch_number: null, expiry_date: null }

/**
 * An existing batch keeps its dates. A conflict is refused here, before the goods arrive. A batch that the line has already may stay: its
 * item may have been batch-tracked before.
 */
function refuseBatch(
  stock: Stock,
  task: { readonly at: string; readonly itemVariantId: string; readonly named: OfBatch; readonly before: OfBatch },
): Refusal | null {
  const { at, itemVariantId, named, before } = task
  const { batch_number: number, expiry_date: expiryDate } = named
  const isOther = (field: keyof OfBatch) => named[field] !== null && named[field] !== before[field]
  if (!isOther('batch_number') && !isOther('expiry_date')) return null
  const variant = stock.variants.get(itemVariantId)
  if (variant === undefined) throw new Error(`the variant ${itemVariantId} of an order line is gone`)
  if (!variant.batchTracked || !holdsStock(variant))
    return isOther('batch_number')
      ? invalid(`${at}.batch_number`, `${nameOf(variant)} is not batch-tracked`)
      : invalid(`${at}.expiry_date`, 'is only for a batch')
  const known = number === null ? undefined : batchByNumber(stock, variant.id, number)
  const fault = known === undefined ? null : dateFault(known, { manufactureDate: null, expiryDate })
  return fault === null ? null : invalid(`${at}.${fault.field}`, fault.reason)
}
