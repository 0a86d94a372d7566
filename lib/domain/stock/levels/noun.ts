/** What a stock entry is: the stock of a variant at a place, of one batch or without a batch. Only the stock ledger writes entries. */
import { code } from '../../../kit/api/fields.ts'
import { amongThe, fewIds, filtersOf, manyIds } from '../../../kit/api/list-filters.ts'
import { isBeforeToday } from '../../../kit/days.ts'
import { fieldOfOptional } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { Sql } from '../../../kit/documents/sql.ts'
import { cost, flag, instant, key, quantity, reference, text } from '../../../kit/fields/kinds.ts'
import { sql } from '../../../platform/postgres/postgres.ts'
import { Item, Variant } from '../../catalogue/variant.ts'
import { StoragePlace } from '../../places/noun.ts'
import { Batch } from '../batches/noun.ts'
import { stockTag } from '../tag.ts'
import { changedAfter, shownUpdatedAt } from './changed-since.ts'
import { stockValue } from './stock-value.ts'

/**
 * The balance `b` of the entry's variant and place, the variant `v` and its unit `u`. Each is looked up by key: a plain join may read all
 * rows of the tenant.
 */
const beside = (entry: Sql): Sql => `(
    select * from stock_balances
    where tenant_id = ${entry}.tenant_id and item_variant_id = ${entry}.item_variant_id and place_key = ${entry}.place_key limit 1
  ) b
  cross join lateral (select item_id, sku, title from item_variants where tenant_id = ${entry}.tenant_id and id = ${entry}.item_variant_id limit 1) v
  cross join lateral (select unit_id from items where tenant_id = ${entry}.tenant_id and id = v.item_id limit 1) i
  cross join lateral (select name from units where tenant_id = ${entry}.tenant_id and id = i.unit_id limit 1) u`

const isExpired = (entry: Sql): Sql => isBeforeToday(`${entry}.expires_on`, `${entry}.tenant_id`)
const expiredOf = (entry: Sql): Sql =>
  `case when ${isExpired(entry)} then ${entry}.quantity - ${entry}.quarantine_quantity else 0 end`

export const StockEntry = noun({
  name: 'stock entry',
  table: 'stock_levels',
  path: '/stock',
  tag: stockTag,
  scopes: { read: 'read:stock' },
  beside,
  fields: {
    id: key(),
    item_id: reference(Item).from('v.item_id'),
    item_variant_id: reference(Variant),
    sku: text().orNull().from('v.sku'),
    title: text().words('of the product and the variant').from('v.title'),
    storage_place_id: reference(StoragePlace).orNull(),
    batch_id: reference(Batch).orNull(),
    batch_number: fieldOfOptional('batch_id', Batch, 'number'),
    manufacture_date: fieldOfOptional('batch_id', Batch, 'manufacture_date'),
    expiry_date: fieldOfOptional('batch_id', Batch, 'expiry_date'),
    is_expired: flag()
      .words('whether the expiry date of the batch is over in the time zone of the tenant, when answered')
      .from(isExpired),
    unit_name: text().from('u.name'),
    quantity: quantity().words('physical stock, quarantined or not'),
    quarantine_quantity: quantity().words('of the quantity'),
    expired_quantity: quantity().words('of the quantity: expired and not quarantined').from(expiredOf),
    reserved_quantity: quantity().words('on the row without a batch, for all batches'),
    expected_quantity: quantity().words('on the row without a batch, for all batches'),
    available_quantity: quantity()
      .words('quantity - quarantine - expired - reserved of this row; may be negative')
      .from(
        entry => `${entry}.quantity - ${entry}.quarantine_quantity - ${expiredOf(entry)} - ${entry}.reserved_quantity`,
      ),
    average_cost: cost()
      .words('of the variant at the place, over all its batches; null without stock')
      .orNull()
      .from('cost_ratio(b.value, b.quantity)'),
    stock_value: cost().words("this row's share of the stock value of the variant at the place").from(stockValue),
    updated_at: instant()
      .words("when this row's quantities, average cost or share of the value last changed")
      .from(shownUpdatedAt),
  },
  /** The filters that find the fewest rows come first. */
  filters: filtersOf({
    batch_id: fewIds(),
    item_variant_id: fewIds(),
    // Archived variants count too: their stock stays listed.
    sku: amongThe(
      code(),
      (sku, { tenantId }) => sql.fragment`
      select l.id
      from (select id from item_variants where tenant_id = ${tenantId}::bigint and sku = ${sku} offset 0) v
      cross join lateral (
        select id from stock_levels where tenant_id = ${tenantId}::bigint and item_variant_id = v.id offset 0
      ) l`,
    ),
    batch_number: amongThe(
      code(),
      (number, { tenantId }) => sql.fragment`
      select l.id
      from (select id from batches where tenant_id = ${tenantId}::bigint and number = ${number} offset 0) t
      cross join lateral (
        select id from stock_levels where tenant_id = ${tenantId}::bigint and batch_id = t.id offset 0
      ) l`,
    ),
    storage_place_id: manyIds(),
    updated_after: changedAfter,
  }),
  listed:
    'One entry per variant, storage place (or none) and batch (or none), ascending by id. An entry stays listed once it exists, ' +
    'so that `updated_after` (inclusive) shows it falling to 0. Batches of a variant at a place share its moving average ' +
    "cost and its value, so an entry's `updated_at` moves also when another batch changes what it shows: of an entry with stock " +
    'with every movement of the variant at the place, of an emptied one with the average. The `stock_value` of all entries of ' +
    'a variant at a place add up to its value exactly.',
})
