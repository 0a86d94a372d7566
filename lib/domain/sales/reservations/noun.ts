/** What a reservation is: goods held for a customer who is about to order. Comments and docs call it a hold (docs/rules/holds.md). */

import { errorCode } from '../../../kit/api/errors.ts'
import * as leaf from '../../../kit/api/fields.ts'
import {
  changes,
  created,
  filtersOf,
  manyIds,
  someTexts,
  uniqueCode,
  uniqueText,
} from '../../../kit/api/list-filters.ts'
import { explained } from '../../../kit/api/reply-fields.ts'
import { lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { CreatedLineOf, CreateOf } from '../../../kit/fields/bodies.ts'
import {
  choice,
  code,
  flag,
  identifier,
  instant,
  key,
  longText,
  quantity,
  reference,
  text,
} from '../../../kit/fields/kinds.ts'
import { parts } from '../../../kit/fields/parts.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { variant } from '../../catalogue/by-sku.ts'
import { Item, Variant } from '../../catalogue/variant.ts'
import { Customer } from '../../partners/noun.ts'
import { StoragePlace } from '../../places/noun.ts'
import { SalesOrder } from '../orders/noun.ts'
import { variantFilter } from './queries.ts'

export const notHeld = errorCode(import.meta, 'reservation_not_held', {
  status: 409,
  meaning: 'The reservation has ended: it holds nothing any more.',
})

const statuses = {
  HELD: 'reserves its goods until `expires_at`',
  CONSUMED: 'a sales order took it',
  RELEASED: 'let go by a caller',
  EXPIRED: 'its time was over',
} as const

const ReservationItem = lineOf({
  table: 'reservation_items',
  parent: 'reservation_id',
  fields: {
    id: key(),
    item_id: reference(Item),
    item_variant_id: variant().writable('create'),
    sku: text().orNull(),
    title: text(),
    storage_place_id: reference(StoragePlace)
      .words('where the goods are held; null is stock without a place')
      .orNull()
      .decided()
      .writable('create'),
    quantity: quantity({ moreThan: '0' }).writable('create'),
    components: parts(
      {
        item_variant_id: reference(Variant),
        sku: text().orNull(),
        title: text(),
        quantity_per_kit: quantity().words('how many are in one kit'),
        quantity: quantity().words('how many are held'),
        /** False for a service, which is not held. */
        holds_stock: flag().hidden(),
      },
      'what the kit of the line is made of, as it was when the line was made; [] of other lines',
    ),
    /** False once the hold has ended. */
    is_open: flag().hidden(),
  },
})

export const Reservation = noun({
  name: 'reservation',
  table: 'reservations',
  path: '/reservations',
  tag: ['Reservations', 'Goods held for somebody who is about to order, until a time.'],
  events: {
    created: 'Goods are held.',
    updated: '`expires_at`, notes, `external_ref` or metadata of a reservation changed.',
    released: 'A reservation was let go.',
    expired: 'The time of a reservation was over.',
    consumed: 'A sales order took a reservation.',
  },
  scopes: { read: 'read:sales', create: 'write:sales.order.create', update: 'write:sales.order.create' },
  fields: {
    id: key(),
    number: code().counted('RV').writable('create'),
    status: choice(statuses).words('whether it still holds, or how it ended'),
    customer_id: reference(Customer).words('whom the goods are held for').orNull().writable('create'),
    sales_order_id: reference(SalesOrder).words('the sales order that took it').orNull(),
    expires_at: instant().words('when it ends by itself; later than now, at most 30 days ahead').writable(),
    notes: longText().orNull().writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    created_at: instant(),
    updated_at: instant(),
    items: lines(ReservationItem, 'in the order sent').writable({ max: 100, on: 'create' }),
  },
  unique: ['number', 'external_ref'],
  filters: filtersOf({
    number: uniqueCode(),
    external_ref: uniqueText(),
    ...variantFilter,
    customer_id: manyIds(),
    status: someTexts(statuses),
    expires_before: {
      schema: explained(leaf.timestamp(), 'with an `expires_at` before this'),
      ask: ({ expires_before: until }) => ({ dates: [{ column: 'expires_at', from: undefined, until }] }),
    },
    ...created,
    ...changes,
  }),
  listed:
    '`item_variant_id` finds the reservations with such a line. `expires_before` is exclusive and finds ended ones too. ' +
    '`created_after` is inclusive, `created_before` exclusive.',
})

export type Hold = RecordOf<typeof Reservation>
export type HoldLine = RecordOf<typeof ReservationItem>
export type NewHold = CreateOf<typeof Reservation>
export type NewHoldItem = CreatedLineOf<typeof ReservationItem>
