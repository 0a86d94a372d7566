/**
 * Owns a command worker and commands for tests of the pipeline itself, below HTTP: a tenant, endpoints that count or fail on
 * purpose, and a way to send and await.
 */
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { CommandEndpoint, Endpoint } from '../../lib/kit/api/endpoint.ts'
import { invalid, type Refusal } from '../../lib/kit/api/errors.ts'
import { optional, shape, text } from '../../lib/kit/api/fields.ts'
import { command, type Deciding } from '../../lib/kit/documents/command.ts'
import { document } from '../../lib/kit/documents/document.ts'
import type { Need, Needs } from '../../lib/kit/documents/needs.ts'
import * as field from '../../lib/kit/fields/kinds.ts'
import { due } from '../../lib/nouns.ts'
import {
  type Address,
  type Command,
  commandsById,
  type Ended,
  internalError,
  type Outcome,
} from '../../lib/pipeline/command.ts'
import { endCommands } from '../../lib/pipeline/end-commands.ts'
import { loadConfig } from '../../lib/platform/config.ts'
import { type Pool, rows, statement } from '../../lib/platform/postgres/postgres.ts'
import type { Redis } from '../../lib/platform/redis/redis.ts'
import { secretBox } from '../../lib/platform/secret-box.ts'
import type { TenantBatch, UnitDependencies } from '../../lib/work/tenant-run.ts'
import { runBatch, type TakenBatch } from '../../workers/commands/run-batch.ts'
import type { TransactionsOptions } from '../../workers/commands/transactions.ts'
import { isKnown, UnitsOfCell } from '../../workers/commands/units.ts'

const Note = document({ kind: 'note', noun: 'note', table: 'notes', fields: { id: field.key(), text: field.text() } })

/**
 * Appends its text to the tenant's notes: what ran, in which order, how often. `asks` and `first` are of a test's own, by the text:
 * what it must see, and what it does before it decides, which may refuse it.
 */
export const noteEndpointThat = ({
  asks = () => ({}),
  first = () => undefined,
}: {
  readonly asks?: (text: string) => Needs
  readonly first?: (text: string) => Refusal | undefined
}): CommandEndpoint =>
  command({
    id: 'addNote',
    method: 'POST',
    path: '/notes',
    tag: ['Test', 'For a test.'],
    scope: 'write:test',
    summary: 'Adds a note',
    refusals: [],
    body: shape({ text: text(), behave: optional(text()) }),
    success: 201,
    countsAsDocument: true,
    ids: () => 1,
    needs: ({ body }) => asks(body.text),
    decide: ({ body }, _facts, { work, lastEventSequence }) => {
      const refusal = first(body.text)
      if (refusal) return refusal
      if (body.behave === 'refuse') return invalid('text', 'is refused on purpose')
      const note = work.make(Note, { id: work.newId(), text: body.text })
      if (body.behave === 'throw') throw new Error('a bug, on purpose')
      return {
        body: JSON.stringify({ ...note, after: lastEventSequence }),
        events: [{ type: 'note.added', data: JSON.stringify(note), previous: null }],
      }
    },
  })

export const noteEndpoint = noteEndpointThat({})
export const testEndpoints: readonly Endpoint[] = [noteEndpoint]

/** A need that runs a statement, whatever it gives. */
export const runs = (text: string): Need<null> => ({
  ask: (load, tenantId) =>
    load.source(`${text} of ${tenantId}`, () => ({ query: () => ({ text, values: [] }), take: () => {} })),
  see: () => null,
})

const testSettings: Deciding['settings'] = {
  freePlanVariantsMax: 50,
  webhookSubscriptionsMax: 100,
  secrets: secretBox([Buffer.alloc(32)]),
}

/** What a unit of work of these endpoints is run with. */
export const unitDependencies = (endpoints: readonly CommandEndpoint[]): UnitDependencies => ({
  endpointById: commandsById(endpoints),
  due,
  settings: testSettings,
})

type RunnerOptions = Pick<TransactionsOptions, 'clock' | 'coolsDown'> & {
  /** Told of each command with what should not have happened to it. */
  readonly onFault?: (error: unknown, command: Command) => void
}
/** `alone`: the tenant was slow a moment ago. `onEnded` is told what has ended as soon as it is committed. */
export type RunOptions = {
  readonly alone?: boolean
  readonly onEnded?: (ended: readonly Ended[]) => void
  readonly onSlow?: () => void
}
export type UnitRunner = {
  /** The commands that ended, in their order: all, or the first where the rest would go back into the queue. */
  readonly run: (batch: TenantBatch, options?: RunOptions) => Promise<Ended[]>
  readonly close: () => Promise<void>
}

