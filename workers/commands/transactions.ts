/**
 * The database connections of units of work, by how long their statements may wait; the time and trace of each unit; and a pause after the
 * database was disconnected. lib/work/unit.ts runs a unit.
 */

import type { Command } from '../../lib/pipeline/command.ts'
import { LEASE_MS } from '../../lib/pipeline/ready-queue.ts'
import { isDependencyFailure, isStatementFailure } from '../../lib/platform/postgres/failures.ts'
import { withPlansByKey } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { commandMetrics } from '../../lib/platform/telemetry/metrics.ts'
import { inSpan, SpanKind, type SpanOptions } from '../../lib/platform/tracing/tracing.ts'
import { connectionName } from '../../lib/platform/version.ts'
import { TenantBusyError } from '../../lib/work/open.ts'
import type { Result, TenantBatch, UnitDependencies } from '../../lib/work/tenant-run.ts'
import { runUnit } from '../../lib/work/unit.ts'

/** How a tenant batch runs: in a unit with other tenants, or alone. Alone it may wait for a lock. */
export type RunMode = { readonly by: 'unit' | 'itself'; readonly waits: boolean; readonly oneByOne: boolean }
export const shared: RunMode = { by: 'unit', waits: false, oneByOne: false }
/** The mode after a unit with others failed, and for a bulk. */
export const alone: RunMode = { by: 'itself', waits: false, oneByOne: false }
/** The mode if another transaction has locked the tenant. */
export const aloneAndWaiting: RunMode = { by: 'itself', waits: true, oneByOne: false }
/** The mode if the tenant was slow recently, or a command needs many rows. */
export const oneByOne: RunMode = { by: 'itself', waits: true, oneByOne: true }

/**
 * The result of a batch in a unit of work. `disconnected`: the database cannot be reached, which says nothing about the commands. `failed`:
 * any of the commands may be the cause. `ms` is the time on a connection of its own; 0 in a unit with others.
 */
export type Run = { readonly ms: number } & (
  | Result
  | { readonly is: 'disconnected'; readonly error: unknown }
  | { readonly is: 'failed'; readonly error: unknown; readonly isStatement: boolean }
)

/** The most units with many tenants that run at the same time. */
export const UNITS_MAX = 2
/** The most tenants that run alone at the same time after a failure. As many others may wait for locks or be slow. */
const ALONE_MAX = 4

/** A statement in a unit with others is cancelled soon, so that a waiting statement delays the others for less than a second. */
const SHARED_TIMEOUT_MS = 750
/**
 * A batch that runs alone waits this long for a lock. Then it waits again in the pool for waiting batches, and frees this connection for
 * others.
 */
const ALONE_LOCK_TIMEOUT_MS = 100
/** Statements must end before the tenant's lease does. */
const WAITING_TIMEOUT_MS = LEASE_MS - 500
/** A frozen worker must free its tenants. */
const IDLE_TRANSACTION_TIMEOUT_MS = 3_000

/** With several databases, one that was disconnected gets no batch for this long. Then one batch tries it, for at most TRIAL_MS. */
const COOL_DOWN_MS = 1_000
const TRIAL_MS = 5_000

export type TransactionsOptions = UnitDependencies & {
  readonly databaseUrl: string
  /** The names of the connections begin with the name of the process. */
  readonly processName?: string
  /**
   * Whether to refuse batches at once shortly after the database was disconnected: they would hold slots that tenants of other databases
   * need.
   */
  readonly coolsDown?: boolean
}

type Pools = Readonly<Record<'shared' | 'alone' | 'waiting', RoundTripPool>>

export class Transactions {
  readonly #options: TransactionsOptions
  readonly #pools: Pools
  /** Until when the database gets no batch; 0: it was not disconnected. */
  #coolsDownUntil = 0

