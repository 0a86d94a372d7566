/**
 * Runs commands as a worker does, in units of work of one, without queue and HTTP. It measures nothing.
 */
import { randomUUID } from 'node:crypto'
import type { CommandEndpoint } from '../lib/kit/api/endpoint.ts'
import { isRefusal } from '../lib/kit/api/errors.ts'
import { shape } from '../lib/kit/api/fields.ts'
import { validate } from '../lib/kit/api/validate.ts'
import { endpoints } from '../lib/nouns.ts'
import type { Command } from '../lib/pipeline/command.ts'
import { parseJson } from '../lib/platform/json.ts'
import type { RoundTripConnection } from '../lib/platform/postgres/round-trip-pool.ts'
import { secretBox } from '../lib/platform/secret-box.ts'
import { runUnit } from '../lib/work/unit-of-work.ts'
import type { Chain, Step } from './chains.ts'
import type { BenchTenant, World } from './world.ts'

export type Answer = Readonly<Record<string, unknown>> & { readonly id: string }

export function commandEndpoint(id: string): CommandEndpoint {
  const endpoint = endpoints.find(endpoint => endpoint.id === id)
  if (endpoint?.kind !== 'command') throw new Error(`no command ${id}`)
  return endpoint
}

/** What was made; a sales return answers with what became of its lines beside it. */
export function answerOf(body: string): Answer {
  const answer = JSON.parse(body) as Answer & { readonly sales_return?: Answer }
  return answer.sales_return ?? answer
}

/** Of a step that goes on with what an earlier one made. */
export const pathParams = ({ of }: Step, before: readonly Answer[]): Readonly<Record<string, string>> =>
  of === undefined ? {} : { id: before[of]?.id ?? '' }

type Given = Partial<Pick<Command, 'idempotencyKey' | 'requestId' | 'params' | 'actor'>>

const settings = { freePlanVariantsMax: 50, webhookSubscriptionsMax: 100, secrets: secretBox([Buffer.alloc(32)]) }

function commandOf(tenantId: string, endpointId: string, body: unknown, given: Given = {}): Command {
  const endpoint = commandEndpoint(endpointId)
  const valid = validate(endpoint.body ?? shape({}), parseJson(JSON.stringify(body)), 'body')
  if (isRefusal(valid)) throw new Error(`${endpointId}: ${valid.message}`)
  return {
    requestId: `req_${randomUUID()}`,
    tenantId,
    endpoint: endpointId,
    actor: { keyId: '1', userName: 'bench' },
    idempotencyKey: randomUUID(),
    fingerprint: 'ab'.repeat(32),
    params: {},
    // As it comes out of the queue.
    body: JSON.parse(JSON.stringify(valid)),
    replyTo: '',
    quota: null,
    acceptedAt: Date.now(),
    ...given,
  }
}

/** Runs a command; `body` is a caller's. */
export async function run(
  connection: RoundTripConnection,
  tenantId: string,
  endpointId: string,
  body: unknown,
  given: Given = {},
): Promise<Answer> {
  const commands = [commandOf(tenantId, endpointId, body, given)]
  const endpointById = new Map([[endpointId, commandEndpoint(endpointId)]])
  const results = await runUnit(connection, [{ tenantId, commands }], { endpointById, settings, waits: true })
  const result = results.get(tenantId)
  const outcome = result?.is === 'ran' ? result.ended[0]?.outcome : undefined
  if (outcome?.kind !== 'done') throw new Error(`${endpointId}: ${JSON.stringify(outcome)}`)
  return answerOf(outcome.body ?? 'null')
}

/** Runs commands of one kind in one unit of work, each of another tenant (of one that is named twice: once). */
export async function runTogether(
  { connections }: World,
  endpointId: string,
  asked: readonly { readonly tenantId: string; readonly body: unknown }[],
): Promise<void> {
  const portions = [...new Map(asked.map(one => [one.tenantId, one])).values()].map(({ tenantId, body }) => ({
    ...{ tenantId, commands: [commandOf(tenantId, endpointId, body)] },
  }))
  const endpointById = new Map([[endpointId, commandEndpoint(endpointId)]])
  const results = await connections.use(connection =>
    runUnit(connection, portions, { endpointById, settings, waits: true }),
  )
  for (const result of results.values())
    if (result.is !== 'ran' || result.ended[0]?.outcome.kind !== 'done')
      throw new Error(`${endpointId}: ${JSON.stringify(result)}`)
}

/** Runs a chain once. */
export async function runChain({ connections }: World, tenant: BenchTenant, { steps }: Chain): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const step of steps) {
    const [body, params] = [step.body(tenant, answers), pathParams(step, answers)]
    answers.push(await connections.use(connection => run(connection, tenant.id, step.endpoint, body, { params })))
  }
  return answers
}
