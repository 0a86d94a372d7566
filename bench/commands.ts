/**
 * Runs commands as a worker does, in units of work of one, without queue and HTTP. It measures nothing.
 */

import type { CommandEndpoint } from '../lib/kit/api/endpoint.ts'
import { endpoints } from '../lib/nouns.ts'
import type { Command } from '../lib/pipeline/command.ts'
import type { RoundTripConnection } from '../lib/platform/postgres/round-trip-pool.ts'
import { runUnit } from '../lib/work/unit.ts'
import { commandOf, runCommand, unitSettings } from '../test/support/run-command.ts'
import type { Chain, Step } from './chains.ts'
import type { Answer, BenchTenant, World } from './types.ts'

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

/** Runs a command; `body` is a caller's. */
export async function run(
  connection: RoundTripConnection,
  tenantId: string,
  endpointId: string,
  body: unknown,
  given: Given = {},
): Promise<Answer> {
  return answerOf((await runCommand(connection, commandEndpoint(endpointId), { ...given, tenantId, body })).text)
}

/** Runs commands of one kind in one unit of work, each of another tenant (of one that is named twice: once). */
export async function runTogether(
  { connections }: World,
  endpointId: string,
  asked: readonly { readonly tenantId: string; readonly body: unknown }[],
): Promise<void> {
  const endpoint = commandEndpoint(endpointId)
  const batches = [...new Map(asked.map(one => [one.tenantId, one])).values()].map(one => ({
    tenantId: one.tenantId,
    commands: [commandOf(endpoint, one)],
  }))
  const results = await connections.use(connection => runUnit(connection, batches, unitSettings))
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
