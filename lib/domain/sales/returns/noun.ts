/** What a sales return is, and its lines. */

import { errorCode } from '../../../kit/api/errors.ts'
import {
  changes,
  created,
  fewIds,
  fewTexts,
  filtersOf,
  manyIds,
  someTexts,
  uniqueCode,
  uniqueText,
} from '../../../kit/api/list-filters.ts'
import { fieldOf, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { CreatedLineOf, CreateOf } from '../../../kit/fields/bodies.ts'
import {
  choice,
  code,
  cost,
  flag,
  identifier,
  instant,
  key,
  longText,
  money,
  price,
  quantity,
  reference,
  signedPrice,
  sumOf,
  text,
  whole,
} from '../../../kit/fields/kinds.ts'
import { parts, sentParts } from '../../../kit/fields/parts.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { taxes } from '../../../kit/fields/taxes.ts'
import { MICRO_PLACES } from '../../../platform/decimal.ts'
import { Variant } from '../../catalogue/variant.ts'
import { Customer } from '../../partners/noun.ts'
import { searchPartnersOrders } from '../../partners/order-search.ts'
import { StoragePlace } from '../../places/noun.ts'
import { Batch } from '../../stock/batches/noun.ts'
import { movedParts } from '../moved-parts.ts'
import { SalesOrder } from '../orders/noun.ts'

export const notEditable = errorCode(import.meta, 'sales_return_not_editable', {
  status: 409,
  meaning: 'The sales return does not allow this move.',
})

const returnStatuses = {
  NOT_RETURNED: 'announced',
  RETURNED: 'the goods are back in stock',
  CANCELLED: 'called off',
} as const

const SalesReturnItem = lineOf({
  table: 'sales_return_items',
  parent: 'sales_return_id',
  fields: {
    id: key(),
    // A reference without a foreign key: an order may remove a line or charge that only cancelled returns name.
    sales_order_item_id: reference().words('the line of the sales order').writable('create'),
    item_variant_id: reference(Variant).shownOrNull(),
    batch_id: reference(Batch)
      .words(
        'the batch',
        'the batch; unless given those that left for the order line, the last one first, each at most what left of it',
      )
      .orNull()
      .writable('create'),
    storage_place_id: reference(StoragePlace)
      .words('where the goods come back to; null is stock without a place')
      .orNull()
      .decided()
      .writable('create'),
    sku: text().orNull(),
    title: text(),
    reason: text().orNull().writable('create'),
    reason_note: text().words('more about the reason').orNull().writable('create'),
    reason_id: whole().words('a number of your own for the reason').orNull().writable('create'),
    quantity: quantity({ min: '0' })
      .words('how many pieces', 'how many pieces; 0 refunds `amount` for goods that stay or were never shipped')
      .writable('create'),
    unit_price: price()
      .words(
        "what is refunded per unit, in the price mode of the order; unless given the order line's price less its discounts, rounded to 6 decimals",
      )
      .decided()
      .writable('create'),
    /** Only bodies have this field. The refund that follows from it is stored. */
    amount: price({ moreThan: '0' })
      .words('what is refunded with quantity 0, in the price mode of the order')
      .orNull()
      .hidden()
      .from('null::numeric')
      .writable('create'),
    refund_amount: money().words("what the line refunds without tax, in the minor unit of the order's currency"),
    refund_tax_amount: money().words('the tax on it'),
    refund_amount_with_tax: sumOf(['refund_amount', 'refund_tax_amount']),
    taxes: taxes().words('refund_tax_amount by the taxes of the order line; [] where that has a rate alone'),
    restock: flag().words('false: the pieces are paid back and do not come back').default(true).writable('create'),
    quarantine: flag().default(false).writable('create'),
    components: sentParts(
      parts(
        movedParts,
        "what comes back of a kit's components, an entry for each component and batch; [] of other lines",
      ),
      { item_variant_id: reference(Variant).writable('create'), quantity: quantity({ min: '0' }).writable('create') },
      { max: 50, words: "of a kit's line: components of which less came back than the kits have, each once" },
    ),
    order_id: reference(SalesOrder).inColumn('sales_order_id').hidden(),
    /** The stock value that came back; null before that, and for a service. */
    value: cost().orNull().hidden(),
    /** The refund of the line if it had no price of its own. */
    usual_amount: money().hidden(),
    usual_tax_amount: money().hidden(),
  },
})

/** The refund of a charge. Its amounts have the decimals of a price, because bodies may send that many. */
const SalesReturnCharge = lineOf({
  table: 'sales_return_charges',
  parent: 'sales_return_id',
  noun: 'charge',
  fields: {
    id: key(),
    sales_order_charge_id: reference().words('the charge of the sales order').writable('create'),
    title: text().words('what it is for, such as shipping'),
    amount: signedPrice()
      .words(
        'what is refunded without tax; below 0 for a voucher',
        'what is refunded, in the price mode of the order; all that is left unless given',
      )
      .decided()
      .writable('create'),
    tax_amount: signedPrice().words('the tax on it'),
    amount_with_tax: sumOf(['amount', 'tax_amount'], MICRO_PLACES),
    taxes: taxes().words('tax_amount by the taxes of the charge; [] where that has a rate alone'),
  },
})

export const SalesReturn = noun({
  name: 'sales return',
  table: 'sales_returns',
  path: '/sales-returns',
  tag: ['Sales returns', 'What goes back to customers: goods, money, or both.'],
  events: {
    created: 'A sales return was announced.',
    updated: 'What is noted of a sales return changed.',
    returned: 'Returned goods came back into stock.',
    cancelled: 'A sales return was cancelled.',
  },
  posts: { as: 'a sales return', kinds: { SALES_RETURN: 'goods back from a customer' } },
  scopes: { read: 'read:sales', create: 'write:sales.return.create', update: 'write:sales.return.create' },
  envelope: 'sales_return',
  fields: {
    id: key(),
    number: code().counted('SR').writable('create'),
    status: choice(returnStatuses).words('where the return stands'),
    source_type: choice({ SALES_ORDER: 'goods of a sales order' }),
    sales_order_id: reference(SalesOrder).writable('create'),
    sales_order_number: fieldOf('sales_order_id', SalesOrder, 'number'),
    /** The order's customer when the return was made. */
    customer_id: reference(Customer),
    storage_place_id: reference(StoragePlace)
      .words(
        'the place; null is stock without a place',
        'where the goods come back to; shown as the main place when not given',
      )
      .orNull()
      .decided()
      .writable('create'),
    external_return_ref: identifier()
      .words('reference in an external system; need not be unique')
      .orNull()
      .writable('create'),
    external_ref: identifier().orNull().writable(),
    tracking_info: text().words('how to follow the parcel').orNull().writable('create'),
    notes: longText().orNull().writable(),
    ...recordFields,
    cancellation_reason: text().words('why it was cancelled').orNull(),
    created_date: instant().inColumn('created_at'),
    updated_at: instant(),
    return_date: instant().words('when the goods were received').orNull(),
    refund_amount: money().words(
      'sum of what lines and charges refund without tax, as is refund_tax_amount of their taxes',
    ),
    refund_tax_amount: money().words('sum of the taxes on what lines and charges refund'),
    refund_amount_with_tax: sumOf(['refund_amount', 'refund_tax_amount']),
    items: lines(
      SalesReturnItem,
      'in the order sent, one for each batch into which goods come back',
      'what comes back; may be empty where charges are given',
    ).writable({ min: 0, max: 500, on: 'create' }),
    charges: lines(
      SalesReturnCharge,
      'in the order sent',
      'which charges of the order are refunded, each once',
    ).writable({
      min: 0,
      max: 50,
      on: 'create',
      absent: 'filled',
    }),
  },
  unique: ['number', 'external_ref'],
  filters: filtersOf({
    number: uniqueCode(),
    external_ref: uniqueText(),
    sales_order_id: fewIds(),
    external_return_ref: fewTexts(),
    customer_id: manyIds(),
    status: someTexts(returnStatuses),
    ...created,
    q: searchPartnersOrders('sales_returns', 'customers', 'customer_id'),
    ...changes,
  }),
  listed:
    'Every record has the shape of the single read. `q` looks in number, `external_ref` and the title of the customer. `created_after` (inclusive) and `created_before` (exclusive) compare with ' +
    '`created_date`.',
})

export type Return = RecordOf<typeof SalesReturn>
export type ReturnLine = RecordOf<typeof SalesReturnItem>
export type ReturnCharge = RecordOf<typeof SalesReturnCharge>
export type ReturnStatus = Return['status']

export type NewReturn = CreateOf<typeof SalesReturn>
export type NewReturnItem = CreatedLineOf<typeof SalesReturnItem>
export type NewReturnCharge = CreatedLineOf<typeof SalesReturnCharge>
