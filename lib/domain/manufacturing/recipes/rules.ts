/**
 * Decides on new and changed recipes. Pure: no I/O and no clock (docs/rules/manufacturing.md).
 */

import { decideEach, invalid, isRefusal, noSuch, type Refusal } from '../../../kit/api/errors.ts'
import type { RefuseTaken } from '../../../kit/documents/needs.ts'
import { refuseWithoutStock } from '../../catalogue/kits/without-stock.ts'
import { noSuchVariant } from '../../catalogue/no-such-variant.ts'
import type { Item } from '../../catalogue/variant.ts'
import type { Operation } from '../operations/noun.ts'
import type { Product } from '../products.ts'
import type { Contents } from './contents.ts'
import type {
  Material,
  NewMaterial,
  NewRecipe,
  NewRecipeOperation,
  Recipe,
  RecipeChange,
  RecipeOperation,
} from './noun.ts'

/** The records that the lines of a recipe name. */
export type LineFacts = {
  /** The variants that materials name; absent ones have no entry. */
  readonly products: ReadonlyMap<string, Product>
  readonly operations: ReadonlyMap<string, Operation>
  readonly contents: Contents
  readonly refuseTaken: RefuseTaken
  readonly takeId: () => string
}

type Lines = { readonly materials: readonly Material[]; readonly operations: readonly RecipeOperation[] }

/** Checks the body alone. Refuses `validation_failed`. */
export function refuseRecipeBody(body: NewRecipe): Refusal | null {
  if ((body.item_variant_id === null) === (body.item_id === null))
    return invalid('item_variant_id', 'give exactly one of item_variant_id and item_id')
  return null
}

/**
 * The item of a new recipe: the one that the body names, or the item of the named variant. Refuses `validation_failed` for an absent one, a
 * service and a kit.
 */
export function decideSubject(
  body: NewRecipe,
  { products, item }: Pick<LineFacts, 'products'> & { readonly item: Item | null },
): Item | Refusal {
  const field = body.item_variant_id === null ? 'item_id' : 'item_variant_id'
  const product = body.item_variant_id === null ? undefined : products.get(body.item_variant_id)
  const found = product?.item ?? item
  if (found === null)
    return body.item_variant_id === null ? noSuch(field, 'item') : noSuchVariant(field, body.item_variant_id)
  return refuseWithoutStock(field, found.type, product ? nameOf(product) : found.title) ?? found
}

/**
 * The lines of a recipe after its body. Lines that the body leaves out stay. Refuses `validation_failed` for absent references, services,
 * kits, a variant that would contain itself, and a taken external_ref.
 */
export function decideLines(
  facts: LineFacts,
  { id, ...recipe }: Pick<Recipe, 'item_id' | 'item_variant_id'> & Lines & { readonly id: string | null },
  body: Pick<RecipeChange, 'materials' | 'operations'>,
): Lines | Refusal {
  const refused = refuseMaterials(facts, { id, ...recipe }, body.materials ?? [])
  if (refused !== null) return refused
  const materials = body.materials?.map((line): Material => ({ ...line, id: facts.takeId() }))
  const operations = body.operations === undefined ? undefined : newOperations(facts, body.operations)
  if (isRefusal(operations)) return operations
  return (
    facts.refuseTaken(id ?? undefined) ?? {
      materials: materials ?? recipe.materials,
      operations: operations ?? recipe.operations,
    }
  )
}

const nameOf = ({ variant }: Product): string => variant.sku ?? variant.title

function refuseMaterials(
  { products, contents }: LineFacts,
  recipe: Pick<Recipe, 'item_id' | 'item_variant_id'> & { readonly id: string | null },
  materials: readonly NewMaterial[],
): Refusal | null {
  const ids = materials.map(line => line.item_variant_id)
  const circular = contents.containingItself(recipe.id, recipe, ids)
  const judged = decideEach(ids, (id, index) => {
    const field = `materials[${index}].item_variant_id`
    const product = products.get(id)
    if (product === undefined) return noSuchVariant(field, id)
    const refused = refuseWithoutStock(field, product.item.type, nameOf(product))
    if (refused !== null) return refused
    return id === circular?.id ? invalid(field, `${nameOf(product)} would contain itself`) : null
  })
  if (isRefusal(judged)) return judged
  return circular && invalid('materials', `${circular.name} would contain itself, through its parts' recipes`)
}

/** A line without position or cost copies those of the operation at this moment. */
function newOperations(facts: LineFacts, lines: readonly NewRecipeOperation[]): readonly RecipeOperation[] | Refusal {
  return decideEach(lines, ({ cost_per_hour: cost, position, ...line }, index) => {
    const operation = facts.operations.get(line.operation_id)
    if (operation === undefined) return noSuch(`operations[${index}].operation_id`, 'operation')
    return {
      ...line,
      id: facts.takeId(),
      position: position ?? operation.position,
      cost_per_hour: cost ?? operation.cost_per_hour,
    }
  })
}
