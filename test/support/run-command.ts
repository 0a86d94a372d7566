/** Owns commands as a server hands them over, and running one as a worker does, in a unit of work of its own, without a queue. */

import { randomUUID } from 'node:crypto'
import type { CommandEndpoint, Params } from '../../lib/kit/api/endpoint.ts'
import { isRefusal, type Refusal } from '../../lib/kit/api/errors.ts'
import { shape } from '../../lib/kit/api/fields.ts'
import { validate } from '../../lib/kit/api/validate.ts'
import { due, endpoints } from '../../lib/nouns.ts'
import { type Command, commandsById } from '../../lib/pipeline/command.ts'
import { parseJson } from '../../lib/platform/json.ts'
import type { RoundTripConnection } from '../../lib/platform/postgres/round-trip-pool.ts'
import { secretBox } from '../../lib/platform/secret-box.ts'
import { runUnit } from '../../lib/work/unit.ts'
import type { Reply } from './service.ts'

type Given = Pick<Command, 'tenantId'> &
  Partial<Pick<Command, 'actor' | 'params' | 'idempotencyKey' | 'requestId'>> & { readonly body: unknown }

const nothing = shape({})

export const commandEndpoints: readonly CommandEndpoint[] = endpoints.filter(each => each.kind === 'command')

/** What all commands are run with. */
export const unitSettings = {
  endpointById: commandsById(commandEndpoints),
  due,
  settings: { freePlanVariantsMax: 50, webhookSubscriptionsMax: 10_000, secrets: secretBox([Buffer.alloc(32)]) },
  waits: true,
}

/** A command with what is given of it; nothing of the rest counts. */
export function anyCommand(given: Pick<Command, 'tenantId' | 'endpoint'> & Partial<Command>): Command {
  const key = randomUUID()
  return {
    requestId: `req_${key}`,
    actor: { keyId: '1', userName: 'tester' },
    idempotencyKey: key,
    fingerprint: 'ab'.repeat(32),
    params: {},
    body: null,
    replyTo: '',
    quota: null,
    acceptedAt: Date.now(),
    ...given,
  }
}

/** A command as the server hands it over. @throws for a body that is refused. */
export function commandOf(endpoint: CommandEndpoint, { body, ...given }: Given): Command {
  const valid = accepted(validate(endpoint.body ?? nothing, parseJson(JSON.stringify(body)), 'body'))
  // The body travels through a queue as JSON.
  return anyCommand({ ...given, endpoint: endpoint.id, body: JSON.parse(JSON.stringify(valid)) })
}

/** Runs a command and commits it. @throws if it is refused. */
export async function runCommand(
  connection: RoundTripConnection,
  endpoint: CommandEndpoint,
  given: Given,
): Promise<Reply> {
  const { tenantId } = given
  const results = await runUnit(connection, [{ tenantId, commands: [commandOf(endpoint, given)] }], unitSettings)
  const result = results.get(tenantId)
  const outcome = result?.is === 'ran' ? result.ended[0]?.outcome : undefined
  if (outcome?.kind !== 'done') throw new Error(`${endpoint.id}: ${JSON.stringify(outcome)}`)
  const text = outcome.body ?? ''
  return { status: outcome.status, headers: new Headers(), text, body: text === '' ? null : JSON.parse(text) }
}

/** The command that answers a method at a path, and the ids that stand in the path. */
export function commandAt(
  method: CommandEndpoint['method'],
  path: string,
): { readonly endpoint: CommandEndpoint; readonly params: Params } {
  for (const endpoint of endpoints) {
    if (endpoint.kind !== 'command' || endpoint.method !== method) continue
    const found = new RegExp(
      `^${endpoint.path.replace('{external_ref}', '(?<external_ref>[^/]+)').replaceAll(/\{(\w+)\}/g, '(?<$1>\\d+)')}$`,
    ).exec(path)
    if (found) return { endpoint, params: { ...found.groups } }
  }
  throw new Error(`no command at ${method} ${path}`)
}

/** @throws for a refusal. */
export function accepted<T>(answer: T | Refusal): T {
  if (isRefusal(answer)) throw new Error(`refused: ${answer.refusal} ${answer.message}`)
  return answer
}
