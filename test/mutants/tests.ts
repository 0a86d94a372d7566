/** Owns running a test file of a copy by AVA, up to the first test that fails. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { PATIENCE } from '../support/eventually.ts'

/** What was noticed: `test` is the test's title; null where no test failed, although AVA did. */
export type Failure = { readonly test: string | null; readonly output: string }

/** A test that fails may wait for as long before it does: without a mutant they wait for less. */
const PATIENCE_MS = 60_000
/** And AVA ends those that do not end. */
const SILENCE = '150s'

/** AVA reports a failing test with what it says, and below that its title alone; of tests that did not end it says the titles. */
const FAILING = /^ *[✘✖×] \[fail\]: [\s\S]*?^ *─\n+ *(.+)$|^ *◌ (.+)$/mu

/** The title of the first test that failed, or did not end; null where AVA names none. */
export function failingTest(output: string): string | null {
  const [, failed, pending] = FAILING.exec(output) ?? []
  return failed ?? pending ?? null
}

const running = new Set<ChildProcess>()

/** Runs a test file. Undefined: all tests pass. */
export async function firstFailure(
  folder: string,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<Failure | undefined> {
  const program = join(folder, 'node_modules/.bin/ava')
  const child = spawn(program, ['--fail-fast', `--timeout=${SILENCE}`, file], {
    cwd: folder,
    env: { ...environment, [PATIENCE]: String(PATIENCE_MS) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', text => {
      output += text
    })
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject))
  running.delete(child)
  if (code === 0) return undefined
  const plain = stripVTControlCharacters(output)
  return { test: failingTest(plain), output: plain }
}

/** Ends what runs, with all that it has started. */
export function endTests(): void {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid)
}
