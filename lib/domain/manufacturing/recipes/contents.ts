/**
 * What variants are made of at any depth, over the recipe that counts for each: so that none comes to contain itself
 * (docs/rules/manufacturing.md).
 *
 * It holds what the database knew; recipes that commands of the same unit of work made or changed are looked at first, so
 * recipes that are written together see each other. Where they lead to what was not asked for, or variants changed: Later.
 */

import { Later } from '../../../kit/documents/later.ts'
import type { Source, Works } from '../../../kit/documents/load.ts'
import type { Need } from '../../../kit/documents/needs.ts'
import type { PartKind, Work } from '../../../kit/documents/work.ts'
import type { Query, TextRow } from '../../../platform/postgres/round-trip.ts'
import { askNewest, itemRecipe, newestId, newestOwnId, ownRecipe, putNewest, variantRow } from './newest.ts'
import { Recipe } from './noun.ts'

/** How a variant is called in messages. */
type Named = { readonly id: string; readonly name: string }

/** What a recipe is for. */
type Subject = Pick<Recipe, 'item_id' | 'item_variant_id'>

/** What a recipe asks before it takes these materials. */
export const contents = (asked: {
  readonly materials: readonly string[]
  /** Null while it is not known: then the recipe is refused. */
  readonly subject: Subject | null
}): Need<Contents> => ({
  ask: (load, tenantId) => {
    for (const id of asked.materials) load.source('contents', () => new Reached()).ask(tenantId, id)
    if (asked.materials.length === 0 || asked.subject === null) return
    const { item_id: itemId, item_variant_id: variantId } = asked.subject
    if (variantId !== null) askNewest(load, tenantId, variantId)
    else load.source('variants of items', () => new OfItems()).ask(tenantId, itemId)
  },
  see: work => {
    work.refuseChanged('item_variants')
    return work.part(kind)
  },
})

type Node = Named & { readonly item_id: string }

export class Contents {
  readonly #work: Work
  /** Null: it was asked for, and there is none. */
  readonly #variants = new Map<string, Node | null>()
  readonly #ofItems = new Map<string, string[]>()
  readonly #materials = new Map<string, readonly string[]>()

  constructor(work: Work) {
    this.#work = work
  }

  /**
   * A variant (the one with the lowest id) for which the recipe counts and which these materials contain; null when there is
   * none. `recipeId` null: it is new, and so the newest.
   */
  containingItself(recipeId: string | null, subject: Subject, materials: readonly string[]): Named | null {
    if (materials.length === 0) return null
    const reached = new Set(materials)
    // What is added on the way is walked as well; each variant once, so a circle ends.
    for (const id of reached) for (const material of this.#materialsOf(id)) reached.add(material)
    const found = this.#outputs(recipeId, subject).filter(id => reached.has(id))
    return found.length === 0 ? null : this.#variant(found.reduce((low, id) => (BigInt(id) < BigInt(low) ? id : low)))
  }

  /** The variants for which the recipe counts. */
  #outputs(recipeId: string | null, { item_id: itemId, item_variant_id: variantId }: Subject): readonly string[] {
    if (variantId !== null)
      return recipeId === null || newestOwnId(this.#work, variantId) === recipeId ? [variantId] : []
    const ofItem = this.#ofItems.get(itemId)
    if (ofItem === undefined) throw new Later(`the variants of item ${itemId} were not asked for`)
    return ofItem.filter(id =>
      recipeId === null
        ? newestOwnId(this.#work, id) === null
        : newestId(this.#work, { id, item_id: itemId }) === recipeId,
    )
  }

  #variant(id: string): Node | null {
    const node = this.#variants.get(id)
    if (node === undefined) throw new Later(`the contents of variant ${id} were not asked for`)
    return node
  }

  #materialsOf(variantId: string): readonly string[] {
    const variant = this.#variant(variantId)
    const recipeId = variant && newestId(this.#work, variant)
    if (recipeId === null) return []
    const changed = this.#work.changed(Recipe, recipeId)
    const materials = changed?.materials.map(line => line.item_variant_id) ?? this.#materials.get(recipeId)
    if (materials === undefined) throw new Later(`the materials of recipe ${recipeId} were not asked for`)
    return materials
  }

  // ---- loading

  putAbsent(variantId: string): void {
    if (!this.#variants.has(variantId)) this.#variants.set(variantId, null)
  }

  putVariant(row: TextRow): void {
    const [id, itemId] = [row['id'] ?? '', row['item_id'] ?? '']
    this.#variants.set(id, { id, item_id: itemId, name: row['name'] ?? '' })
    putNewest(this.#work, row)
  }

  putMaterials(row: TextRow): void {
    const recipeId = row['own'] ?? row['of_item']
    if (recipeId != null) this.#materials.set(recipeId, row['materials']?.split(' ') ?? [])
  }

  putOfItem(itemId: string, variantIds: readonly string[]): void {
    this.#ofItems.set(itemId, [...variantIds])
  }
}

const kind: PartKind<Contents> = { make: work => new Contents(work), write: () => [] }

abstract class Asked {
  readonly asked = new Map<string, readonly [tenantId: string, id: string]>()

  ask(tenantId: string, id: string): void {
    this.asked.set(`${tenantId} ${id}`, [tenantId, id])
  }

  protected queryOf(text: string): Query {
    const asked = [...this.asked.values()]
    return { text, values: [asked.map(([tenantId]) => tenantId), asked.map(([, id]) => id)] }
  }
}

const node = `v.tenant_id, v.id, v.item_id, coalesce(v.sku, v.title) as name, ${ownRecipe} as own, ${itemRecipe} as of_item`

/** Variants with their materials, and all that those are made of. */
class Reached extends Asked implements Source {
  query(): Query {
    return this.queryOf(reachedText)
  }

  take(rows: readonly TextRow[], works: Works): void {
    for (const row of rows) {
      const part = works.get(row['tenant_id'] ?? '')?.part(kind)
      part?.putVariant(row)
      part?.putMaterials(row)
    }
    for (const [tenantId, id] of this.asked.values()) works.get(tenantId)?.part(kind).putAbsent(id)
  }
}

// UNION keeps each variant once, so a part that comes in by many ways costs no more than one, and a circle ends.
const reachedText = `
  with recursive reached (tenant_id, id) as (
    select tenant_id, id from unnest($1::bigint[], $2::bigint[]) as q (tenant_id, id)
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
  ) n`

/** The variants of items. */
class OfItems extends Asked implements Source {
  query(): Query {
    return this.queryOf(ofItemsText)
  }

  take(rows: readonly TextRow[], works: Works): void {
    const byItem = Map.groupBy(rows, row => `${row['tenant_id']} ${row['item_id']}`)
    for (const [tenantId, itemId] of this.asked.values()) {
      const part = works.get(tenantId)?.part(kind)
      const found = byItem.get(`${tenantId} ${itemId}`) ?? []
      for (const row of found) part?.putVariant(row)
      part?.putOfItem(
        itemId,
        found.map(row => row['id'] ?? ''),
      )
    }
  }
}

const ofItemsText = `
  select ${node}
  from unnest($1::bigint[], $2::bigint[]) as q (tenant_id, id)
  cross join lateral (
    select * from item_variants where tenant_id = q.tenant_id and item_id = q.id offset 0
  ) v`
