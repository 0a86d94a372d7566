/**
 * The commands of the README and of the pages in docs/, run without changes against a service that `npm start` started, and the tables of
 * these pages compared with the code.
 */
import { spawnSync } from 'node:child_process'
import { access, glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { API_PREFIX } from '../../lib/kit/api/endpoint.ts'
import { endpoints } from '../../lib/nouns.ts'
import { Settings } from '../../lib/platform/settings.ts'
import { commands } from '../../lib/tools/cli/commands.ts'
import { npmStart } from '../support/npm-start.ts'
import { temporaryFolder } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'
import { rowsOf } from './draw-terminals.ts'
import { type Block, blocksOf, outputsOf, pattern } from './worked-examples.ts'

const test = testsOf(import.meta)

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFile(join(root, file), 'utf8')
const readme = await read('README.md')
const pages = (await Array.fromAsync(glob('docs/**/*.md', { cwd: root }))).toSorted()

/** What a page needs besides the address and the key: its files are written to a folder of their own. */
const before: Record<string, string> = { 'docs/following.md': 'cd "$(mktemp -d)"\n' }

test('every command of the README and of the pages does what they say', async t => {
  const [start, ...first] = blocksOf(readme)
  t.is(start?.input, 'npm start\n')
  t.regex(first[0]?.input ?? '', /^BASE=[\s\S]*\nTOKEN=[\s\S]*\nAPI=/)

  const dataFolder = await temporaryFolder()
  const service = npmStart({ dataFolder })
  const { base_url } = await service.ready()
  try {
    const change = (script: string) =>
      script.replaceAll('./.millrace/', `${dataFolder}/`).replaceAll('http://127.0.0.1:3000', base_url)
    const { token } = JSON.parse(await readFile(join(dataFolder, 'demo.json'), 'utf8'))
    const set = { MILLRACE_DATA: dataFolder, API: `${base_url}${API_PREFIX}`, TOKEN: token }
    const run = async (file: string, blocks: readonly Block[], env: Record<string, string>) => {
      const printed = await outputsOf(blocks, { folder: root, env, change })
      for (const [n, block] of blocks.entries()) {
        t.regex(printed[n] ?? '', pattern(block.printed), `${file}: ${block.input}`)
        // The example of an id exists in no database of this test, so its command prints nothing that can be compared.
        if (block.printed === '') t.notRegex(printed[n] ?? '', /"error":"(?!not_found")/, `${file}: ${block.input}`)
      }
    }
    await run('README.md', first, { MILLRACE_DATA: dataFolder })
    let count = 0
    for (const page of pages) {
      const blocks = blocksOf(await read(page))
      if (blocks.length === 0) continue
      count++
      await run(page, [{ input: before[page] ?? '', printed: '' }, ...blocks], set)
    }
    t.true(count >= 5)
    const [, program = ''] = /^```python\n([\s\S]*?)^```$/m.exec(await read('docs/guides/first-call.md')) ?? []
    t.not(program, '')
    const hasPython = spawnSync('python3', ['--version']).status === 0
    if (hasPython) await run('python', [{ input: `python3 - <<'END'\n${program}END\n`, printed: 'Oak chair\n' }], set)
  } finally {
    t.is(await service.stop(), 0)
  }
})

/** The first column of the table in a page. */
async function firstColumn(page: string): Promise<readonly string[]> {
  return (await read(page))
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(match => match[1] ?? ''))
}

test('the table of settings names every setting and no other', async t => {
  t.deepEqual((await firstColumn('docs/settings.md')).toSorted(), Object.keys(Settings.entries).sort())
})

test('the table of the command line names every command and no other', async t => {
  t.deepEqual(
    (await firstColumn('docs/command-line.md')).toSorted(),
    commands.map(({ words }) => words.join(' ')).sort(),
  )
})

test('the picture shows the first calls as they stand in the README, and what they print', async t => {
  const rows = rowsOf(await read('docs/in-use.svg')).map(row => row.replace(/^\$ /, ''))
  const [start, setUp, write] = blocksOf(readme)
  const shown = (text = '') =>
    text
      .trimEnd()
      .split('\n')
      .map(line => line.trim())
  const calls = [...shown(setUp?.input).slice(-1), ...shown(write?.input), ...shown(write?.printed)]
  t.deepEqual(
    rows.filter(row => calls.includes(row)),
    calls,
  )
  t.true(rows.includes(start?.input.trim() ?? ''))
  t.is(rows.filter(row => /^[\d:]+ web\.1 +\| POST +\/products +20[01] /.test(row)).length, 5)
})

test('every file and heading that the texts link to is there', async t => {
  /** Makes anchors of headings as code hosts do. */
  const anchor = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
  for (const file of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pages]) {
    for (const [, path = '', heading] of (await read(file)).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      const target = path === '' ? file : join(dirname(file), path)
      await t.notThrowsAsync(access(join(root, target)), `${file}: ${target}`)
      if (heading === undefined) continue
      const headings = [...(await read(target)).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => anchor(text))
      t.true(headings.includes(heading), `${file}: ${target}#${heading}`)
    }
  }
})

test('the overview of the API names every part of every path and no other', t => {
  const table = readme.slice(readme.indexOf('| Area | Paths |')).split('\n\n')[0] ?? ''
  const named = [...table.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? '')
  const parts = endpoints.flatMap(({ path }) => path.split('/').filter(part => part !== '' && !part.startsWith('{')))
  t.deepEqual(named.sort(), [...new Set(parts)].sort())
})
