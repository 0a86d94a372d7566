/** Finds a redis-server that is new enough, or installs one. It must not run it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SetupError } from './setup-error.ts'
import { pathOf, systemProgram } from './system-program.ts'

const run = promisify(execFile)
const PROGRAMS = ['redis-server', 'valkey-server']
// BullMQ's scripts need 6.2.
const VERSION_MIN = [6, 2] as const
const ADVICE =
  'install Redis 6.2 or newer (for example "sudo apt-get install redis-server" or "brew install redis"), or set DATABASE_URL and REDIS_URL'

/** The program file of Redis 6.2 or newer. `onLine` gets a line when it installs one. Throws SetupError when neither works. */
export const redisProgram = (onLine: (line: string) => void): Promise<string> =>
  systemProgram(
    {
      name: 'redis-server',
      find: findProgram,
      packages: {
        'apt-get': ['redis-server'],
        dnf: ['redis', 'valkey'],
        apk: ['redis', 'valkey'],
        pacman: ['valkey'],
        brew: ['redis'],
      },
      advice: ADVICE,
    },
    onLine,
  )

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
