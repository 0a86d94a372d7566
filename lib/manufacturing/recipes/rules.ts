/**
 * Decides on new and changed recipes. Pure: no I/O and no clock (contract 2, "Operation, recipe").
 */
import { refuseTakenBy } from '../../accounting/taken.ts'
import { invalid, isRefusal, type Refusal } from '../../api/errors.ts'
import type { NewMaterial, NewRecipe, NewRecipeOperation, RecipeChange } from './schemas.ts'

type FoundVariant = { readonly id: string; readonly item_type: string; readonly name: string }
type FoundOperation = { readonly id: string; readonly position: number; readonly cost_per_hour: string }

export type RecipeSurroundings = {
  /** What the recipe is for; null when it is not there. */
  readonly subject: { readonly item_id: string; readonly item_type: string; readonly name: string } | null
  /** The variants and operations that the lines name, as far as they are there. */
  readonly variants: readonly FoundVariant[]
  readonly operations: readonly FoundOperation[]
  /** A variant for which the recipe counts and which its materials contain, at any depth. */
  readonly containing_itself: { readonly id: string; readonly name: string } | null
  /** The other recipe that has the external_ref, or null. */
  readonly external_ref_taken_by: string | null
}

/** An operation's line with its defaults filled in. */
export type RecipeStep = NewRecipeOperation & { readonly position: number; readonly cost_per_hour: string }

/** The lines to write; undefined: they stay as they are. */
export type RecipeLines = {
  readonly materials: readonly NewMaterial[] | undefined
  readonly operations: readonly RecipeStep[] | undefined
}

/** What of the body can be judged by itself. Refuses `validation_failed`. */
export function refuseRecipeBody(body: NewRecipe): Refusal | null {
  if ((body.item_variant_id === null) === (body.item_id === null))
    return invalid('item_variant_id', 'give exactly one of item_variant_id and item_id')
  return null
}

/**
 * The lines of a new recipe. Refuses `validation_failed`: absent references, services, a variant that would contain itself,
 * a taken external_ref.
 */
export function decideRecipe(body: NewRecipe, surroundings: RecipeSurroundings): RecipeLines | Refusal {
  const field = body.item_variant_id === null ? 'item_id' : 'item_variant_id'
  const { subject } = surroundings
  if (subject === null) return invalid(field, body.item_variant_id === null ? 'no such item' : 'no such variant')
  if (subject.item_type === 'SERVICE') return invalid(field, `${subject.name} is a service and holds no stock`)
  return decideLines(body, surroundings)
}

/** The lines of a changed recipe. Refuses as `decideRecipe` does. */
export function decideLines(
  body: Pick<RecipeChange, 'materials' | 'operations'>,
  surroundings: RecipeSurroundings,
): RecipeLines | Refusal {
  const refused = refuseMaterials(body.materials ?? [], surroundings)
  if (refused !== null) return refused
  const operations = body.operations === undefined ? undefined : decideSteps(body.operations, surroundings)
  if (isRefusal(operations)) return operations
  return refuseTakenBy('external_ref', surroundings.external_ref_taken_by) ?? { materials: body.materials, operations }
}

function refuseMaterials(materials: readonly NewMaterial[], surroundings: RecipeSurroundings): Refusal | null {
  const variants = new Map(surroundings.variants.map(variant => [variant.id, variant]))
  const cyclic = surroundings.containing_itself
  for (const [index, { item_variant_id: id }] of materials.entries()) {
    const field = `materials[${index}].item_variant_id`
    const variant = variants.get(id)
    if (variant === undefined) return invalid(field, 'no such variant')
    if (variant.item_type === 'SERVICE') return invalid(field, `${variant.name} is a service and holds no stock`)
    if (id === cyclic?.id) return invalid(field, `${variant.name} would contain itself`)
  }
  return cyclic === null
    ? null
    : invalid('materials', `${cyclic.name} would contain itself, through its parts' recipes`)
}

/** An operation's position and cost are those of the operation where the line gives none; the recipe keeps them. */
function decideSteps(
  steps: readonly NewRecipeOperation[],
  surroundings: RecipeSurroundings,
): readonly RecipeStep[] | Refusal {
  const operations = new Map(surroundings.operations.map(operation => [operation.id, operation]))
  const decided: RecipeStep[] = []
  for (const [index, step] of steps.entries()) {
    const operation = operations.get(step.operation_id)
    if (operation === undefined) return invalid(`operations[${index}].operation_id`, 'no such operation')
    const { position = operation.position, cost_per_hour = operation.cost_per_hour } = step
    decided.push({ ...step, position, cost_per_hour })
  }
  return decided
}
