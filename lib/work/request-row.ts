/** What the list of requests is told of a command that was decided (docs/rules/requests.md, "The list of requests"). */
import type { CommandEndpoint } from '../kit/api/endpoint.ts'
import { type Refusal, statusOf } from '../kit/api/errors.ts'
import { namedUser } from '../kit/documents/command.ts'
import { BULK, type Command, claimOf } from '../pipeline/command.ts'
import { requestIdAt } from '../pipeline/requests/request-number.ts'
import type { RefusedRow, RequestRow } from './log.ts'
import type { TenantRun } from './tenant-run.ts'

type Run = Pick<TenantRun, 'opened' | 'log' | 'refused' | 'endpointById'>

/** The row of a command that succeeds with this status. */
export function requestRow(run: Run, command: Command, status: number): RequestRow {
  const { opened, log, refused, endpointById } = run
  const { actor, requestId, idempotencyKey } = command
  return {
    id: requestIdAt(opened.now, log.length + refused.length),
    request_id: requestId,
    key_id: actor.keyId,
    user_name: namedUser({ actor, tenant: opened.tenant }),
    ...targetOf(command, endpointById.get(command.endpoint)),
    idempotency_key: idempotencyKey,
    status,
  }
}

/** The row of a command that is refused. */
export function refusedRow(run: Run, command: Command, refusal: Refusal): RefusedRow {
  const { refusal: error, message } = refusal
  return {
    ...requestRow(run, command, statusOf(refusal)),
    claim_id: claimOf(command),
    refusal: JSON.stringify(refusal),
    scope: run.endpointById.get(command.endpoint)?.scope ?? null,
    error,
    message,
  }
}

/** Method, and path below the prefix of the API. */
function targetOf({ endpoint: id, params }: Command, endpoint: CommandEndpoint | undefined) {
  if (id === BULK) return { method: 'POST', path: '/bulk' }
  if (endpoint === undefined) return { method: null, path: null }
  return { method: endpoint.method, path: endpoint.path.replace(/{(\w+)}/g, (_, name) => params[name] ?? '') }
}
