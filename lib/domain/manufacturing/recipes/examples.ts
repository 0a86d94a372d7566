/** The writes that lead to the events of recipes. */
import type { Caller, EventExamples } from '../../../kit/documents/examples.ts'
import { variantExample } from '../../catalogue/examples.ts'

const materials = async (caller: Caller, quantity: number) => [
  { item_variant_id: await variantExample(caller), quantity },
]

async function recipe(caller: Caller): Promise<string> {
  const body = { item_variant_id: await variantExample(caller), materials: await materials(caller, 1) }
  return (await caller.post('/recipes', body)).id
}

export const examples: EventExamples = {
  'recipe.created': recipe,
  'recipe.updated': async caller =>
    caller.patch(`/recipes/${await recipe(caller)}`, { materials: await materials(caller, 2) }),
}
