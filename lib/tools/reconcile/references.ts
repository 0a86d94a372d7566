/**
 * Proves that what records refer to is there. Tables that grow with the business have no foreign keys in the database
 * (docs/decisions/0006); the nouns say what they would be, and the tests' databases have them.
 */
import type { Reference } from '../../kit/documents/references.ts'
import { references as ofNouns } from '../../nouns.ts'
import { fixedFragment, sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

/** Of tables that no noun shows: the ledger's own. */
const ofTheLedger: readonly Reference[] = [
  { table: 'past_stock_balances', columns: 'item_variant_id', of: 'item_variants', key: 'id' },
  { table: 'past_stock_balances', columns: 'movement_id', of: 'stock_movements', key: 'id' },
  { table: 'past_stock_balances_progress', columns: 'movement_id', of: 'stock_movements', key: 'id' },
  { table: 'stock_balances', columns: 'item_variant_id', of: 'item_variants', key: 'id' },
  { table: 'stock_balances', columns: 'storage_place_id', of: 'storage_places', key: 'id' },
  { table: 'stock_movements', columns: 'stock_level_id', of: 'stock_levels', key: 'id' },
]

export const references: readonly Reference[] = [...ofNouns, ...ofTheLedger]

const missing = ({ table, columns, of, key }: Reference): string => `
  select tenant_id, format('${table}: ${columns} %s', concat_ws(', ', ${columns})) as subject, 1 as expected, 0 as found
  from (select distinct tenant_id, ${columns} from ${table}) r
  where num_nulls(${columns}) = 0
    and not exists (select from ${of} o where (o.tenant_id, o.${key.replace(', ', ', o.')}) = (r.tenant_id, r.${columns.replace(', ', ', r.')}))`

export const referenceChecks: readonly Check[] = [
  {
    name: 'what records refer to is there',
    faultRows: sql.fragment`${fixedFragment(references.map(missing).join(' union all '))}`,
  },
]
