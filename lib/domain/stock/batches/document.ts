/** What a batch shows. */
import { lookUpText } from '../../../kit/api/look-up.ts'
import { shows, view } from '../../../kit/documents/view.ts'
import { day, instant, key, quantity, text } from '../../../kit/fields/kinds.ts'

/** Of the batch `b`. */
export const Batch = view(
  'Batch',
  {
    id: shows(key(), 'b.id'),
    item_id: shows(key(), 'v.item_id'),
    item_variant_id: shows(key(), 'b.item_variant_id'),
    sku: shows(text().orNull(), 'v.sku'),
    title: shows(text(), 'v.title'),
    number: shows(text(), 'b.number'),
    manufacture_date: shows(day().orNull(), 'b.manufacture_date'),
    expiry_date: shows(day().orNull(), 'b.expiry_date'),
    quantity: shows(quantity().words('physical stock at all places, quarantined or not'), 'l.quantity'),
    quarantine_quantity: shows(quantity().words('of the quantity'), 'l.quarantine_quantity'),
    created_at: shows(instant(), 'b.created_at'),
  },
  `(
    select coalesce(sum(quantity), 0) as quantity, coalesce(sum(quarantine_quantity), 0) as quarantine_quantity
    from stock_levels where tenant_id = b.tenant_id and batch_id = b.id
  ) l
  cross join lateral (
    select item_id, sku, title from item_variants where tenant_id = b.tenant_id and id = b.item_variant_id limit 1
  ) v`,
)

/** Finds batches by their ids. */
export const batchText = lookUpText(
  `select ${Batch.json.sql} from batches b where b.tenant_id = q.tenant_id and b.id = q.id`,
)
