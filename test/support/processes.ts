/** Owns real processes of the Procfile for tests that kill, freeze and stop them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from './environment.ts'
import { PATIENCE_MS } from './eventually.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ERROR_LEVELS: readonly string[] = ['error', 'fatal']

export type TestProcess = {
  readonly child: ChildProcess
  /** Public address of a web process. */
  readonly url: string
  /** Its operators' address. */
  readonly adminUrl: string
  /** Sends a signal and resolves with the exit code (null: ended by the signal). */
  end(signal: NodeJS.Signals): Promise<number | null>
  signal(signal: NodeJS.Signals): void
  /** The process's log lines of the levels error and fatal. */
  readonly errors: readonly string[]
}

// A test that fails half-way must leave nothing running: it would hold the output of the run open, which waits for its end.
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a process of the Procfile and resolves when it serves. */
export async function startProcess(
  kind: 'web' | 'worker' | 'webhook',
  env: Record<string, string>,
): Promise<TestProcess> {
  const [, command = ''] =
    new RegExp(`^${kind}: node (.+)$`, 'm').exec(readFileSync(join(ROOT, 'Procfile'), 'utf8')) ?? []
  const child = spawn(process.execPath, command.split(' '), {
    cwd: ROOT,
    env: {
      ...bareEnvironment(),
      PORT: '0',
      ADMIN_PORT: '0',
      LOG_LEVEL: 'info',
      WEBHOOK_SECRET_KEY: 'a'.repeat(64),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  void ended.then(() => running.delete(child))
  const errors: string[] = []
  const { url, adminUrl } = await serving(child, errors).catch(error => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    child,
    url,
    adminUrl,
    errors,
    signal: signal => void child.kill(signal),
    end: signal => {
      child.kill(signal)
      return ended
    },
  }
}

/** The addresses in the log line that says that it serves. Lines of errors are added to `errors`, until its end. */
async function serving(child: ChildProcess, errors: string[]): Promise<{ url: string; adminUrl: string }> {
  if (!child.stdout) throw new Error('the process has no output')
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; adminUrl: string }>()
  const timer = setTimeout(() => reject(new Error('the process does not serve')), PATIENCE_MS)
  child.once('exit', code => reject(new Error(`the process ended with ${code}`)))
  // Read to the end, so that a full pipe never blocks the process.
  createInterface({ input: child.stdout }).on('line', line => {
    if (!line.startsWith('{')) return
    const entry = JSON.parse(line) as { level: string; msg?: string; url?: string; admin_url?: string }
    if (ERROR_LEVELS.includes(entry.level)) errors.push(line)
    if (entry.msg === 'serving') resolve({ url: entry.url ?? '', adminUrl: entry.admin_url ?? '' })
  })
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}
