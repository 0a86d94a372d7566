/**
 * Gathers what is ready of many tenants into units of work, and keeps them apart where one fails: a command that throws, times out
 * or waits for a lock costs the others one repeat, never their answer. What happens inside is lib/documents/unit-of-work.ts.
 */
import { runBulk } from '../../lib/documents/bulk-of-work.ts'
import {
  type Portion,
  type Ran,
  type Result,
  runUnit,
  type UnitDependencies,
} from '../../lib/documents/unit-of-work.ts'
import {
  type Command,
  internalError,
  isBulk,
  type Outcome,
  tenantGone,
  unavailable,
  weightOf,
} from '../../lib/pipeline/command.ts'
import { LEASE_MS } from '../../lib/pipeline/tenant-queues.ts'
import { isDependencyFailure, isStatementFailure } from '../../lib/postgres/failures.ts'
import { withPlansByKey } from '../../lib/postgres/postgres.ts'
import { type RoundTripConnection, RoundTripPool } from '../../lib/postgres/round-trip-pool.ts'
import { commandMetrics } from '../../lib/telemetry/metrics.ts'
import { inSpan, SpanKind, type SpanOptions } from '../../lib/tracing/tracing.ts'

/** Commands of one unit of work, at most. 16 share nearly all that can be shared; see docs/performance.md. */
const COMMANDS_MAX = 32
/** Those of one tenant that nobody waits beside: the entries of a bulk, which come together. */
const COMMANDS_MAX_OF_ONE = 128
/** Rows that the commands of one unit bring along, at most; one that brings more runs by itself. */
const ROWS_MAX = 400
/** Units of work at once: a second one only when it is full, since few large ones cost less than many small ones. */
const UNITS_MAX = 2
/** Tenants at once that run by themselves after a failure; and as many that wait there for what another holds, or are slow. */
const ALONE_MAX = 4
/** What has taken as long by itself is slow: what is left of its portion runs later, apart from the others. */
const SLOW_MS = 3_000

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

export type UnitRunnerOptions = UnitDependencies & {
  readonly databaseUrl: string
  /** Whether to refuse at once what comes soon after the database was lost: it would hold places of other databases' tenants. */
  readonly rests?: boolean
  /** Reports what should not happen; it must not throw. */
  readonly onFault: (error: unknown, command: Command) => void
  /** Told after a commit that the tenant has new events, and whether its webhooks may have work to do; it must not throw. */
  readonly onEvents?: (tenantId: string, of: { readonly hasWebhooks: boolean }) => void
}

/** How a portion is run; what it tells must not throw. */
export type RunOptions = {
  /** Whether it keeps out of units with others, and runs command by command: its tenant was slow a moment ago. */
  readonly alone?: boolean
  /** Told the next outcomes as soon as they are committed. */
  readonly onOutcomes?: (outcomes: readonly Outcome[]) => void
  /** Told of a portion that was slow, and is given back with its first outcomes only. */
  readonly onSlow?: () => void
  /** Told of a tenant that does not live here: then nothing more of its portion is answered. Absent: it is refused. */
  readonly onGone?: () => void
  /** Told of a tenant whose writes rest while it is moved: its portion is given back with its first outcomes only. Absent: it is refused. */
  readonly onMoving?: () => void
}

const noEvents = { hasEvents: false, hasWebhooks: false } as const

type Waiting = Portion & {
  readonly left: Command[]
  readonly outcomes: Outcome[]
  readonly options: RunOptions
  readonly resolve: (outcomes: Outcome[]) => void
}

export class UnitRunner {
  readonly #options: UnitRunnerOptions
  readonly #together: RoundTripPool
  readonly #prompt: RoundTripPool
  readonly #patient: RoundTripPool
  /** In the order in which they go next; those of a tenant stand in its order, and one unit takes from each once. */
  #waiting: Waiting[] = []
  #running = 0
  /** Until when the database is left alone; 0: it was there. */
  #restsUntil = 0

  constructor(options: UnitRunnerOptions) {
    this.#options = options
    const url = withPlansByKey(options.databaseUrl)
    const idle = { idleInTransactionTimeoutMs: IDLE_TRANSACTION_TIMEOUT_MS }
    const prompt = { ...idle, statementTimeoutMs: TOGETHER_TIMEOUT_MS }
    this.#together = new RoundTripPool(url, { ...prompt, size: UNITS_MAX })
    this.#prompt = new RoundTripPool(url, { ...prompt, size: ALONE_MAX, lockTimeoutMs: PROMPT_LOCK_TIMEOUT_MS })
    this.#patient = new RoundTripPool(url, { ...idle, size: ALONE_MAX, statementTimeoutMs: PATIENT_TIMEOUT_MS })
  }

