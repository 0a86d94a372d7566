/**
 * What variants are made of at any depth, by the current recipe of each variant. It ensures that no variant contains itself
 * (docs/rules/manufacturing.md).
 *
 * The loaded answer holds what the database knew. Recipes that earlier commands of the unit of work made or changed come first, so recipes
 * that are written together see each other. `NextUnit` is thrown where those recipes lead to variants that were not loaded, or where
 * variants changed.
 */

import { Known } from '../../../kit/documents/answers.ts'
import type { Need } from '../../../kit/documents/needs.ts'
import { Question } from '../../../kit/documents/question.ts'
import type { Work } from '../../../kit/documents/work.ts'
import type { TextRow } from '../../../platform/postgres/round-trip.ts'
import { itemRecipe, newestId, newestOfVariant, ownRecipe, putNewest, variantRow } from './newest.ts'
import { Recipe } from './noun.ts'

/** How a variant is called in messages. */
type Named = { readonly id: string; readonly name: string }

/** The item or the variant that a recipe makes. */
type Subject = Pick<Recipe, 'item_id' | 'item_variant_id'>

/** What a command loads before a recipe gets these materials. */
export const contents = (asked: {
  readonly materials: readonly string[]
  /** Null while the subject is unknown: then the recipe is refused. */
  readonly subject: Subject | null
}): Need<Contents> => ({
  ask: (load, tenantId) => {
    for (const id of asked.materials) reachedFrom.ask(load, tenantId, { id })
    if (asked.materials.length === 0 || asked.subject === null) return
    const { item_id: itemId, item_variant_id: variantId } = asked.subject
    if (variantId === null) variantsOf.ask(load, tenantId, { id: itemId })
    else newestOfVariant.ask(load, tenantId, { id: variantId })
  },
  see: work => new Contents(work),
})

export class Contents {
  readonly #work: Work

  constructor(work: Work) {
    this.#work = work
  }

  /**
   * The variant with the lowest id that the recipe makes and that these materials contain; null when there is none. `recipeId` null: the
   * recipe is new, and so the newest.
   */
  containingItself(recipeId: string | null, subject: Subject, materials: readonly string[]): Named | null {
    if (materials.length === 0) return null
    const reached = new Set(materials)
    // The loop also walks what it adds. A set holds each variant once, so a circle ends.
    for (const id of reached) for (const material of this.#materialsOf(id)) reached.add(material)
    const found = this.#outputs(recipeId, subject).filter(id => reached.has(id))
    return found.length === 0
      ? null
      : this.#work.answer(variants, { id: found.reduce((low, id) => (BigInt(id) < BigInt(low) ? id : low)) })
  }

  /** The variants that this recipe makes. */
  #outputs(recipeId: string | null, { item_id: itemId, item_variant_id: variantId }: Subject): readonly string[] {
    if (variantId !== null)
      return recipeId === null || this.#work.answer(newestOfVariant, { id: variantId }) === recipeId ? [variantId] : []
    return this.#work
      .answer(variantsOf, { id: itemId })
      .filter(id =>
        recipeId === null
          ? this.#work.answer(newestOfVariant, { id }) === null
          : newestId(this.#work, { id, item_id: itemId }) === recipeId,
      )
  }

  #materialsOf(variantId: string): readonly string[] {
    const variant = this.#work.answer(variants, { id: variantId })
    const recipeId = variant && newestId(this.#work, variant)
    if (recipeId === null) return []
    const changed = this.#work.changed(Recipe, recipeId)
    return changed?.materials.map(line => line.item_variant_id) ?? this.#work.answer(materialsOf, { recipeId })
  }
}

type Node = Named & { readonly item_id: string }

/** Null: the variant was looked up and does not exist. */
const variants = new Known<'id', Node | null>('contents of variants', ['id'], ['item_variants'])
const materialsOf = new Known<'recipeId', readonly string[]>('materials of recipes', ['recipeId'])

const node = `v.tenant_id, v.id, v.item_id, coalesce(v.sku, v.title) as name, ${ownRecipe} as own, ${itemRecipe} as of_item`

function putVariant(work: Work, row: TextRow): void {
  const [id, itemId] = [row['id'] ?? '', row['item_id'] ?? '']
  work.putAnswer(variants, { id }, { id, item_id: itemId, name: row['name'] ?? '' })
  putNewest(work, row)
}

/** Variants with their materials, and the materials of those at any depth. */
const reachedFrom = new Question<'id', never>(
  {
    name: 'contents',
    keys: { id: 'bigint' },
    // UNION keeps each variant once: a part that is reached in many ways costs no more than one, and a circle ends.
    sql: asked => `
      with recursive reached (tenant_id, id) as (
        select tenant_id, id from ${asked}
        union
        select r.tenant_id, line.item_variant_id
        from reached r
        cross join lateral (${variantRow('r.tenant_id', 'r.id')}) v
        cross join lateral (
          select item_variant_id from recipe_materials
          where tenant_id = r.tenant_id and recipe_id = coalesce(${ownRecipe}, ${itemRecipe})
          offset 0
        ) line
      )
      select n.*, (
        select string_agg(item_variant_id::text, ' ') from recipe_materials
        where tenant_id = n.tenant_id and recipe_id = coalesce(n.own, n.of_item)
      ) as materials
      from reached r
      cross join lateral (
        select ${node} from (${variantRow('r.tenant_id', 'r.id')}) v
      ) n`,
  },
  (work, rows, keys) => {
    for (const { id } of keys) work.putAnswer(variants, { id }, null)
    for (const row of rows) {
      putVariant(work, row)
      const recipeId = row['own'] ?? row['of_item']
      if (recipeId != null) work.putAnswer(materialsOf, { recipeId }, row['materials']?.split(' ') ?? [])
    }
  },
)

/** The variants of an item. */
const variantsOf: Question<'id', readonly string[]> = new Question(
  {
    name: 'variants of items',
    keys: { id: 'bigint' },
    sql: asked => `
      select ${node}
      from ${asked}
      cross join lateral (
        select * from item_variants where tenant_id = q.tenant_id and item_id = q.id offset 0
      ) v`,
    reads: ['item_variants'],
  },
  (work, rows, keys) => {
    for (const row of rows) putVariant(work, row)
    const ids = Map.groupBy(rows, row => row['item_id'])
    for (const { id } of keys) work.putAnswer(variantsOf, { id }, ids.get(id)?.map(row => row['id'] ?? '') ?? [])
  },
)
