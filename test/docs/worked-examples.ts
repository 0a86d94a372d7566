/**
 * Runs the commands of a text without changes: a block of commands (`sh`) is followed by what it prints (`text`), where `...` matches
 * anything.
 */
import { spawn } from 'node:child_process'
import type { Account } from '../../lib/tools/embedded/postgres-program.ts'

export type Block = { readonly input: string; readonly printed: string }

/** The commands of a Markdown text, in order. */
export function blocksOf(text: string): readonly Block[] {
  const found = text.matchAll(/^```sh\n([\s\S]*?)^```\n(?:```text\n([\s\S]*?)^```\n)?/gm)
  return [...found].map(([, input = '', printed = '']) => ({ input, printed }))
}

/** What the blocks print, run one after another in one shell, as a reader runs them. */
export async function outputsOf(
  blocks: readonly Block[],
  {
    folder,
    env,
    change = script => script,
    account = null,
  }: {
    folder: string
    env: Record<string, string>
    change?: (script: string) => string
    /** The user account that runs them; null: the account of the tests. */
    account?: Account | null
  },
): Promise<readonly string[]> {
  // A line of its own marks the end of each block's output.
  const END = '--- end of block ---'
  const script = blocks.map(({ input }) => `${input}echo; echo '${END}'\n`).join('')
  return (await shell(change(script), { folder, env, account })).split(`${END}\n`)
}

/** The output must contain each line, in this order. */
export function pattern(text: string): RegExp {
  const escaped = (line: string) => line.split('...').map(RegExp.escape).join('.*')
  return new RegExp(text.trimEnd().split('\n').map(escaped).join('[\\s\\S]*'))
}

async function shell(
  script: string,
  {
    folder,
    env,
    account,
  }: { readonly folder: string; readonly env: Record<string, string>; readonly account: Account | null },
): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...env }, ...(account ?? {}) }
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], options)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      output += chunk
    })
  }
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.on('error', reject)
  child.on('close', code => (code === 0 ? resolve(output) : reject(new Error(`exit ${code}:\n${output}`))))
  return promise
}
