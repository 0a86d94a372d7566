/**
 * The deadlines of requests. At its deadline a request is answered with 503, whatever PostgreSQL and Redis do. Steps that still wait then
 * have no caller.
 */
import type { Context, DefaultState } from 'koa'
import { type Refusal, refuse } from '../lib/kit/api/errors.ts'
import { lookAgain, looksIn } from '../lib/platform/answer-limit.ts'
import type { Config } from '../lib/platform/config.ts'
import { NoAnswerInTime } from '../lib/platform/within.ts'

/** For a read, and for the steps before the body of a write (key and rate). */
const READ_DEADLINE_MS = 4_250
/** At the end of a write's time, for cancelling its command or looking up its outcome. */
const CANCEL_MS = 1_000
/** At most this share of a write's time is for cancelling. */
const CANCEL_SHARE = 0.1

const safeRetry = 'a retry with the same Idempotency-Key is safe'
/** The deadline passed before a worker began the command. */
export const notBegun = {
  kind: 'refused',
  refusal: refuse('service_unavailable', `The service is busy and did nothing; ${safeRetry}.`, { 'Retry-After': '2' }),
} as const
/** The deadline passed, and it is unknown whether the command ran. */
export const outcomeOpen = {
  kind: 'refused',
  refusal: refuse('service_unavailable', `No answer in time; the outcome is open; ${safeRetry}.`, {
    'Retry-After': '2',
  }),
} as const

type Waiting = { readonly since: number; readonly giveUp: () => void }
/** Requests without an answer, the oldest first. */
const waiting = new Set<Waiting>()
/** Counts checks instead of time: a busy process does not end requests whose answers from PostgreSQL and Redis have arrived. */
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

/** Runs the steps of a request. @throws NoAnswerInTime if the steps take longer than a read may and `giveMoreTime` was not called */
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

/** Begins the longer deadline of a write. Call it before the body is read. */
export function giveMoreTime({ state: { deadline } }: Context): void {
  deadline.stop()
  deadline.beforeMs = performance.now() - deadline.begunAt
}

/**
 * When a write was accepted whose body has just arrived, in ms since 1970. The steps before the body count, and the time in which the body
 * was sent does not.
 */
export const acceptedNow = (ctx: Context): number => Math.round(Date.now() - (ctx.state.deadline.beforeMs ?? 0))

/** When an unanswered command is cancelled, in ms since 1970. */
export const cancelAt = (acceptedAt: number, { commandDeadlineMs }: Config): number =>
  acceptedAt + commandDeadlineMs - Math.min(CANCEL_MS, CANCEL_SHARE * commandDeadlineMs)

/** The result of the work, or `outcomeOpen` at the deadline of the write. */
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
