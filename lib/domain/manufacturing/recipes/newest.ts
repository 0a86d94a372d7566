/**
 * Which recipe counts for a variant: its newest, else its item's newest (docs/rules/manufacturing.md). The newest has the
 * highest id.
 *
 * Look-ups are noted as holders of `Recipe`: a recipe that is made in the same unit of work takes them over (`holdNewest`), and
 * one that is changed is the record itself, so what is seen here is never older than the commands before.
 */
import type { Load, Source, Works } from '../../../kit/documents/load.ts'
import type { Need } from '../../../kit/documents/needs.ts'
import type { Sql } from '../../../kit/documents/sql.ts'
import type { Via } from '../../../kit/documents/statements.ts'
import type { Work } from '../../../kit/documents/work.ts'
import type { Query, TextRow } from '../../../platform/postgres/round-trip.ts'
import { Variant } from '../products.ts'
import { Recipe } from './noun.ts'

const OF_VARIANT = 'newest of the variant'
const OF_ITEM = 'newest of the item'

/** Scalars: the id of the newest recipe of the variant `v`, and of its item. */
export const ownRecipe: Sql = '(select max(id) from recipes where tenant_id = v.tenant_id and item_variant_id = v.id)'
export const itemRecipe: Sql =
  '(select max(id) from recipes where tenant_id = v.tenant_id and item_id = v.item_id and item_variant_id is null)'

/**
 * Selects variants by their whole key. It asks the row itself: an index that holds the item's id as well, but by variants
 * within items, would answer alone, by reading all of the tenant.
 */
export const variantRow = (tenant: Sql, id: Sql): Sql =>
  `select * from item_variants where tenant_id = ${tenant} and id = ${id} and ctid <> '(0,0)' limit 1`

/** The recipe that counts for a variant as it was loaded. */
const viaVariant: Via = {
  name: 'variant',
  sql: `
    select n.id
    from (${variantRow('a.tenant_id', 'a.value')}) v
    cross join lateral (select coalesce(${ownRecipe}, ${itemRecipe}) as id) n
    where n.id is not null`,
}

/** The id of the recipe that counts for the variant; null when none does. @throws Later when it was not asked for. */
export const newestId = (work: Work, variant: { readonly id: string; readonly item_id: string }): string | null =>
  newestOwnId(work, variant.id) ?? work.holder(Recipe, OF_ITEM, variant.item_id)

/** Only of the variant's own. */
export const newestOwnId = (work: Work, variantId: string): string | null => work.holder(Recipe, OF_VARIANT, variantId)

/** A recipe that is made is the newest. */
export function holdNewest(work: Work, { id, item_id: itemId, item_variant_id: variantId }: Recipe): void {
  if (variantId === null) work.holdValue(Recipe, OF_ITEM, itemId, id)
  else work.holdValue(Recipe, OF_VARIANT, variantId, id)
}

/** Takes down what a row of variant `v` with `ownRecipe` as own and `itemRecipe` as of_item says. */
export function putNewest(work: Work | undefined, row: TextRow): void {
  work?.putHolder(Recipe, OF_VARIANT, row['id'] ?? '', row['own'] ?? null)
  work?.putHolder(Recipe, OF_ITEM, row['item_id'] ?? '', row['of_item'] ?? null)
}

/** Asks for `newestId` and `newestOwnId`. */
export function askNewest(load: Load, tenantId: string, variantId: string): void {
  load.source('newest recipes', () => new NewestRecipes()).ask(tenantId, variantId)
}

/** The recipe that counts for the variant; null where none does, and for no variant. */
export const newestRecipe = (variantId: string): Need<Recipe | null> => ({
  ask: (load, tenantId) => {
    load.record(Variant, tenantId, variantId)
    askNewest(load, tenantId, variantId)
    load.recordVia(Recipe, viaVariant, tenantId, variantId)
  },
  see: work => {
    const variant = work.find(Variant, variantId)
    const id = variant && newestId(work, variant)
    return id === null ? null : work.find(Recipe, id)
  },
})

class NewestRecipes implements Source {
  readonly #asked = new Map<string, readonly [tenantId: string, variantId: string]>()

  ask(tenantId: string, variantId: string): void {
    this.#asked.set(`${tenantId} ${variantId}`, [tenantId, variantId])
  }

  query(): Query {
    const asked = [...this.#asked.values()]
    return { text, values: [asked.map(([tenantId]) => tenantId), asked.map(([, id]) => id)] }
  }

  take(rows: readonly TextRow[], works: Works): void {
    for (const row of rows) putNewest(works.get(row['tenant_id'] ?? ''), row)
  }
}

const text: Sql = `
  select v.tenant_id, v.id, v.item_id, ${ownRecipe} as own, ${itemRecipe} as of_item
  from unnest($1::bigint[], $2::bigint[]) as q (tenant_id, id)
  cross join lateral (${variantRow('q.tenant_id', 'q.id')}) v`