  constructor(options: TransactionsOptions) {
    this.#options = options
    const url = withPlansByKey(options.databaseUrl)
    const called = (purpose: string) => ({ name: options.processName && connectionName(options.processName, purpose) })
    const idle = { idleInTransactionTimeoutMs: IDLE_TRANSACTION_TIMEOUT_MS }
    const quick = { ...idle, statementTimeoutMs: SHARED_TIMEOUT_MS }
    this.#pools = {
      shared: new RoundTripPool(url, { ...quick, ...called('units'), size: UNITS_MAX }),
      alone: new RoundTripPool(url, {
        ...quick,
        ...called('alone'),
        size: ALONE_MAX,
        lockTimeoutMs: ALONE_LOCK_TIMEOUT_MS,
      }),
      waiting: new RoundTripPool(url, {
        ...idle,
        ...called('patient'),
        size: ALONE_MAX,
        statementTimeoutMs: WAITING_TIMEOUT_MS,
      }),
    }
  }

  /** Call it when nothing runs any more. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map(pool => pool.end()))
  }

  /** Whether the next batch must be refused. After the cool-down the next batch is the trial. */
  isCoolingDown(): boolean {
    if (this.#coolsDownUntil === 0) return false
    const now = performance.now()
    if (now < this.#coolsDownUntil) return true
    this.#coolsDownUntil = now + TRIAL_MS
    return false
  }

  /** Runs batches of many tenants in one unit. Returns the result of each tenant. Never rejects. */
  async runShared(batches: readonly TenantBatch[]): Promise<ReadonlyMap<string, Run>> {
    return this.#run('shared', batches, { waits: false })
  }

  /** Runs a batch, or a bulk, in a unit of its own. Never rejects. */
  async runAlone(batch: TenantBatch, { waits, oneByOne }: RunMode): Promise<Run> {
    let began = Number.POSITIVE_INFINITY
    const onBegin = () => {
      began = performance.now() // waiting for a connection does not make a batch slow
    }
    const runs = await this.#run(waits ? 'waiting' : 'alone', [batch], { waits, oneByOne, onBegin })
    const ms = Math.max(0, performance.now() - began)
    return { ...(runs.get(batch.tenantId) ?? { is: 'locked' }), ms }
  }

  async #run(
    pool: keyof Pools,
    batches: readonly TenantBatch[],
    { onBegin, ...options }: { readonly waits: boolean; readonly oneByOne?: boolean; readonly onBegin?: () => void },
  ): Promise<ReadonlyMap<string, Run>> {
    try {
      const results = await this.#pools[pool].use(connection => {
        onBegin?.()
        return measured(batches, () => runUnit(connection, batches, { ...this.#options, ...options }))
      })
      this.#coolsDownUntil = 0
      return new Map([...results].map(([tenantId, result]) => [tenantId, { ...result, ms: 0 }]))
    } catch (error) {
      const isDisconnected = isDependencyFailure(error) && !isStatementFailure(error)
      // A locked tenant says nothing about other tenants of the cell.
      if (isDisconnected && this.#options.coolsDown && !(error instanceof TenantBusyError))
        this.#coolsDownUntil = performance.now() + COOL_DOWN_MS
      const run: Run = isDisconnected
        ? { is: 'disconnected', error, ms: 0 }
        : { is: 'failed', error, isStatement: isStatementFailure(error), ms: 0 }
      return new Map(batches.map(({ tenantId }) => [tenantId, run]))
    }
  }
}

async function measured<T>(batches: readonly TenantBatch[], run: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await inSpan('unit of work', unitSpan(batches), run)
  } finally {
    const commands = commandsOf(batches).length
    if (commands > 0) commandMetrics.unit({ commands, seconds: (performance.now() - began) / 1_000 })
  }
}

/** The entries of a bulk count one by one. */
const commandsOf = (batches: readonly TenantBatch[]): readonly Command[] =>
  batches.flatMap(({ commands }) => commands.flatMap(command => command.entries ?? [command]))

/** One span for the transaction. It belongs to the trace of the first command and links to the traces of the others. */
function unitSpan(batches: readonly TenantBatch[]): SpanOptions {
  const commands = commandsOf(batches)
  return {
    kind: SpanKind.CONSUMER,
    cause: commands[0]?.trace,
    links: commands.slice(1).map(({ trace }) => trace),
    attributes: {
      'millrace.tenants': batches.length,
      'messaging.batch.message_count': commands.length,
      'millrace.queue_ms': Date.now() - (commands[0]?.acceptedAt ?? Date.now()),
    },
  }
}
