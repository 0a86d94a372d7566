/**
 * The writing commands of storage places: load, decide, store, tell. It must not hold SQL or rules.
 */
import type { Answer, CommandContext } from '../api/endpoint.ts'
import { isRefusal, type Refusal } from '../api/errors.ts'
import { insertPlace, loadPlaceSurroundings } from './queries.ts'
import { decidePlace } from './rules.ts'
import type { NewStoragePlace } from './schemas.ts'

/**
 * Makes a storage place; the tenant's first is its main one, and stock without a place stays without. Two round trips.
 * Emits `storage_place.created`. Refusals: see `decidePlace`.
 */
export async function createPlace(
  context: CommandContext,
  { body }: { readonly body: NewStoragePlace },
): Promise<Answer | Refusal> {
  const { connection, now } = context
  const tenantId = context.tenant.id
  const surroundings = await loadPlaceSurroundings(connection, { tenantId, externalRef: body.external_ref })
  const place = decidePlace(body, surroundings)
  if (isRefusal(place)) return place
  const document = await insertPlace(connection, { tenantId, now }, place)
  context.emit({ type: 'storage_place.created', data: document, previous: null })
  return { body: document }
}
