/**
 * The SQL of which recipe counts: a variant's newest, else its item's newest (contract 2, "Manufacturing order"). The newest
 * has the highest id. It must not read a recipe's lines.
 */
import { type Fragment, sql } from '../../store/postgres.ts'

/** A scalar: the id of the recipe that counts for the variant `variant` of the item `item`, or null. */
export const newestRecipe = (of: {
  readonly tenantId: string
  readonly variant: Fragment
  readonly item: Fragment
}): Fragment => sql.fragment`coalesce(
  (select max(id) from recipes where tenant_id = ${of.tenantId}::bigint and item_variant_id = ${of.variant}),
  (select max(id) from recipes where tenant_id = ${of.tenantId}::bigint and item_id = ${of.item} and item_variant_id is null)
)`

/** As `newestRecipe` would answer once the item had a new recipe: a relation of the ids of the variants that take it. */
export const variantsWithoutOwnRecipe = (tenantId: string, item: Fragment): Fragment => sql.fragment`
  select v.id from item_variants v
  where v.tenant_id = ${tenantId}::bigint and v.item_id = ${item} and not exists (
    select from recipes r where r.tenant_id = v.tenant_id and r.item_variant_id = v.id
  )`
