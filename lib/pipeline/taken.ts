/** The commands that were taken from a tenant's queue, in the form of take.lua. */
import type { Command } from './command.ts'

/** A command in a queue, with the id of its job and the number of this attempt: 1, unless its last worker died. */
export type QueuedCommand = { readonly jobId: string; readonly command: Command; readonly attempt: number }

/**
 * What to do with abandoned commands. `skip`: takes waiting commands only. `resume`: takes an abandoned command first and counts the
 * attempt, because it runs now. `peek`: the same without counting: the command may have to wait, and its next worker may die of another
 * one.
 */
export type Abandoned = 'skip' | 'resume' | 'peek'
/** The codes of take.lua. */
export const codeOf = { skip: '0', resume: '1', peek: '2' } as const satisfies Record<Abandoned, string>

/** The taken commands, how many wait after them, and whether the tenant is slow (its commands then come one by one). */
export type Taken = { readonly queued: readonly QueuedCommand[]; readonly waiting: number; readonly isSlow: boolean }

export function readTaken([waiting, slow, ...jobs]: readonly unknown[]): Taken {
  const queued: QueuedCommand[] = []
  for (let at = 0; at < jobs.length; at += 3) {
    const command = JSON.parse(String(jobs[at + 1])) as Command
    queued.push({ jobId: String(jobs[at]), command, attempt: Number(jobs[at + 2]) })
  }
  return { queued, waiting: Number(waiting), isSlow: Number(slow) === 1 }
}
