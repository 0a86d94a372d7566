/**
 * Owns the Chromium that tests open pages in: found on this machine or installed, as redis-server is. A whole run installs it
 * while its checks and first tests run; test/run.ts tells its test files by a file when it is there.
 */
import { execFile } from 'node:child_process'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pathOf, systemProgram } from '../../lib/tools/embedded/system-program.ts'
import { eventually } from './eventually.ts'
import { temporaryFolder } from './servers.ts'

/** By it, test/run.ts hands its test files the file that says where the Chromium of the run is. */
export const SHARED_CHROMIUM = 'MILLRACE_TEST_CHROMIUM'

type Told = { readonly path: string } | { readonly failure: string }

const programs = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const install = (): Promise<string> =>
  systemProgram(
    {
      name: 'chromium',
      find,
      packages: {
        'apt-get': ['chromium'],
        dnf: ['chromium'],
        apk: ['chromium'],
        pacman: ['chromium'],
        brew: ['--cask chromium'],
      },
      advice:
        'install it (for example "sudo apt-get install chromium" or "brew install --cask chromium"), or name its program in CHROMIUM',
    },
    console.error,
  )

/** The first that runs: Ubuntu has a chromium-browser that only tells to install another package. */
async function find(): Promise<string | null> {
  for (const program of [process.env['CHROMIUM'], ...programs]) {
    const path = program && (await pathOf(program))
    if (path && (await promisify(execFile)(path, ['--version']).then(Boolean, () => false))) return path
  }
  return null
}

/** Finds or installs it in the background; gives the file that will say what became of it. */
export async function chromiumToCome(): Promise<string> {
  const file = join(await temporaryFolder(), 'chromium.json')
  const tell = async (told: Told) => {
    await writeFile(`${file}.new`, JSON.stringify(told))
    await rename(`${file}.new`, file)
  }
  install().then(
    path => tell({ path }),
    ({ message }: Error) => tell({ failure: message }),
  )
  return file
}

/** The Chromium of the run when there is one, else this file's own search. Rejects with what a person can do. */
export async function chromium(): Promise<string> {
  const file = process.env[SHARED_CHROMIUM]
  if (!file) return install()
  const told = await eventually(() => readFile(file, 'utf8').then((text): Told => JSON.parse(text)), {
    what: 'the installation of chromium',
  })
  if ('failure' in told) throw new Error(told.failure)
  return told.path
}
