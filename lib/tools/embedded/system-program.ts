/** Finds a program on this machine, or installs it with the system's package manager where that needs no password. It must not run it. */
import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { searchPath } from './child.ts'
import { SetupError } from './setup-error.ts'

const run = promisify(execFile)

type Manager = 'apt-get' | 'dnf' | 'apk' | 'pacman' | 'brew'

type SystemProgram = {
  readonly name: string
  /** The file of a fitting program; null where there is none. */
  find(): Promise<string | null>
  /** The program's names in each package manager, tried one after the other. */
  readonly packages: Readonly<Record<Manager, readonly string[]>>
  /** What a person may do. */
  readonly advice: string
}

// RUNLEVEL=1 makes Debian's scripts start no services, so that no system-wide Redis starts.
const SETTINGS = ['env', 'RUNLEVEL=1', 'DEBIAN_FRONTEND=noninteractive']

const managers: readonly { manager: Manager; needsRoot: boolean; before?: string; install: string }[] = [
  {
    manager: 'apt-get',
    needsRoot: true,
    before: 'apt-get update -qq',
    install: 'apt-get install -y -qq --no-install-recommends',
  },
  { manager: 'dnf', needsRoot: true, install: 'dnf install -y -q' },
  { manager: 'apk', needsRoot: true, install: 'apk add -q' },
  { manager: 'pacman', needsRoot: true, install: 'pacman -Sy --noconfirm --needed' },
  { manager: 'brew', needsRoot: false, install: 'brew install -q' },
]

const installing = new Map<string, Promise<void>>()

/** The program's file. `onLine` gets a line when it installs it. Throws SetupError when neither works. */
export async function systemProgram(program: SystemProgram, onLine: (line: string) => void): Promise<string> {
  const found = await program.find()
  if (found) return found
  await installOnce(program, onLine)
  const installed = await program.find()
  if (!installed) throw new SetupError(`there is no ${program.name} on this machine: ${program.advice}`)
  return installed
}

/**
 * Package managers refuse to run twice at once, so one program waits for another. Callers that want the same program share its
 * installation.
 */
function installOnce(program: SystemProgram, onLine: (line: string) => void): Promise<void> {
  const others = Promise.allSettled(installing.values())
  const mine = installing.get(program.name) ?? others.then(() => install(program, onLine))
  installing.set(program.name, mine)
  return mine
}

async function install({ name, packages, advice }: SystemProgram, onLine: (line: string) => void): Promise<void> {
  for (const { manager, needsRoot, before, install } of managers) {
    if (!(await pathOf(manager))) continue
    const isRoot = process.getuid?.() === 0
    if (needsRoot && !isRoot && !(await run('sudo', ['-n', 'true']).then(Boolean, () => false))) continue
    onLine(`no ${name} on this machine: installing one with ${manager}`)
    const tries = packages[manager].map(one => `${install} ${one}`).join(' || ')
    const prefix = needsRoot && !isRoot ? ['sudo', '-n', ...SETTINGS] : SETTINGS
    for (const step of before ? [before, tries] : [tries]) {
      if (!(await runStep([...prefix, 'sh', '-c', step], onLine))) throw new SetupError(`${step} failed: ${advice}`)
    }
    return
  }
}

function runStep([file = '', ...args]: string[], onLine: (line: string) => void): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const show = (chunk: Buffer) => onLine(String(chunk).trimEnd())
    child.stderr.on('data', show)
    child.stdout.resume()
    child.once('error', () => resolve(false))
    child.once('exit', code => resolve(code === 0))
  })
}

/** The file of a program by name. */
export async function pathOf(program: string): Promise<string | null> {
  const search = `${searchPath().PATH}:/usr/local/bin:/usr/bin:/usr/sbin:/opt/homebrew/bin`
  try {
    return (await run('/bin/sh', ['-c', 'command -v "$0"', program], { env: { PATH: search } })).stdout.trim()
  } catch {
    return null
  }
}
