/**
 * The writing commands of suppliers and customers: load, decide, store. Master data emits no events. It must not hold SQL or
 * rules.
 */
import type { Answer, CommandContext, Params } from '../api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../api/errors.ts'
import type { PartnerKind } from './kinds.ts'
import { insertPartner, loadPartner, loadPartnerSurroundings, updatePartner } from './queries.ts'
import { decidePartner, decidePartnerChange } from './rules.ts'
import type { NewPartner, PartnerChange } from './schemas.ts'

export const noSuchPartner = (kind: PartnerKind): Refusal => refuse('not_found', `no such ${kind.noun}`)

/** Makes a partner. Two round trips. Refusals: see `decidePartner`. */
export async function createPartner(
  kind: PartnerKind,
  context: CommandContext,
  { body }: { readonly body: NewPartner },
): Promise<Answer | Refusal> {
  const { connection, now } = context
  const tenantId = context.tenant.id
  const surroundings = await loadPartnerSurroundings(connection, kind, { tenantId, externalRef: body.external_ref })
  const values = decidePartner(body, surroundings)
  if (isRefusal(values)) return values
  return { body: await insertPartner(connection, kind, { tenantId, now, values }) }
}

/** Changes a partner; a body that changes nothing writes nothing. Two round trips. Refusals: `not_found`, `decidePartnerChange`. */
export async function changePartner(
  kind: PartnerKind,
  context: CommandContext,
  { params, body }: { readonly params: Params; readonly body: PartnerChange },
): Promise<Answer | Refusal> {
  const { connection, now } = context
  const wanted = { tenantId: context.tenant.id, id: params['id'] ?? '' }
  const loaded = await loadPartner(connection, kind, { ...wanted, externalRef: body.external_ref ?? null })
  if (loaded === null) return noSuchPartner(kind)
  const values = decidePartnerChange({ stored: loaded.stored, body }, loaded)
  if (isRefusal(values)) return values
  if (values === null) return { body: loaded.document }
  return { body: await updatePartner(connection, kind, { ...wanted, now, values }) }
}