  /** Once nothing runs any more. */
  async close(): Promise<void> {
    await Promise.all([this.#together.end(), this.#prompt.end(), this.#patient.end()])
  }

  /**
   * The outcomes of the portion's commands, in their order: of all, or of the first, where it was slow. It never throws. One
   * portion of a tenant at a time.
   */
  run(portion: Portion, options: RunOptions = {}): Promise<Outcome[]> {
    const { promise, resolve } = Promise.withResolvers<Outcome[]>()
    const waiting = { ...portion, left: [...portion.commands], outcomes: [], options, resolve }
    if (this.#isResting()) this.#refuseAll(waiting, unavailable)
    else this.#goOn(waiting)
    this.#start()
    return promise
  }

  #isResting(): boolean {
    if (this.#restsUntil === 0) return false
    const now = performance.now()
    if (now < this.#restsUntil) return true
    this.#restsUntil = now + TRIAL_MS
    return false
  }

  /** What is left of the portion goes where it belongs: a bulk has a transaction of its own. */
  #goOn(from: Waiting): void {
    const [next] = from.left
    if (next === undefined) from.resolve(from.outcomes)
    else if (from.options.alone) void this.#runAlone(from, this.#patient)
    else if (isBulk(next)) void this.#runAlone(from, this.#prompt)
    else this.#waiting.push(from)
  }

  #start(): void {
    while (this.#waiting.length > 0 && (this.#running === 0 || (this.#running < UNITS_MAX && this.#isFull()))) {
      this.#running++
      void this.#runTogether(this.#take()).finally(() => {
        this.#running--
        this.#start()
      })
    }
  }

  /** Whether what waits fills a unit. */
  #isFull(): boolean {
    let [count, rows] = [0, 0]
    for (const { left } of this.#waiting)
      for (const command of left) {
        count++
        rows += weightOf(command)
        if (count >= COMMANDS_MAX || rows >= ROWS_MAX) return true
      }
    return false
  }

  /** Of those who wait as much as fits, each no more than its share while others wait. */
  #take(): { readonly from: Waiting; readonly commands: Command[] }[] {
    const countMax = this.#waiting.length === 1 ? COMMANDS_MAX_OF_ONE : COMMANDS_MAX
    const share = Math.max(1, Math.floor(countMax / this.#waiting.length))
    const taken: { from: Waiting; commands: Command[] }[] = []
    let [count, rows] = [0, 0]
    for (const from of this.#waiting) {
      const commands: Command[] = []
      for (const command of from.left) {
        const weight = weightOf(command)
        if (isBulk(command)) break
        if (commands.length === share || count === countMax || (count > 0 && rows + weight > ROWS_MAX)) break
        commands.push(command)
        count++
        rows += weight
      }
      if (commands.length > 0) taken.push({ from, commands })
      if (count === countMax || rows >= ROWS_MAX) break
    }
    const gone = new Set(taken.map(({ from }) => from))
    this.#waiting = this.#waiting.filter(from => !gone.has(from))
    return taken
  }

  async #runTogether(taken: readonly { readonly from: Waiting; readonly commands: Command[] }[]): Promise<void> {
    const portions = taken.map(({ from: { tenantId, instead }, commands }) => ({ tenantId, commands, instead }))
    try {
      const results = await this.#together.use(connection => this.#runUnit(connection, portions, { waits: false }))
      this.#restsUntil = 0
      for (const [at, { from }] of taken.entries()) {
        const result = results[at] ?? 'held'
        if (result === 'held') void this.#runAlone(from, this.#patient)
        else if (result === 'gone' || result === 'moving') this.#leave(from, result)
        else this.#note(from, result)
      }
    } catch (error) {
      if (isLost(error)) for (const { from } of taken) this.#giveUp(from, error)
      else for (const { from } of taken) void this.#runAlone(from, this.#prompt)
    }
  }

