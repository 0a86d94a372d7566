/**
 * The README's commands, run as they stand there against a service that `npm start` brought up, and its tables against the
 * code. A block of commands (`sh`) is followed by what it prints (`text`), where `...` stands for anything.
 */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { commands } from '../../lib/cli/commands.ts'
import { endpoints } from '../../lib/endpoints.ts'
import { npmStart } from '../support/npm-start.ts'
import { temporaryFolder } from '../support/servers.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readme = await readFile(`${root}README.md`, 'utf8')

type Block = { readonly input: string; readonly printed: string }

/** The commands in order, but for `npm start` itself. */
function blocks(): readonly Block[] {
  const found = readme.matchAll(/^```sh\n([\s\S]*?)^```\n(?:```text\n([\s\S]*?)^```\n)?/gm)
  return [...found].map(([, input = '', printed = '']) => ({ input, printed }))
}

test('every command of the README does what the README says', async t => {
  const [first, ...rest] = blocks()
  t.is(first?.input, 'npm start\n')
  t.true(rest.length >= 4)

  const dataFolder = await temporaryFolder()
  const service = npmStart({ dataFolder })
  await service.ready()
  try {
    // One shell for all, as a reader has it; a line of its own ends each block's output.
    const END = '--- end of block ---'
    const script = rest.map(({ input }) => `${input}echo; echo '${END}'\n`).join('')
    const output = await shell(script.replaceAll('./.millrace/', `${dataFolder}/`), { MILLRACE_DATA: dataFolder })
    const printed = output.split(`${END}\n`)
    for (const [n, block] of rest.entries()) t.regex(printed[n] ?? '', pattern(block.printed), block.input)
  } finally {
    t.is(await service.stop(), 0)
  }
})

/** Each line must be found, in this order. */
function pattern(text: string): RegExp {
  const escaped = (line: string) => line.split('...').map(RegExp.escape).join('.*')
  return new RegExp(text.trimEnd().split('\n').map(escaped).join('[\\s\\S]*'))
}

async function shell(script: string, env: Record<string, string>): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env: { ...process.env, ...env } })
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

/** The cells of a table's first column, under this heading. */
function firstColumn(heading: string): readonly string[] {
  const section = readme.slice(readme.indexOf(`### ${heading}\n`)).split(/\n#{2,3} /)[0] ?? ''
  return section
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(match => match[1] ?? ''))
}

test('the table of settings names every setting and no other', async t => {
  const source = await readFile(`${root}lib/config.ts`, 'utf8')
  const settings = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map(match => match[1] ?? '')
  t.true(settings.length > 10)
  t.deepEqual([...firstColumn('Settings')].sort(), settings.sort())
})

test('the table of the command line names every command and no other', t => {
  t.deepEqual([...firstColumn('Command line')].sort(), commands.map(({ words }) => words.join(' ')).sort())
})

test('every file that the texts link to is there', async t => {
  for (const file of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']) {
    const text = await readFile(root + file, 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(match => match[1] ?? '')
    for (const target of targets) await t.notThrowsAsync(readFile(root + target), `${file}: ${target}`)
  }
})

test('the overview of the API names every part of every path and no other', t => {
  const table = readme.slice(readme.indexOf('| Area | Paths |')).split('\n\n')[0] ?? ''
  const named = [...table.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? '')
  const parts = endpoints.flatMap(({ path }) => path.split('/').filter(part => part !== '' && !part.startsWith('{')))
  t.deepEqual(named.sort(), [...new Set(parts)].sort())
})
