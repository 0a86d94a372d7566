/** What a landed cost is: freight, duty and the like on a receipt, and the share of each line of the receipt. */

import { created, fewIds, filtersOf, uniqueCode, uniqueText } from '../../../kit/api/list-filters.ts'
import { lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { CreateOf } from '../../../kit/fields/bodies.ts'
import {
  choice,
  code,
  cost,
  currency,
  exchangeRate,
  identifier,
  instant,
  key,
  longText,
  price,
  quantity,
  reference,
  text,
} from '../../../kit/fields/kinds.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { Variant } from '../../catalogue/variant.ts'
import { StoragePlace } from '../../places/noun.ts'
import { Batch } from '../../stock/batches/noun.ts'
import { REVERSAL, reversalFields, reversalFilters } from '../../stock/reversals/fields.ts'
import { PurchaseOrder } from '../orders/noun.ts'
import { PurchaseReceipt, PurchaseReceiptItem } from '../receipts/noun.ts'

const distributions = {
  VALUE: 'by the value at which the lines came in; by quantity where all values are 0',
  QUANTITY: 'by the quantity of the lines',
} as const

const LandedCostItem = lineOf({
  table: 'landed_cost_items',
  parent: 'landed_cost_id',
  noun: 'cost',
  fields: {
    id: key(),
    title: text().writable('create'),
    amount: price({ moreThan: '0' }).words('in the currency of the landed cost').writable('create'),
    distribution: choice(distributions)
      .words('how it is spread over the lines of the receipt')
      .default('VALUE')
      .writable('create'),
  },
})

/** The share of a line of the receipt. Only lines that hold stock have one. */
const LandedCostAllocation = lineOf({
  table: 'landed_cost_allocations',
  parent: 'landed_cost_id',
  noun: 'allocation',
  fields: {
    id: reference(PurchaseReceiptItem).as('purchase_receipt_item_id'),
    receipt_id: reference(PurchaseReceipt).inColumn('purchase_receipt_id').hidden(),
    item_variant_id: reference(Variant),
    sku: text().orNull(),
    /** The batch of the stock entry that shows the movement. */
    batch_id: reference(Batch).orNull().hidden(),
    /** The part of the received quantity that was still at the place: s in docs/rules/purchasing.md. */
    stock_quantity: quantity().hidden(),
    amount: cost().words('what the line bears of all costs'),
    stock_amount: cost().words('what of it went into the value of the stock'),
    expensed_amount: cost().words('what of it did not: the goods are gone'),
  },
})

export const LandedCost = noun({
  name: 'landed cost',
  table: 'landed_costs',
  path: '/landed-costs',
  tag: ['Landed costs', 'Freight, duty and the like on receipts, and where their cost went.'],
  events: {
    created: 'A landed cost was booked.',
    updated: 'What is noted of a landed cost changed.',
    reversed: 'A landed cost was reversed.',
  },
  posts: {
    as: 'a landed cost',
    kinds: { LANDED_COST: 'freight, duty and the like of a receipt', ...REVERSAL },
    isUntraced: true,
  },
  scopes: { read: 'read:purchase', create: 'write:purchase.receipt.create', update: 'write:purchase.receipt.create' },
  fields: {
    id: key(),
    number: code().counted('LC').writable('create'),
    purchase_receipt_id: reference(PurchaseReceipt).writable('create'),
    purchase_order_id: reference(PurchaseOrder),
    // Null is a value here: goods may be in stock without a place.
    storage_place_id: reference(StoragePlace)
      .words(
        'where the goods lay; null is stock without a place',
        'where the goods lie now; by default the place of the receipt, and an explicit null is stock without a place',
      )
      .orNull()
      .decided()
      .writable('create'),
    currency: currency().decided().writable('create'),
    exchange_rate: exchangeRate()
      .words(
        "the tenant's currency per unit of the landed cost's",
        "the tenant's currency per unit of the landed cost's; required where these differ",
      )
      .decided()
      .writable('create'),
    date: instant().decided().writable('create'),
    notes: longText().orNull().writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    created_at: instant(),
    ...reversalFields,
    total_amount: cost().words("sum of the costs in the tenant's currency"),
    stock_amount: cost().words("what of it went into the value of the stock, in the tenant's currency"),
    expensed_amount: cost().words("the rest, in the tenant's currency"),
    items: lines(LandedCostItem, 'the costs, in the order sent', 'the costs').writable({ max: 50, on: 'create' }),
    allocations: lines(LandedCostAllocation, "by line of the receipt that holds stock, in the tenant's currency"),
  },
  unique: ['number', 'external_ref'],
  filters: filtersOf({
    number: uniqueCode(),
    external_ref: uniqueText(),
    purchase_receipt_id: fewIds(),
    purchase_order_id: fewIds(),
    ...created,
    ...reversalFilters,
  }),
  listed: '`created_after` is inclusive, `created_before` exclusive.',
  read: 'As it was posted. A reversed landed cost stays as it was, and says so.',
})

export type Landed = RecordOf<typeof LandedCost>
export type Allocation = RecordOf<typeof LandedCostAllocation>
export type NewLanded = CreateOf<typeof LandedCost>
export type NewCost = NewLanded['items'][number]
