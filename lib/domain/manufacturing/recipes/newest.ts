/**
 * The current recipe of a variant: its newest, else the newest of its item (docs/rules/manufacturing.md). The newest recipe has the highest
 * id.
 *
 * A new recipe becomes the answer for later commands of the unit of work (`holdNewest`). A changed recipe is the same record. So a command
 * never sees an older state than the commands before it left.
 */
import { Known } from '../../../kit/documents/answers.ts'
import type { Need } from '../../../kit/documents/needs.ts'
import { question } from '../../../kit/documents/question.ts'
import { askRecord, recordVia } from '../../../kit/documents/records.ts'
import type { Sql } from '../../../kit/documents/sql.ts'
import type { Work } from '../../../kit/documents/work.ts'
import type { TextRow } from '../../../platform/postgres/round-trip.ts'
import { Variant } from '../../catalogue/variant.ts'
import { Recipe } from './noun.ts'

/** Scalars: the id of the newest recipe of the variant `v`, and of its item. */
export const ownRecipe: Sql = '(select max(id) from recipes where tenant_id = v.tenant_id and item_variant_id = v.id)'
export const itemRecipe: Sql =
  '(select max(id) from recipes where tenant_id = v.tenant_id and item_id = v.item_id and item_variant_id is null)'

/**
 * Selects variants by their whole key. `select *` makes PostgreSQL read the row: an index on item and variant could answer alone, but would
 * read all variants of the tenant.
 */
export const variantRow = (tenant: Sql, id: Sql): Sql =>
  `select * from item_variants where tenant_id = ${tenant} and id = ${id} and ctid <> '(0,0)' limit 1`

/** The current recipe of a variant, as the database has it. */
const askViaVariant = recordVia(Recipe, {
  name: 'variant',
  sql: `
    select n.id
    from (${variantRow('a.tenant_id', 'a.value')}) v
    cross join lateral (select coalesce(${ownRecipe}, ${itemRecipe}) as id) n
    where n.id is not null`,
})

/** The newest of the variant's own recipes. */
export const newestOfVariant = question({
  name: 'newest recipes',
  keys: { id: 'bigint' },
  sql: asked => `
    select v.tenant_id, v.id, v.item_id, ${ownRecipe} as own, ${itemRecipe} as of_item
    from ${asked}
    cross join lateral (${variantRow('q.tenant_id', 'q.id')}) v`,
  read: ([row], work) => {
    if (row) putOfItem(work, row)
    return row?.['own'] ?? null
  },
})

/** The newest of the item's recipes. The question that loads a variant answers this too. */
const newestOfItem = new Known<'itemId', string | null>('newest recipe of the item', ['itemId'])

const putOfItem = (work: Work, row: TextRow): void =>
  work.putAnswer(newestOfItem, { itemId: row['item_id'] ?? '' }, row['of_item'] ?? null)

/** Stores the answers of a row of variant `v`: `own` (`ownRecipe`) and `of_item` (`itemRecipe`). */
export function putNewest(work: Work, row: TextRow): void {
  work.putAnswer(newestOfVariant, { id: row['id'] ?? '' }, row['own'] ?? null)
  putOfItem(work, row)
}

/** The id of the variant's current recipe; null when it has none. @throws NextUnit when it was not loaded. */
export const newestId = (work: Work, { id, item_id: itemId }: { readonly id: string; readonly item_id: string }) =>
  work.answer(newestOfVariant, { id }) ?? work.answer(newestOfItem, { itemId })

/** Makes a new recipe the newest. */
export function holdNewest(work: Work, { id, item_id: itemId, item_variant_id: variantId }: Recipe): void {
  if (variantId === null) work.changeAnswer(newestOfItem, { itemId }, id)
  else work.changeAnswer(newestOfVariant, { id: variantId }, id)
}

/** The variant's current recipe; null if it has none, and for no variant. */
export const newestRecipe = (variantId: string): Need<Recipe | null> => ({
  ask: (load, tenantId) => {
    askRecord(load, Variant, tenantId, variantId)
    newestOfVariant.ask(load, tenantId, { id: variantId })
    askViaVariant(load, tenantId, variantId)
  },
  see: work => {
    const variant = work.find(Variant, variantId)
    const id = variant && newestId(work, variant)
    return id === null ? null : work.find(Recipe, id)
  },
})
