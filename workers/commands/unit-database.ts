/**
 * The database as units of work have it: connections by how long their statements may wait, the time and the trace of each unit, and a
 * rest after it was lost. What happens inside a unit is lib/documents/unit-of-work.ts.
 */
import { runBulk } from '../../lib/documents/bulk-of-work.ts'
import { TenantBusyError } from '../../lib/documents/opening.ts'
import { type Portion, type Result, runUnit, type UnitDependencies } from '../../lib/documents/unit-of-work.ts'
import { isBulk } from '../../lib/pipeline/command.ts'
import { LEASE_MS } from '../../lib/pipeline/tenant-queues.ts'
import { isDependencyFailure, isStatementFailure } from '../../lib/postgres/failures.ts'
import { withPlansByKey } from '../../lib/postgres/postgres.ts'
import { type RoundTripConnection, RoundTripPool } from '../../lib/postgres/round-trip-pool.ts'
import { commandMetrics } from '../../lib/telemetry/metrics.ts'
import { inSpan, SpanKind, type SpanOptions } from '../../lib/tracing/tracing.ts'

/** Units of many tenants at once. */
export const UNITS_MAX = 2
/** Tenants at once that run by themselves after a failure; and as many that wait there for what another holds, or are slow. */
const ALONE_MAX = 4

/** A statement of many tenants' commands ends soon, so that one that waits delays the others less than a second. */
const TOGETHER_TIMEOUT_MS = 750
/** Who runs by itself waits so long for a lock, and then again among those that are patient: the others are behind it. */
const PROMPT_LOCK_TIMEOUT_MS = 100
/** Statements must end before the lease on the tenant does. */
const PATIENT_TIMEOUT_MS = LEASE_MS - 500
/** A frozen worker must free its tenants. */
const IDLE_TRANSACTION_TIMEOUT_MS = 3_000

/** One of several databases that was lost is left alone for so long, and then tried by one portion, which may take as long as this. */
const REST_MS = 1_000
const TRIAL_MS = 5_000

export type UnitDatabaseOptions = UnitDependencies & {
  readonly databaseUrl: string
  /** Whether to refuse at once what comes soon after the database was lost: it would hold places of other databases' tenants. */
  readonly rests?: boolean
}

/** How a portion runs by itself: who is patient waits for what others hold; one by one run its commands, and a bulk's entries. */
export type Care = { readonly patience: 'prompt' | 'patient'; readonly oneByOne: boolean }

type Pools = Readonly<Record<'together' | Care['patience'], RoundTripPool>>

export class UnitDatabase {
  readonly #options: UnitDatabaseOptions
  readonly #pools: Pools
  /** Until when the database is left alone; 0: it was there. */
  #restsUntil = 0

  constructor(options: UnitDatabaseOptions) {
    this.#options = options
    const url = withPlansByKey(options.databaseUrl)
    const idle = { idleInTransactionTimeoutMs: IDLE_TRANSACTION_TIMEOUT_MS }
    const prompt = { ...idle, statementTimeoutMs: TOGETHER_TIMEOUT_MS }
    this.#pools = {
      together: new RoundTripPool(url, { ...prompt, size: UNITS_MAX }),
      prompt: new RoundTripPool(url, { ...prompt, size: ALONE_MAX, lockTimeoutMs: PROMPT_LOCK_TIMEOUT_MS }),
      patient: new RoundTripPool(url, { ...idle, size: ALONE_MAX, statementTimeoutMs: PATIENT_TIMEOUT_MS }),
    }
  }

  /** Once nothing runs any more. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map(pool => pool.end()))
  }

  /** Whether the next portion must be refused; where it need not be after a rest, it is the trial. */
  isResting(): boolean {
    if (this.#restsUntil === 0) return false
    const now = performance.now()
    if (now < this.#restsUntil) return true
    this.#restsUntil = now + TRIAL_MS
    return false
  }

  /** Runs portions of many tenants in one unit. @throws as `runUnit` */
  runTogether(portions: readonly Portion[]): Promise<ReadonlyMap<string, Result>> {
    const options = { ...this.#options, waits: false }
    return this.#run('together', portions, connection => runUnit(connection, portions, options))
  }

  /**
   * Runs a portion in a unit of its own, or the bulk that it begins with. `onBegin` is told when it has a connection.
   * @throws as `runUnit` and `runBulk`
   */
  async runAlone(portion: Portion, { patience, oneByOne }: Care, onBegin = () => {}): Promise<Result> {
    const options = { ...this.#options, waits: patience === 'patient' }
    const [bulk] = portion.commands
    if (bulk && isBulk(bulk))
      return this.#run(patience, [{ ...portion, commands: bulk.entries }], connection => {
        onBegin()
        return runBulk(connection, bulk, { ...options, oneByOne, instead: portion.instead })
      })
    const results = await this.#run(patience, [portion], connection => {
      onBegin()
      return runUnit(connection, [portion], options)
    })
    return results.get(portion.tenantId) ?? 'held'
  }

  async #run<T>(
    pool: keyof Pools,
    portions: readonly Portion[],
    run: (connection: RoundTripConnection) => Promise<T>,
  ): Promise<T> {
    try {
      const result = await this.#pools[pool].use(connection => measured(portions, () => run(connection)))
      this.#restsUntil = 0
      return result
    } catch (error) {
      // A tenant that another holds says nothing about the others of its cell.
      const isAway = isLost(error) && !(error instanceof TenantBusyError)
      if (this.#options.rests && isAway) this.#restsUntil = performance.now() + REST_MS
      throw error
    }
  }
}

/** The connection is gone, or Postgres: it tells nothing about the commands. */
export const isLost = (error: unknown): boolean => isDependencyFailure(error) && !isStatementFailure(error)

async function measured<T>(portions: readonly Portion[], run: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await inSpan('unit of work', unitSpan(portions), run)
  } finally {
    const commands = portions.reduce((sum, portion) => sum + portion.commands.length, 0)
    commandMetrics.unit({ commands, seconds: (performance.now() - began) / 1_000 })
  }
}

/** One span for the transaction; the trace is the first command's, and refers to the others'. */
function unitSpan(portions: readonly Portion[]): SpanOptions {
  const commands = portions.flatMap(portion => portion.commands)
  return {
    kind: SpanKind.CONSUMER,
    cause: commands[0]?.trace,
    links: commands.slice(1).map(({ trace }) => trace),
    attributes: {
      'millrace.tenants': portions.length,
      'messaging.batch.message_count': commands.length,
      'millrace.queue_ms': Date.now() - (commands[0]?.acceptedAt ?? Date.now()),
    },
  }
}
