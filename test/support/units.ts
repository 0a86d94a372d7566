/** Owns units of work for tests, below the worker: commands as a server hands them over, and what becomes of them together. */

import type { Command, Outcome } from '../../lib/pipeline/command.ts'
import { withPlansByKey } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import type { Result, TenantBatch } from '../../lib/work/tenant-run.ts'
import { runUnit } from '../../lib/work/unit.ts'
import type { Loose } from './command-context.ts'
import { commandOf as commandAsSent, unitSettings } from './run-command.ts'
import { within } from './within.ts'

/** A command by its endpoint, its body as plain data, and the id of its path. */
export type Step = readonly [endpoint: string, body: Loose, id?: string | undefined]

type Alone = { readonly trips: number; readonly outcome: Outcome | undefined }

export type Units = {
  /** What became of each batch in one unit. */
  run(batches: readonly TenantBatch[], options?: { readonly oneByOne?: boolean }): Promise<ReadonlyMap<string, Result>>
  /** The outcomes of each batch's first commands in one unit. As a worker does, a heavy command is run by itself. */
  outcomesOf(batches: readonly TenantBatch[]): Promise<readonly (readonly Outcome[])[]>
  /** What one command answers, in how many round trips. */
  alone(tenantId: string, step: Step, options?: { readonly oneByOne?: boolean }): Promise<Alone>
  /** How many commands were heavy. */
  readonly heavy: number
  close(): Promise<void>
}

export const unitDependencies = {
  endpointById: unitSettings.endpointById,
  due: unitSettings.due,
  settings: { ...unitSettings.settings, freePlanVariantsMax: 16 },
}

/** Close it before the services. */
export function openUnits(databaseUrl: string): Units {
  const connections = new RoundTripPool(withPlansByKey(databaseUrl), { size: 2, ...within(30_000) })
  const options = { ...unitDependencies, waits: true }
  let heavy = 0
  const run = (batches: readonly TenantBatch[], { oneByOne = false } = {}) =>
    connections.use(connection => runUnit(connection, batches, { ...options, oneByOne }))
  return {
    run,
    outcomesOf: async batches => {
      const results = await run(batches)
      return Promise.all(
        batches.map(async ({ tenantId, commands }) => {
          let result = results.get(tenantId)
          if (result?.is === 'too large') {
            heavy++
            const alone = [{ tenantId, commands: commands.slice(0, 1) }]
            result = (await run(alone, { oneByOne: true })).get(tenantId)
          }
          if (result?.is !== 'ran') throw new Error(`a tenant is ${result?.is}`)
          if (result.ended.length === 0) throw new Error('a unit of work ran nothing of a tenant')
          return result.ended.map(({ outcome }) => outcome)
        }),
      )
    },
    alone: (tenantId, step, { oneByOne = true } = {}) =>
      connections.use(async connection => {
        let trips = 0
        const send: typeof connection.send = queries => {
          trips++
          return connection.send(queries)
        }
        const counting = new Proxy(connection, {
          get: (of, name) => (name === 'send' ? send : Reflect.get(of, name, of)),
        })
        const batch = { tenantId, commands: [commandOf(tenantId, step)] }
        const result = (await runUnit(counting, [batch], { ...options, oneByOne })).get(tenantId)
        return { trips, outcome: result?.is === 'ran' ? result.ended[0]?.outcome : undefined }
      }),
    get heavy() {
      return heavy
    },
    close: () => connections.end(),
  }
}

export function commandOf(tenantId: string, [endpoint, body, id]: Step): Command {
  const declared = unitDependencies.endpointById.get(endpoint)
  if (declared === undefined) throw new Error(`no command ${endpoint}`)
  return commandAsSent(declared, { tenantId, params: id === undefined ? {} : { id }, body })
}