/** Runs commands as a worker does, but for the queue. */
export const unitRunner = (
  databaseUrl: string,
  endpoints: readonly CommandEndpoint[],
  options: RunnerOptions = {},
): UnitRunner => unitRunnerWith({ databaseUrl, ...unitDependencies(endpoints), ...options })

export function unitRunnerWith({ onFault = () => {}, ...options }: TransactionsOptions & RunnerOptions): UnitRunner {
  const units = new UnitsOfCell(options)
  const knows = (command: Command) => isKnown(command, options)
  const cells = { isOne: true, knows, home: () => 'main', unitsOf: () => units, placeOf: async () => undefined }
  return {
    run: async (batch, { alone = false, onEnded, onSlow } = {}) => {
      const taken: TakenBatch = { ...batch, isSlow: alone }
      const ended: Ended[] = []
      for await (const step of runBatch(taken, cells)) {
        if (step.is === 'put back') {
          if (step.why === 'slow') onSlow?.()
          continue
        }
        if (step.fault !== undefined) for (const { command } of step.ended) onFault(step.fault, command)
        ended.push(...step.ended)
        onEnded?.(step.ended)
      }
      return ended
    },
    close: () => units.close(),
  }
}

/** What became of commands, in a word each. */
export const wordsOf = (ended: readonly Ended[]): string[] =>
  ended.map(({ outcome }) => (outcome.kind === 'done' ? 'done' : outcome.refusal.refusal))

/** The table that `addNote` writes. */
export async function createNotesTable(pool: Pool): Promise<void> {
  await pool.query(
    statement`create table if not exists notes (tenant_id bigint not null, id bigint primary key default nextval('ids'), text text not null)`,
  )
}

/** A tenant of its own for a test. */
export async function createNotesTenant(pool: Pool): Promise<string> {
  const { tenant_id } = await pool.one(rows(v.object({ tenant_id: v.string() }))`
    with made as (insert into tenants (name, owner_email, plan) values ('Test', 'owner@test.example', 'pro') returning tenant_id)
    insert into tenant_streams (tenant_id) select tenant_id from made returning tenant_id`)
  return tenant_id
}

export async function notesOf(pool: Pool, tenantId: string): Promise<string[]> {
  return (
    await pool.any(
      rows(v.object({ text: v.string() }))`select text from notes where tenant_id = ${tenantId} order by id`,
    )
  ).map(row => row.text)
}

/** A command for `addNote`; what is not said is new. */
export function noteCommand(
  tenantId: string,
  replyTo: string,
  note: string,
  given: Partial<Command> & { behave?: string } = {},
): Command {
  const { behave, ...rest } = given
  return {
    requestId: `req_${randomBytes(8).toString('hex')}`,
    tenantId,
    endpoint: 'addNote',
    actor: { keyId: '1', userName: 'Tester' },
    idempotencyKey: randomBytes(8).toString('hex'),
    fingerprint: Buffer.from(note).toString('hex').padEnd(64, '0').slice(0, 64),
    params: {},
    body: { text: note, ...(behave ? { behave } : {}) },
    replyTo,
    quota: null,
    acceptedAt: Date.now(),
    ...rest,
  }
}

/** Settings for a test's services. */
export function testConfig(services: { databaseUrl: string; redisUrl: string }, env: Record<string, string> = {}) {
  return loadConfig({
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    PORT: '0',
    ADMIN_PORT: '0',
    LOG_LEVEL: 'silent',
    WEBHOOK_SECRET_KEY: 'a'.repeat(64),
    // The longest: that a machine is busy elsewhere is no fault.
    COMMAND_DEADLINE_MS: '60000',
    // What a connection must load before it is fast costs more than its statements.
    DATABASE_POOL_SIZE: '4',
    ...env,
  })
}

type Settled = {
  readonly outcome: 'done' | 'replayed' | 'refused'
  readonly status?: number
  readonly body?: string | null
  readonly spent?: number
}

/** Settles commands as a worker does; answers the duplicates that wait for the outcome. */
export function settler(redis: Redis, tagOf: (tenantId: string) => string) {
  const end = endCommands(redis, { tagOf })
  return async (
    command: Command,
    { outcome, status = 0, body = null, spent }: Settled,
  ): Promise<readonly Address[]> => {
    const settled: Outcome =
      outcome === 'refused'
        ? { kind: 'refused', refusal: internalError, spent }
        : { kind: 'done', status, body, replayed: outcome === 'replayed', spent }
    const { waiting } = await end({ tenantId: command.tenantId, settled: [{ command, outcome: settled }] })
    return waiting.flat()
  }
}
