/** What a supplier item is: a variant as a supplier sells it (docs/rules/purchasing.md, "Supplier items"). */
import { changes, created, fewTexts, filtersOf, flagged, manyIds, uniqueText } from '../../../kit/api/list-filters.ts'
import type { RecordOf } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import {
  conversionRate,
  currency,
  flag,
  identifier,
  instant,
  key,
  longText,
  price,
  quantity,
  reference,
  text,
  whole,
} from '../../../kit/fields/kinds.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { variant } from '../../catalogue/by-sku.ts'
import { LEAD_TIME_DAYS_MAX } from '../../catalogue/noun.ts'
import { Supplier } from '../../partners/noun.ts'

export const SupplierItem = noun({
  name: 'supplier item',
  table: 'supplier_items',
  path: '/supplier-items',
  tag: ['Supplier items', 'What suppliers sell: in which units, at which price, and how fast.'],
  events: {
    created: 'A supplier item was created.',
    updated: 'A supplier item was changed, or is preferred no more.',
  },
  scopes: {
    read: 'read:purchase',
    create: 'write:purchase.supplier.update',
    update: 'write:purchase.supplier.update',
  },
  fields: {
    id: key(),
    supplier_id: reference(Supplier).writable('create'),
    item_variant_id: variant().writable('create'),
    supplier_sku: identifier().words('what the supplier calls the variant').orNull().writable(),
    purchase_unit_name: text().words('the unit in which the supplier sells (`box of 12`)').orNull().writable(),
    conversion_rate: conversionRate().words('how many stock units are in one purchase unit').default(1).writable(),
    price: price()
      .words('of one purchase unit, without tax; null: the purchase price of the variant counts')
      .orNull()
      .writable(),
    currency: currency()
      .words('of the price, which counts in orders of this currency alone; null: in orders of any currency')
      .orNull()
      .writable(),
    minimum_quantity: quantity({ moreThan: '0' })
      .words('the least that the supplier sells at once, in purchase units')
      .orNull()
      .writable(),
    multiple_of: quantity({ moreThan: '0' })
      .words('the supplier sells multiples of this, in purchase units')
      .orNull()
      .writable(),
    lead_time_days: whole(0, LEAD_TIME_DAYS_MAX).words('days from order to delivery').orNull().writable(),
    is_preferred: flag()
      .words('whether the variant is bought so; true ends it for the other item of the variant that was preferred')
      .default(false)
      .writable(),
    notes: longText().orNull().writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    archived: flag().writable('change'),
    created_at: instant(),
    updated_at: instant(),
  },
  unique: ['external_ref'],
  filters: filtersOf({
    external_ref: uniqueText(),
    supplier_sku: fewTexts(),
    item_variant_id: manyIds(),
    supplier_id: manyIds(),
    archived: flagged(),
    ...created,
    ...changes,
  }),
  listed: 'Ascending by id. Archived ones are listed unless filtered.',
})

export type SupplierItem = RecordOf<typeof SupplierItem>
