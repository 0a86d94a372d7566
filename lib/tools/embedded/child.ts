/** One child process: its own process group, its output as lines, its end as a promise, and its orderly stop. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { guard } from './guard.ts'

/** How a process ended: its exit code, or the signal that killed it. */
export type ProcessEnd = { code: number | null; signal: NodeJS.Signals | null }

/** A running process. `ended` never rejects. `stop` resolves when the process is gone, and may be called repeatedly. */
export type Running = { pid: number; ended: Promise<ProcessEnd>; stop(): Promise<void> }

type ChildOptions = {
  file: string
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** The user to run as; null: our own. */
  account?: { uid: number; gid: number } | null
  /** The signal for an orderly end. */
  stopSignal: 'SIGTERM' | 'SIGINT'
  /** After this time the whole group is killed. */
  stopGraceMs: number
  onLine: (line: string) => void
}

/**
 * Starts a process in a process group of its own, so that a terminal's Ctrl-C reaches only this process, which keeps the order of the
 * shutdown. Rejects when the file cannot be run.
 */
export async function startChild(options: ChildOptions): Promise<Running> {
  const child = spawn(options.file, options.args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.account ?? {}),
  })
  // 'exit' instead of 'close': a grandchild that still has the pipes open must not hide the death of its parent.
  const ended = new Promise<ProcessEnd>(resolve => child.once('exit', (code, signal) => resolve({ code, signal })))
  forwardLines(child.stdout, options.onLine)
  forwardLines(child.stderr, options.onLine)
  const { pid } = child
  // Without an id the process does not exist, and 'error' says why.
  if (pid === undefined) return new Promise((_, reject) => child.once('error', reject))
  guard.add(pid, options.stopSignal)
  child.on('error', () => {})
  let isOver = false
  void ended.then(() => {
    isOver = true
    guard.remove(pid)
  })

  let stopping: Promise<void> | undefined
  const stopOnce = async () => {
    if (isOver) return
    signalQuietly(pid, options.stopSignal)
    const timer = setTimeout(() => signalQuietly(-pid, 'SIGKILL'), options.stopGraceMs)
    await ended
    clearTimeout(timer)
  }
  return {
    pid,
    ended,
    stop: () => {
      stopping ??= stopOnce()
      return stopping
    },
  }
}

/** The environment of a service that needs only the search path. */
export function searchPath(): { PATH: string | undefined } {
  const { PATH } = process.env
  return { PATH }
}

function forwardLines(stream: Readable, onLine: (line: string) => void): void {
  // A pipe may break when its process is killed. 'exit' reports the end.
  stream.on('error', () => {})
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine)
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process ended between our check and our signal.
  }
}
