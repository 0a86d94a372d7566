/** What a stock movement is. Only the stock ledger writes movements. */
import { created, fewIds, filtersOf, manyIds, oneText } from '../../../kit/api/list-filters.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { Booked } from '../../../kit/documents/postings.ts'
import type { Sql } from '../../../kit/documents/sql.ts'
import { choice, cost, instant, key, quantity, reference, text } from '../../../kit/fields/kinds.ts'
import { Variant } from '../../catalogue/variant.ts'
import { StoragePlace } from '../../places/noun.ts'
import { Batch } from '../batches/noun.ts'
import { sourceOf } from '../books/lines.ts'
import { stockTag } from '../tag.ts'

/** The variant of a movement, and its document. */
const beside = (movement: Sql): Sql => `(
    select sku, title from item_variants where tenant_id = ${movement}.tenant_id and id = ${movement}.item_variant_id limit 1
  ) v
  cross join lateral (select max(number) as number, max(reason) as reason from ${sourceOf(movement)} one) source`

/** @param booked the kinds and sources that nouns declare */
export const movementOf = ({ kinds, sources }: Booked) =>
  noun({
    name: 'stock movement',
    table: 'stock_movements',
    path: '/stock-movements',
    tag: stockTag,
    scopes: { read: 'read:stock' },
    beside,
    fields: {
      id: key(),
      item_variant_id: reference(Variant),
      sku: text().orNull().from('v.sku'),
      title: text().from('v.title'),
      storage_place_id: reference(StoragePlace).orNull(),
      batch_id: reference(Batch).orNull(),
      kind: choice(kinds).words('what moved it'),
      quantity: quantity().words('signed; 0 where only the value changed'),
      value: cost().words("signed, in the tenant's currency"),
      quantity_after: quantity().words('of the stock entry'),
      source_type: choice(sources),
      source_id: key(),
      source_number: text().words('the number of the document').orNull().from('source.number'),
      reason: text().words('of a stock adjustment').orNull().from('source.reason'),
      document_date: instant().words('the date of the document'),
      created_at: instant(),
    },
    /** The filters that find the fewest rows come first. */
    filters: filtersOf({
      source_id: fewIds(),
      batch_id: fewIds(),
      item_variant_id: fewIds(),
      storage_place_id: manyIds(),
      source_type: oneText(sources),
      ...created,
    }),
    listed:
      'Every change of a stock entry, append-only, in posting order (ascending by id), whatever the date of its document. The ' +
      'movements of an entry add up to its quantity, those of a variant at a place to its value. A move into or out of ' +
      'quarantine within a place is a TRANSFER_OUT and a TRANSFER_IN of the same entry. `created_after` is inclusive, ' +
      '`created_before` exclusive.',
  })
