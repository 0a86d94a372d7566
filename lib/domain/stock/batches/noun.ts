/** What a batch is. The stock ledger makes batches; commands.ts changes them. */
import * as leaf from '../../../kit/api/fields.ts'
import { changes, fewIds, fewTexts, filtersOf } from '../../../kit/api/list-filters.ts'
import { explained } from '../../../kit/api/reply-fields.ts'
import { isBeforeToday, utcDay } from '../../../kit/days.ts'
import { fieldOf, type RecordOf } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { ChangeOf } from '../../../kit/fields/bodies.ts'
import { code, day, flag, instant, key, quantity, reference } from '../../../kit/fields/kinds.ts'
import { Variant } from '../../catalogue/variant.ts'
import { stockTag } from '../tag.ts'

const DAY_MS = 86_400_000

/** The first day whose midnight UTC is at or after the time. */
const firstDayFrom = (time: string): string => utcDay(Math.ceil(Date.parse(time) / DAY_MS) * DAY_MS)

export const Batch = noun({
  name: 'batch',
  referredAs: 'the batch; null where there is none',
  table: 'batches',
  path: '/batches',
  tag: stockTag,
  events: {
    updated:
      'The number or a date of a batch changed, or it is good again because the time zone of its tenant changed.',
    expired: 'The last day of a batch ended in the time zone of its tenant.',
  },
  scopes: { read: 'read:stock', update: 'write:stock.batch.update' },
  beside: batch => `(
    select coalesce(sum(quantity), 0) as quantity, coalesce(sum(quarantine_quantity), 0) as quarantine_quantity
    from stock_levels where tenant_id = ${batch}.tenant_id and batch_id = ${batch}.id
  ) l`,
  fields: {
    id: key(),
    item_id: fieldOf('item_variant_id', Variant, 'item_id'),
    item_variant_id: reference(Variant),
    sku: fieldOf('item_variant_id', Variant, 'sku'),
    title: fieldOf('item_variant_id', Variant, 'title'),
    number: code().words('unique per variant').writable('change'),
    manufacture_date: day().words('when the batch was made').orNull().writable('change'),
    expiry_date: day().words('the last day of the batch').orNull().writable('change'),
    is_expired: flag()
      .words('whether the expiry date is over in the time zone of the tenant, when answered')
      .from(batch => isBeforeToday(`${batch}.expiry_date`, `${batch}.tenant_id`)),
    /** Whether an event has said that the batch expired, or the batch came in expired. */
    expired: flag().hidden(),
    quantity: quantity().words('physical stock at all places, quarantined or not').from('l.quantity'),
    quarantine_quantity: quantity().words('of the quantity').from('l.quarantine_quantity'),
    created_at: instant(),
    updated_at: instant().words('when its number or a date last changed; its quantities do not move it'),
  },
  filters: filtersOf({
    number: fewTexts(leaf.code()),
    item_variant_id: fewIds(),
    expires_before: {
      schema: explained(leaf.timestamp(), 'with an `expiry_date` before this'),
      ask: ({ expires_before: before }) => ({
        dates: [
          { column: 'expiry_date', from: undefined, until: before === undefined ? undefined : firstDayFrom(before) },
        ],
      }),
    },
    ...changes,
  }),
  listed:
    'Every batch that ever came in, also one that is used up; quantities over all storage places. `expires_before` is exclusive, ' +
    'and leaves out batches without an expiry date.',
  read: 'Quantities are over all storage places; `GET /stock?batch_id=` has them place by place.',
})

export type Batch = RecordOf<typeof Batch>
export type BatchChange = ChangeOf<typeof Batch>
