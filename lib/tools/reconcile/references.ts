/**
 * Checks that the records that others refer to exist. Tables that grow with the business have no foreign keys in the database
 * (docs/decisions/0006). The nouns declare the references, and the tests' databases have them as foreign keys.
 */
import type { Reference } from '../../kit/documents/references.ts'
import { references as ofNouns } from '../../nouns.ts'
import { fixedFragment, sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

/** References of tables that no noun shows: the ledger's own. */
const ofTheLedger: readonly Reference[] = [
  { table: 'book_lines', columns: 'item_variant_id', of: 'item_variants', key: 'id' },
  { table: 'book_lines', columns: 'storage_place_id', of: 'storage_places', key: 'id' },
  { table: 'past_stock_balances', columns: 'item_variant_id', of: 'item_variants', key: 'id' },
  { table: 'past_stock_balances', columns: 'movement_id', of: 'stock_movements', key: 'id' },
  { table: 'past_stock_balances_progress', columns: 'movement_id', of: 'stock_movements', key: 'id' },
  { table: 'stock_balances', columns: 'item_variant_id', of: 'item_variants', key: 'id' },
  { table: 'stock_balances', columns: 'storage_place_id', of: 'storage_places', key: 'id' },
  { table: 'stock_movements', columns: 'stock_level_id', of: 'stock_levels', key: 'id' },
]

export const references: readonly Reference[] = [...ofNouns, ...ofTheLedger]

const columnsOf = (text: string): readonly string[] => text.split(', ')

/** The values of a reference, each once, as `key_1` and on. */
const values = ({ table, columns }: Reference): string => `
  select distinct tenant_id, '${table}: ${columns}' as reference,
    ${columnsOf(columns).map((column, at) => `${column} as key_${at + 1}`)}
  from ${table}
  where num_nulls(${columns}) = 0`

/** All references by one key are looked up at once: for a small tenant planning a look-up takes longer than running it. */
function missing({ of, key }: Reference): string {
  const keyed = references.filter(each => each.of === of && each.key === key)
  const keys = columnsOf(key).map((_, at) => `key_${at + 1}`)
  return `
  select tenant_id, format('%s %s', reference, concat_ws(', ', ${keys})) as subject, 1 as expected, 0 as found
  from (${keyed.map(values).join(' union all ')}) r
  where not exists (
    select from ${of} o where (o.tenant_id, ${columnsOf(key).map(column => `o.${column}`)}) = (r.tenant_id, ${keys.map(each => `r.${each}`)})
  )`
}

const oneOfEachKey = [...new Map(references.map(each => [`${each.of} (${each.key})`, each])).values()]

export const referenceChecks: readonly Check[] = [
  {
    name: 'what records refer to is there',
    faultRows: sql.fragment`${fixedFragment(oneOfEachKey.map(missing).join(' union all '))}`,
  },
]
