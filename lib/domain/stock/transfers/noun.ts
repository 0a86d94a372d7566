/** What a stock transfer is. Its texts stay as they were, whatever is renamed later. */

import { created, filtersOf, manyIds, uniqueCode, uniqueText } from '../../../kit/api/list-filters.ts'
import { lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { CreatedLineOf, CreateOf } from '../../../kit/fields/bodies.ts'
import {
  code,
  cost,
  flag,
  identifier,
  instant,
  key,
  longText,
  quantity,
  reference,
  text,
} from '../../../kit/fields/kinds.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { variant } from '../../catalogue/by-sku.ts'
import { StoragePlace } from '../../places/noun.ts'
import { Batch } from '../batches/noun.ts'
import { REVERSAL, reversalFields, reversalFilters } from '../reversals/fields.ts'

/** One stock entry from which the transfer takes. */
const StockTransferItem = lineOf({
  table: 'stock_transfer_items',
  parent: 'stock_transfer_id',
  fields: {
    id: key(),
    item_variant_id: variant().writable('create'),
    sku: text().orNull(),
    title: text(),
    batch_id: reference(Batch).orNull().writable('create'),
    batch_number: text().orNull(),
    quantity: quantity({ moreThan: '0' }).writable('create'),
    value: cost().words('the stock value that moved with the quantity'),
    from_quarantine: flag().words('whether it is taken out of quarantine').default(false).writable('create').hidden(),
    to_quarantine: flag().words('whether it goes into quarantine').default(false).writable('create').hidden(),
  },
})

export const StockTransfer = noun({
  name: 'stock transfer',
  table: 'stock_transfers',
  path: '/stock-transfers',
  tag: ['Stock transfers', 'Moves of stock between places, and into and out of quarantine.'],
  events: {
    created: 'Stock was transferred.',
    updated: 'What is noted of a stock transfer changed.',
    reversed: 'A stock transfer was reversed.',
  },
  posts: {
    as: 'a stock transfer',
    kinds: {
      TRANSFER_OUT: 'to another place, or into or out of quarantine',
      TRANSFER_IN: 'from another place, or into or out of quarantine',
      ...REVERSAL,
    },
    isUntraced: true,
  },
  scopes: { read: 'read:stock', create: 'write:inventory.transfer.create', update: 'write:inventory.transfer.create' },
  fields: {
    id: key(),
    number: code().counted('ST').writable('create'),
    // Null means stock without a place, so a body without the field is refused.
    from_storage_place_id: reference(StoragePlace)
      .words('where the stock is taken from; null is stock without a place')
      .orNull()
      .required()
      .writable('create'),
    to_storage_place_id: reference(StoragePlace)
      .words('where the stock goes; null is stock without a place')
      .orNull()
      .required()
      .writable('create'),
    date: instant().decided().writable('create'),
    notes: longText().orNull().writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    created_at: instant(),
    ...reversalFields,
    items: lines(StockTransferItem, 'one per stock row taken from, in the order sent').writable({
      max: 500,
      on: 'create',
    }),
  },
  unique: ['number', 'external_ref'],
  filters: filtersOf({
    number: uniqueCode(),
    external_ref: uniqueText(),
    from_storage_place_id: manyIds(),
    to_storage_place_id: manyIds(),
    ...created,
    ...reversalFilters,
  }),
  listed: '`created_after` is inclusive, `created_before` exclusive.',
  read: 'As it was posted: a later change of a sku or title does not show. A reversed transfer stays as it was, and says so.',
})

export type TransferLine = RecordOf<typeof StockTransferItem>

export type NewTransfer = CreateOf<typeof StockTransfer>
export type NewTransferItem = CreatedLineOf<typeof StockTransferItem>
