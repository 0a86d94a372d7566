/**
 * The writing commands of operations: load, decide, store. Master data emits no events. It must not hold SQL or rules.
 */
import type { Answer, CommandContext, Params } from '../../api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../../api/errors.ts'
import { insertOperation, loadOperation, loadOperationSurroundings, updateOperation } from './queries.ts'
import { decideOperationChange, refuseOperation } from './rules.ts'
import type { NewOperation, OperationChange } from './schemas.ts'

export const noSuchOperation = (): Refusal => refuse('not_found', 'no such operation')

/** Makes an operation. Two round trips. Refusals: see `refuseOperation`. */
export async function createOperation(
  { connection, tenant, now }: CommandContext,
  { body }: { readonly body: NewOperation },
): Promise<Answer | Refusal> {
  const tenantId = tenant.id
  const refused = refuseOperation(
    await loadOperationSurroundings(connection, { tenantId, externalRef: body.external_ref }),
  )
  return refused ?? { body: await insertOperation(connection, { tenantId, now, values: body }) }
}

/** Changes an operation; a body that changes nothing writes nothing. Two round trips. Refusals: `not_found`, a taken external_ref. */
export async function changeOperation(
  { connection, tenant, now }: CommandContext,
  { params, body }: { readonly params: Params; readonly body: OperationChange },
): Promise<Answer | Refusal> {
  const wanted = { tenantId: tenant.id, id: params['id'] ?? '' }
  const loaded = await loadOperation(connection, { ...wanted, externalRef: body.external_ref ?? null })
  if (loaded === null) return noSuchOperation()
  const values = decideOperationChange({ stored: loaded.stored, body }, loaded)
  if (isRefusal(values)) return values
  if (values === null) return { body: loaded.document }
  return { body: await updateOperation(connection, { ...wanted, now, values }) }
}
