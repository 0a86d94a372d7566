/**
 * Owns finding a redis-server on this machine, or installing one through the system's package manager.
 * It must not run it, and must ask for no password.
 */
import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { searchPath } from './child.ts'
import { SetupError } from './setup-error.ts'

const run = promisify(execFile)
const PROGRAMS = ['redis-server', 'valkey-server']
// The queue library's scripts need 6.2.
const VERSION_MIN = [6, 2] as const
const ADVICE =
  'install Redis 6.2 or newer (for example "sudo apt-get install redis-server" or "brew install redis"), or set DATABASE_URL and REDIS_URL'

// RUNLEVEL=1 tells Debian's scripts that services are not wanted now, so no system-wide Redis starts.
const MANAGERS: { manager: string; steps: string[][]; needsRoot: boolean }[] = [
  {
    manager: 'apt-get',
    needsRoot: true,
    steps: [
      ['apt-get', 'update', '-qq'],
      ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'redis-server'],
    ],
  },
  { manager: 'dnf', needsRoot: true, steps: [['sh', '-c', 'dnf install -y -q redis || dnf install -y -q valkey']] },
  { manager: 'apk', needsRoot: true, steps: [['sh', '-c', 'apk add -q redis || apk add -q valkey']] },
  { manager: 'pacman', needsRoot: true, steps: [['pacman', '-Sy', '--noconfirm', '--needed', 'valkey']] },
  { manager: 'brew', needsRoot: false, steps: [['brew', 'install', '-q', 'redis']] },
]

/** The program file of a Redis 6.2 or newer. Tells through `onLine` when it installs one. Throws SetupError when there is no way. */
export async function redisProgram(onLine: (line: string) => void): Promise<string> {
  const found = await findProgram()
  if (found) return found
  await install(onLine)
  const installed = await findProgram()
  if (!installed) throw new SetupError(`there is no redis-server on this machine: ${ADVICE}`)
  return installed
}

async function findProgram(): Promise<string | null> {
  for (const program of PROGRAMS) {
    const path = await pathOf(program)
    if (!path) continue
    const version = /v=(\d+)\.(\d+)/.exec((await run(path, ['--version'])).stdout)
    const [major, minor] = [Number(version?.[1]), Number(version?.[2])]
    if (major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1])) return path
    throw new SetupError(`${path} is version ${version?.[0] ?? 'unknown'}: ${ADVICE}`)
  }
  return null
}

async function install(onLine: (line: string) => void): Promise<void> {
  for (const { manager, steps, needsRoot } of MANAGERS) {
    if (!(await pathOf(manager))) continue
    const isRoot = process.getuid?.() === 0
    if (needsRoot && !isRoot && !(await run('sudo', ['-n', 'true']).then(Boolean, () => false))) continue
    onLine(`no redis-server on this machine: installing one with ${manager}`)
    const settings = ['env', 'RUNLEVEL=1', 'DEBIAN_FRONTEND=noninteractive']
    const prefix = needsRoot && !isRoot ? ['sudo', '-n', ...settings] : settings
    for (const step of steps) {
      if (!(await runStep([...prefix, ...step], onLine))) throw new SetupError(`${step.join(' ')} failed: ${ADVICE}`)
    }
    return
  }
}

function runStep([file = '', ...args]: string[], onLine: (line: string) => void): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const tell = (chunk: Buffer) => onLine(String(chunk).trimEnd())
    child.stderr.on('data', tell)
    child.stdout.resume()
    child.once('error', () => resolve(false))
    child.once('exit', code => resolve(code === 0))
  })
}

async function pathOf(program: string): Promise<string | null> {
  const search = `${searchPath().PATH}:/usr/local/bin:/usr/bin:/usr/sbin:/opt/homebrew/bin`
  try {
    return (await run('/bin/sh', ['-c', `command -v ${program}`], { env: { PATH: search } })).stdout.trim()
  } catch {
    return null
  }
}
