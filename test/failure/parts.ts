/** The test files of `npm run torture`: which they are, what each shows, and how one is run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AT_LENGTH, atLength } from '../at-length.ts'
import { avaOutcome, type Outcome } from '../support/ava-outcome.ts'
import { withoutSettings } from '../support/environment.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Test files of which `npm test` runs a short version, and the others of torture. */
const LONGER = [
  'contract/fuzz',
  'documents/together',
  'manufacturing/model',
  'operations/deployment',
  'operations/identity',
  'pipeline/killed-unit',
  'sales/model',
  'scaling/skew',
  'stock/model',
  'stock/picked',
  'stock/picking-model',
  'webhooks/key',
]
const SETTINGS = {
  [AT_LENGTH]: 'true',
  FUZZ_REQUESTS: '10000',
  FUZZ_TEXTS: '20',
  MODEL_RUNS: '100',
  TOGETHER_RUNS: '20',
  PICK_RUNS: '100',
  SKEW_PAIRS: 'all',
}
const AT_ONCE = 2

/** Paths below `test/`, without their ending. */
export const parts: readonly string[] = [...LONGER, ...atLength]

/** The first sentence of the file's first comment. */
export function shownBy(part: string): string {
  const text = readFileSync(`${ROOT}test/${part}.test.ts`, 'utf8')
  const [, comment = ''] = /^\/\*\*(.*?)\*\//s.exec(text) ?? []
  const words = comment.replaceAll(/\s*\n \*\s*/g, ' ').trim()
  return (/^.*?\.(?= [A-Z]|$)/.exec(words)?.[0] ?? words).replace(/\.$/, '')
}

export type PartOutcome = Outcome & { readonly part: string; readonly seconds: number; readonly output: string }

/**
 * Runs parts, some at the same time, each in an AVA of its own. @param env their environment in addition to their settings: the servers
 * that they share
 */
export async function runParts(
  chosen: readonly string[],
  env: NodeJS.ProcessEnv,
  onEnd: (outcome: PartOutcome) => void,
): Promise<void> {
  const left = [...chosen]
  const runs = Array.from({ length: AT_ONCE }, async () => {
    for (let part = left.shift(); part !== undefined; part = left.shift()) onEnd(await runPart(part, env))
  })
  await Promise.all(runs)
}

const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const child of running) child.kill(signal)
    process.exitCode = 1
  })

async function runPart(part: string, env: NodeJS.ProcessEnv): Promise<PartOutcome> {
  const began = performance.now()
  const child = spawn(`${ROOT}node_modules/.bin/ava`, [`test/${part}.test.ts`], {
    cwd: ROOT,
    env: { ...withoutSettings(process.env), ...SETTINGS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  const code = await new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  running.delete(child)
  const counted = avaOutcome()
  for (const line of output.split('\n')) counted.line(line)
  return { part, ...counted.end(code), output, seconds: (performance.now() - began) / 1_000 }
}
