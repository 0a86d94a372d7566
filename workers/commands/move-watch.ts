/**
 * Watches the moves of tenants between cells: continues moves whose mover is gone, and reports metrics. lib/tools/moves defines a move
 * (docs/decisions/0010-cells.md, "How a tenant moves").
 */
import type { Config } from '../../lib/platform/config.ts'
import type { Redis } from '../../lib/platform/redis/redis.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { gauge } from '../../lib/platform/telemetry/metrics.ts'
import { clearWatch, moveTenant, takeUp } from '../../lib/tools/moves/move.ts'
import { MovedByAnother } from '../../lib/tools/moves/mover.ts'
import { type ListedMove, listMoves, pausedForNone, watchedForNone } from '../../lib/tools/moves/noted.ts'
import type { MoveOptions } from '../../lib/tools/moves/options.ts'
import { type Repeating, repeat } from '../repeat.ts'
import type { Cells } from '../worker-process.ts'

const PAUSES = {
  lookEveryMs: 5_000,
  /** The pause between two tries for one tenant, in one process. */
  tryEveryMs: 30_000,
  /**
   * `cell drain` removes the rows that its moves have left after all moves are done. If it ended earlier, a worker removes them after this
   * time.
   */
  removeAfterMs: 60_000,
}

type Services = {
  readonly config: Pick<Config, 'queueShards'>
  readonly cells: Cells
  readonly redis: Redis
  readonly log: Log
}
type Limits = Pick<MoveOptions, 'keptMs' | 'pauseMsMax' | 'fewRows'>
/**
 * `left`: the tenant is served, and its old cell still has its rows. `lost`: `main` has lost its record of a move, and writes are still
 * paused for it.
 */
const states = ['under_way', 'broken_off', 'lost', 'left'] as const
type State = (typeof states)[number]

const stateOf = ({ isUnderWay, arrivedSince }: ListedMove): State =>
  isUnderWay ? 'under_way' : arrivedSince === null ? 'broken_off' : 'left'

type Seen = { readonly state: State; readonly ageSeconds: number }

/** Starts the watch. `close` interrupts running moves, and another process continues them. */
export function startMoveWatch(services: Services, options: Partial<typeof PAUSES> & Limits = {}): Repeating {
  const { lookEveryMs, ...others } = { ...PAUSES, ...options }
  const watch = new MoveWatch(services, others)
  gauge('millrace_tenant_moves', 'Moves of tenants between cells that are not over, by state', ['state'], set => {
    for (const state of states) set({ state }, watch.seen.filter(each => each.state === state).length)
  })
  gauge('millrace_tenant_move_oldest_seconds', 'Time since the oldest of them began', ['state'], set => {
    for (const state of states)
      set({ state }, Math.max(0, ...watch.seen.flatMap(each => (each.state === state ? [each.ageSeconds] : []))))
  })
  const looking = repeat(() => watch.look(), { pauseMs: () => lookEveryMs })
  return {
    close: async () => {
      await Promise.all([watch.stop(), looking.close()])
      // The last check may have started a move.
      await watch.stop()
    },
  }
}

class MoveWatch {
  seen: readonly Seen[] = []
  readonly #cells: Cells
  readonly #log: Log
  readonly #options: MoveOptions
  readonly #pauses: Omit<typeof PAUSES, 'lookEveryMs'>
  /** When a tenant's move may be tried again, in ms of this process's clock. */
  readonly #notBefore = new Map<string, number>()
  /** Running moves by tenant. A large one takes long and delays no other tenant. */
  readonly #running = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(
    { config, cells, redis, log }: Services,
    { tryEveryMs, removeAfterMs, ...options }: Omit<typeof PAUSES, 'lookEveryMs'> & Limits,
  ) {
    this.#cells = cells
    this.#log = log
    this.#pauses = { tryEveryMs, removeAfterMs }
    this.#options = {
      cells: cells.map(({ name, databaseUrl, pool }) => ({ name, databaseUrl, pool: async () => pool })),
      redis,
      queueShards: config.queueShards,
      signal: this.#stopping.signal,
      ...options,
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#running.values())
  }

  async look(): Promise<void> {
    const [main] = this.#cells
    try {
      const moves = await listMoves(main.pool)
      const lost = (await Promise.all(this.#cells.map(cell => this.#lostIn(cell)))).flat()
      this.seen = [
        ...moves.map(move => ({ state: stateOf(move), ageSeconds: move.ageSeconds })),
        ...lost.map(() => ({ state: 'lost', ageSeconds: 0 }) as const),
      ]
      const brokenOff = moves.filter(move => stateOf(move) === 'broken_off')
      for (const move of brokenOff) this.#start(move)
      for (const { tenantId, cell } of lost)
        await this.#try({ tenantId, from: cell, to: cell }, async () => {
          await moveTenant({ tenantId, to: cell }, this.#options)
          return 'given up'
        })
      // Done last, because nothing waits for it.
      const left = moves.filter(
        move => stateOf(move) === 'left' && Number(move.arrivedSince) > this.#pauses.removeAfterMs,
      )
      for (const move of left) await this.#try(move, () => takeUp(move.tenantId, this.#options))
      for (const cell of this.#cells) await this.#clearWatches(cell)
    } catch (error) {
      this.#log.warn({ err: error }, 'looking for moves of tenants failed')
    }
  }

  /** Other parts report a cell that cannot be reached. */
  async #lostIn({ name, pool }: Cells[number]): Promise<{ readonly tenantId: string; readonly cell: string }[]> {
    const [main] = this.#cells
    const found = await pausedForNone(main.pool, { name, pool }).catch(() => [])
    return found.map(({ tenantId }) => ({ tenantId, cell: name }))
  }

  #start(move: ListedMove): void {
    const { tenantId } = move
    if (this.#running.has(tenantId)) return
    const running = this.#try(move, () => takeUp(tenantId, this.#options))
    this.#running.set(
      tenantId,
      running.finally(() => this.#running.delete(tenantId)),
    )
  }

  async #clearWatches({ name, pool }: Cells[number]): Promise<void> {
    const [main] = this.#cells
    for (const tenantId of await watchedForNone(main.pool, { name, pool }).catch(() => []))
      await this.#try({ tenantId, from: name, to: name }, async () => {
        await clearWatch(tenantId, name, this.#options)
        return 'nothing'
      })
  }

  async #try(
    { tenantId, from, to }: Pick<ListedMove, 'tenantId' | 'from' | 'to'>,
    work: () => Promise<string>,
  ): Promise<void> {
    const now = performance.now()
    if (this.#stopping.signal.aborted || now < (this.#notBefore.get(tenantId) ?? 0)) return
    this.#notBefore.set(tenantId, now + this.#pauses.tryEveryMs)
    const of = { tenant_id: tenantId, from, to }
    try {
      const outcome = await work()
      this.#notBefore.delete(tenantId)
      if (outcome !== 'nothing') this.#log.warn({ ...of, outcome }, 'a move of a tenant broke off and was taken up')
    } catch (error) {
      if (this.#stopping.signal.aborted || error instanceof MovedByAnother) return
      this.#log.error({ ...of, err: error }, 'a move of a tenant broke off and cannot be taken up')
    }
  }
}
