/** Owns `npm start` in tests: started on a data folder of its own, looked at through run.json, ended with a signal. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunContents } from '../../lib/tools/embedded/run-file.ts'
import { eventually } from './eventually.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Two kinds of processes that need no database and are up at once. */
export const STAND_INS = join(ROOT, 'test/embedded/stand-in.Procfile')

export type NpmStart = {
  /** The id of npm itself; its negative is the whole group's. */
  pid: number
  dataFolder: string
  /** Everything printed so far on both outputs. */
  output(): string
  /** Resolves with run.json when the banner was printed; rejects with the output when it ended before. */
  ready(): Promise<RunContents>
  /** run.json as it is now. */
  run(): Promise<RunContents>
  /** The process id of a name in run.json. */
  pidOf(name: string): Promise<number>
  /** Resolves with the exit code (null when killed) when npm is gone. */
  exited: Promise<number | null>
  /** SIGTERM to npm alone, and its exit code. */
  stop(): Promise<number | null>
}

// A test that fails half-way must leave nothing running; the guard of the killed run ends its children.
const running = new Set<number>()
process.on('exit', () => {
  for (const pid of running) {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It is gone already.
    }
  }
})

/** Runs `npm start` with arguments and settings; without `PORT` it takes a free one. */
export function npmStart(options: { dataFolder: string; args?: string[]; env?: NodeJS.ProcessEnv }): NpmStart {
  const env = { ...process.env, PORT: '0', MILLRACE_DATA: options.dataFolder, ...options.env }
  const args = ['start', '--silent', '--', ...(options.args ?? [])]
  const npm = spawn('npm', args, { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const pid = npm.pid ?? Number.NaN
  let text = ''
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
  }
  running.add(pid)
  const exited = once(npm, 'close').then(([code]): number | null => {
    running.delete(pid)
    return code
  })
  const run = async () => JSON.parse(await readFile(join(options.dataFolder, 'run.json'), 'utf8')) as RunContents
  return {
    pid,
    dataFolder: options.dataFolder,
    output: () => text,
    ready: async () => {
      const isReady = () => text.includes('Millrace is ready.')
      const isOver = () => !running.has(pid)
      await eventually(() => isReady() || isOver(), { what: 'readiness of npm start' }).catch(() => {})
      if (!isReady()) throw new Error(`npm start ${isOver() ? 'ended' : 'is not ready'}:\n${text}`)
      return run()
    },
    run,
    pidOf: async name => {
      const found = (await run()).processes.find(process => process.name === name)
      if (!found) throw new Error(`run.json names no ${name}`)
      return found.pid
    },
    exited,
    stop: () => {
      process.kill(pid, 'SIGTERM')
      return exited
    },
  }
}
