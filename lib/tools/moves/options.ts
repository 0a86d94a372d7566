/** The options of a move, and its reports about its steps. */
import type { Redis } from '../../platform/redis/redis.ts'
import type { Mover, MoverOptions } from './mover.ts'
import type { NotedMove } from './noted.ts'

export const steps = [
  'noted',
  'watched',
  'copied',
  'caught up',
  'webhooks are paused',
  'writes are paused',
  'complete',
  'switched',
  'left the source',
  'arrived',
  'cleared',
] as const
export type Step = (typeof steps)[number]

/** Changes that were copied while the tenant wrote. */
export type Round = { readonly round: number; readonly rows: number; readonly ms: number }

export type MoveOptions = MoverOptions & {
  readonly redis: Redis
  /** The setting of the service. */
  readonly queueShards: number
  /** `onStep` is called after each step, `onRows` for copied rows, `onRound` for each round. */
  readonly onStep?: (step: Step) => void
  readonly onRows?: (rows: number) => void
  readonly onRound?: (round: Round) => void
  /** Called with how long the writes were paused, in ms: more than once where they continued in between. */
  readonly onPaused?: (ms: number) => void
  readonly keptMs?: number
  readonly pauseMsMax?: number
  readonly fewRows?: number
}

/** A move, and its present mover. */
export type Moving = { readonly move: NotedMove; readonly mover: Mover }
