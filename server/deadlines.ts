/**
 * Until when a request is answered, whatever becomes of PostgreSQL and Redis: then it is 503, and what still waits for them has nobody to
 * tell.
 */
import type { Context, DefaultState } from 'koa'
import { type Refusal, refuse } from '../lib/kit/api/errors.ts'
import { lookAgain, looksIn } from '../lib/platform/answer-limit.ts'
import type { Config } from '../lib/platform/config.ts'
import { NoAnswerInTime } from '../lib/platform/within.ts'

/** A read as a whole, and what stands before the body of a write: whose key it is, and its rate. */
const READ_DEADLINE_MS = 4_250
/** What is left of a write's time to cancel its command, or look it up. */
const CANCEL_MS = 1_000
/** Where the time of writes is set to little, it is so much of it. */
const CANCEL_SHARE = 0.1

const safeRetry = 'a retry with the same Idempotency-Key is safe'
/** The deadline passed before anybody took the command. */
export const notBegun = {
  kind: 'refused',
  refusal: refuse('service_unavailable', `The service is busy and did nothing; ${safeRetry}.`, { 'Retry-After': '2' }),
} as const
/** The deadline passed, and whether the command was run is not known. */
export const outcomeOpen = {
  kind: 'refused',
  refusal: refuse('service_unavailable', `No answer in time; the outcome is open; ${safeRetry}.`, {
    'Retry-After': '2',
  }),
} as const

type Waiting = { readonly since: number; readonly giveUp: () => void }
/** Requests whose answer is due, in the order in which they came. */
const waiting = new Set<Waiting>()
/** Looks are counted instead of time: what PostgreSQL and Redis have answered a busy process is not given up. */
let looks = 0

function look(): boolean {
  looks++
  for (const each of waiting) {
    if (looks - each.since <= looksIn(READ_DEADLINE_MS)) break
    waiting.delete(each)
    each.giveUp()
  }
  return waiting.size > 0
}

/** Runs the steps of a request. @throws NoAnswerInTime when they take longer than a read may, and `giveMoreTime` was not called */
export async function answerInTime(ctx: Context, steps: () => Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = () => {
    deadline.isOver = true
    reject(new NoAnswerInTime(`no answer within ${READ_DEADLINE_MS} ms`))
  }
  const own = { since: looks, giveUp }
  const deadline: DefaultState['deadline'] = {
    begunAt: performance.now(),
    isOver: false,
    stop: () => waiting.delete(own),
  }
  ctx.state.deadline = deadline
  waiting.add(own)
  lookAgain(look)
  try {
    await Promise.race([steps(), promise])
  } finally {
    deadline.stop()
  }
}

/** A write has more time than a read, from its body on. */
export function giveMoreTime({ state: { deadline } }: Context): void {
  deadline.stop()
  deadline.beforeMs = performance.now() - deadline.begunAt
}

/**
 * When a write was accepted whose body has just come, in ms since 1970: its time counts what the steps before the body took, and not
 * how long its caller sent it.
 */
export const acceptedNow = (ctx: Context): number => Math.round(Date.now() - (ctx.state.deadline.beforeMs ?? 0))

/** From when on a command that was not answered is cancelled, in ms since 1970. */
export const cancelAt = (acceptedAt: number, { commandDeadlineMs }: Config): number =>
  acceptedAt + commandDeadlineMs - Math.min(CANCEL_MS, CANCEL_SHARE * commandDeadlineMs)

/** What the work of a write answers, or at its deadline that its outcome is open. */
export async function byDeadline<T>(acceptedAt: number, config: Config, work: () => Promise<T>): Promise<T | Refusal> {
  const { promise, resolve } = Promise.withResolvers<Refusal>()
  const leftMs = cancelAt(acceptedAt, config) + CANCEL_MS - Date.now()
  const timer = setTimeout(resolve, Math.max(0, leftMs), outcomeOpen.refusal)
  try {
    return await Promise.race([work(), promise])
  } finally {
    clearTimeout(timer)
  }
}
