/**
 * The README's commands, run as they stand there against a service that `npm start` brought up, and its tables against the
 * code.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { commands } from '../../lib/cli/commands.ts'
import { endpoints } from '../../lib/endpoints.ts'
import { npmStart } from '../support/npm-start.ts'
import { temporaryFolder } from '../support/servers.ts'
import { blocksOf, outputsOf, pattern } from './worked-examples.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readme = await readFile(`${root}README.md`, 'utf8')

test('every command of the README does what the README says', async t => {
  const [first, ...rest] = blocksOf(readme)
  t.is(first?.input, 'npm start\n')
  t.true(rest.length >= 4)

  const dataFolder = await temporaryFolder()
  const service = npmStart({ dataFolder })
  await service.ready()
  try {
    const change = (script: string) => script.replaceAll('./.millrace/', `${dataFolder}/`)
    const printed = await outputsOf(rest, { folder: root, env: { MILLRACE_DATA: dataFolder }, change })
    for (const [n, block] of rest.entries()) t.regex(printed[n] ?? '', pattern(block.printed), block.input)
  } finally {
    t.is(await service.stop(), 0)
  }
})

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
