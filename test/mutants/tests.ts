/** Runs a test file of a copy with AVA, up to the first test that fails. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { PATIENCE } from '../support/eventually.ts'

/** The failure: `test` is the title of the failed test; null: AVA failed without a failed test. */
export type Failure = { readonly test: string | null; readonly output: string }

/** A failing test may wait this long before it fails. Tests that pass wait for less. */
const PATIENCE_MS = 60_000
/** AVA ends tests that print nothing for this long. */
const SILENCE = '150s'

/** AVA prints the messages of a failing test and then its title in a line. For tests that did not end it prints the titles. */
const FAILING = /^ *[✘✖×] \[fail\]: [\s\S]*?^ *─\n+ *(.+)$|^ *◌ (.+)$/mu

/** The title of the first test that failed or did not end; null: AVA names none. */
export function failingTest(output: string): string | null {
  const [, failed, pending] = FAILING.exec(output) ?? []
  return failed ?? pending ?? null
}

const running = new Set<ChildProcess>()

/** Runs a test file. undefined: all tests pass. */
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

/** Ends the running tests with all processes that they started. */
export function endTests(): void {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid)
}