  async #runUnit(
    connection: RoundTripConnection,
    portions: readonly Portion[],
    { waits }: { readonly waits: boolean },
  ): Promise<readonly Result[]> {
    return this.#measured(portions, () => runUnit(connection, portions, { ...this.#options, waits }))
  }

  async #measured<T>(portions: readonly Portion[], run: () => Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await inSpan('unit of work', unitSpan(portions), run)
    } finally {
      const commands = portions.reduce((sum, portion) => sum + portion.commands.length, 0)
      commandMetrics.unit({ commands, seconds: (performance.now() - began) / 1_000 })
    }
  }

  #note(from: Waiting, result: Ran): void {
    this.#add(from, result)
    this.#goOn(from)
  }

  #add(from: Waiting, { outcomes, hasEvents, hasWebhooks }: Ran): void {
    from.outcomes.push(...outcomes)
    from.left.splice(0, outcomes.length)
    from.options.onOutcomes?.(outcomes)
    if (hasEvents) this.#options.onEvents?.(from.tenantId, { hasWebhooks })
  }

  #giveUp(from: Waiting, error: unknown): void {
    if (this.#options.rests) this.#restsUntil = performance.now() + REST_MS
    for (const command of from.left) {
      this.#options.onFault(error, command)
    }
    this.#refuseAll(from, unavailable)
  }

  #leave(from: Waiting, why: 'gone' | 'moving'): void {
    const tell = why === 'gone' ? from.options.onGone : from.options.onMoving
    if (tell === undefined) this.#refuseAll(from, why === 'gone' ? tenantGone : unavailable)
    tell?.()
    from.resolve(from.outcomes)
  }

  #refuseAll(from: Waiting, outcome: Outcome): void {
    this.#add(from, { outcomes: from.left.map(() => outcome), ...noEvents })
    from.resolve(from.outcomes)
  }

  /** The tenant by itself, first as a whole, then command by command; what does not get on is patient from then on. */
  async #runAlone(from: Waiting, pool: RoundTripPool): Promise<void> {
    let size = from.options.alone ? 1 : COMMANDS_MAX
    while (from.left.length > 0) {
      const commands = nextOf(from.left, size)
      let began = 0
      try {
        const result = await pool.use(connection => {
          began = performance.now() // to wait for a connection is not to be slow
          return this.#runOne(
            connection,
            { ...from, commands },
            { waits: pool === this.#patient, oneByOne: size === 1 },
          )
        })
        this.#restsUntil = 0
        if (result === 'gone' || result === 'moving') return this.#leave(from, result)
        if (result === 'held') pool = this.#patient
        else this.#add(from, result)
      } catch (error) {
        if (isLost(error)) return this.#giveUp(from, error)
        const [command] = commands
        if (commands.length > 1 || !command) size = 1
        else if (isStatementFailure(error) && pool === this.#prompt) pool = this.#patient
        else if (isStatementFailure(error) && isBulk(command) && size > 1) size = 1
        else await this.#refuse(from, command, error)
      }
      if (performance.now() - began < SLOW_MS) continue
      from.options.onSlow?.()
      break
    }
    from.resolve(from.outcomes)
  }

  async #runOne(
    connection: RoundTripConnection,
    { tenantId, commands, instead }: Portion,
    options: { readonly waits: boolean; readonly oneByOne?: boolean },
  ): Promise<Result> {
    const [bulk] = commands
    if (bulk && isBulk(bulk))
      return this.#measured([{ tenantId, commands: bulk.entries }], () =>
        runBulk(connection, bulk, { ...this.#options, ...options, instead }),
      )
    const [result = 'held'] = await this.#runUnit(connection, [{ tenantId, commands, instead }], options)
    return result
  }

  /** A fault of one command. Its copy may be spared it, so the refusal is remembered before anybody hears it. */
  async #refuse(from: Waiting, command: Command, error: unknown): Promise<void> {
    this.#options.onFault(error, command)
    const open: Ran = { outcomes: [unavailable], ...noEvents }
    const refused = { tenantId: from.tenantId, commands: [command], instead: internalError }
    const result =
      isDependencyFailure(error) || from.instead
        ? open
        : await this.#patient.use(connection => this.#runOne(connection, refused, { waits: true })).catch(() => open)
    this.#add(from, typeof result === 'string' ? open : result)
  }
}

/** As many of the commands as run together; a bulk by itself. */
function nextOf(left: readonly Command[], size: number): readonly Command[] {
  const bulk = left.findIndex(isBulk)
  return left.slice(0, bulk === -1 ? size : Math.max(1, Math.min(bulk, size)))
}

/** The connection is gone, or Postgres: it tells nothing about the commands. */
const isLost = (error: unknown): boolean => isDependencyFailure(error) && !isStatementFailure(error)

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
