/** What was taken from a tenant's queue, as take.lua answers it. */
import type { Command } from './command.ts'

/** A command in a queue, with the id of its job, and which attempt at it this is: 1, unless its last holder died. */
export type QueuedCommand = { readonly jobId: string; readonly command: Command; readonly attempt: number }

/**
 * Commands whose holder died are abandoned. Taken are: `skip`, those that wait; `resume`, an abandoned one first, which runs now and so is
 * counted; `peek`, the same without counting: it may have to wait, and its next holder die of another.
 */
export type Abandoned = 'skip' | 'resume' | 'peek'
/** As take.lua has it. */
export const codeOf = { skip: '0', resume: '1', peek: '2' } as const satisfies Record<Abandoned, string>

/** What was taken, how many commands wait behind it, and whether the tenant is slow: then they come one by one. */
export type Taken = { readonly queued: readonly QueuedCommand[]; readonly waiting: number; readonly isSlow: boolean }

export function readTaken([waiting, slow, ...jobs]: readonly unknown[]): Taken {
  const queued: QueuedCommand[] = []
  for (let at = 0; at < jobs.length; at += 3) {
    const command = JSON.parse(String(jobs[at + 1])) as Command
    queued.push({ jobId: String(jobs[at]), command, attempt: Number(jobs[at + 2]) })
  }
  return { queued, waiting: Number(waiting), isSlow: Number(slow) === 1 }
}
