/**
 * The writing commands of products: load, decide, store, tell. It must not hold SQL (`load.ts`,
 * `store.ts`) or rules (`rules.ts`,
 * `change-rules.ts`).
 */
import type { Answer, CommandContext, Params } from '../api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../api/errors.ts'
import { decideChange } from './change-rules.ts'
import { loadProduct, loadSurroundings, type Question } from './load.ts'
import { findProduct } from './queries.ts'
import { decideCreation, skusOf } from './rules.ts'
import type { NewProduct, ProductChange } from './schemas.ts'
import { insertProduct, updateProduct } from './store.ts'

export const noSuchProduct = (): Refusal => refuse('not_found', 'no such product')

/** Makes a product with its variants. Two round trips. Emits `product.created`. Refusals: see `decideCreation`. */
export async function createProduct(
  context: CommandContext,
  { body }: { readonly body: NewProduct },
): Promise<Answer | Refusal> {
  const { connection, settings, tenant, now } = context
  const { unitId, ...surroundings } = await loadSurroundings(connection, questionOf(context, body))
  const creation = decideCreation(body, surroundings, settings)
  if (isRefusal(creation)) return creation
  const { document } = await insertProduct(connection, { tenantId: tenant.id, now, unitId }, creation)
  context.emit({ type: 'product.created', data: document, previous: null })
  return { body: document }
}

/**
 * Changes a product and its variants. Two round trips. Emits `product.updated`; a body that changes nothing writes and
 * emits nothing. Refusals: `not_found`, and see `decideChange`.
 */
export async function changeProduct(
  context: CommandContext,
  { params, body }: { readonly params: Params; readonly body: ProductChange },
): Promise<Answer | Refusal> {
  const { connection, settings, tenant, now } = context
  const product = { tenantId: tenant.id, id: params['id'] ?? '' }
  const loaded = await loadProduct(connection, {
    ...questionOf(context, body),
    ...product,
    asksForStock: body.batch_tracked !== undefined,
  })
  if (loaded === null) return noSuchProduct()
  const { unitId, ...surroundings } = loaded.surroundings
  const change = decideChange(loaded.product, body, surroundings, settings)
  if (isRefusal(change)) return change
  if (change === null) return { body: await findProduct(connection, product) }
  const { document, previous } = await updateProduct(connection, { ...product, now, unitId }, change)
  context.emit({ type: 'product.updated', data: document, previous })
  return { body: document }
}

function questionOf({ tenant, settings }: CommandContext, body: NewProduct | ProductChange): Question {
  return {
    tenantId: tenant.id,
    limited: tenant.plan === 'free',
    freePlanVariantsMax: settings.freePlanVariantsMax,
    skus: skusOf(body),
    externalRef: body.external_ref ?? null,
    unitName: body.unit_name ?? null,
  }
}
