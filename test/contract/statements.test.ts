/**
 * The text of every statement stays as it is unless a change is intended. `statements/hashes.txt` has a hash of each, `statements/golden/`
 * the texts of those that a reviewer reads. White space outside literals does not count.
 */
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { changesOf } from './statements/changes.ts'
import { collectStatements } from './statements/collect.ts'
import { goldensOf } from './statements/goldens.ts'
import { layOut } from './statements/lay-out.ts'
import { GOLDEN, HASHES, hashesIn, hashesOf, numbered, type Statement, shown, textsIn } from './statements/recorded.ts'

const ADVICE = `
If the changes are meant, run \`npm run statements\` and commit what it writes.
\`npm run statements -- --print 'NAME NUMBER'\` prints the whole text, also in a checkout without the changes.`

const test = apart(import.meta)

const services = await testServices()
test.after.always(() => services.close())
let sent: readonly Statement[] = []
const goldens = new Map<string, string>()
test.before(async () => {
  for (const file of globSync('*.sql', { cwd: GOLDEN }))
    goldens.set(file, await readFile(new URL(file, GOLDEN), 'utf8'))
  sent = await collectStatements(services)
})

test('every statement is the recorded one', async t => {
  const recorded = await readFile(HASHES, 'utf8')
  t.true(sent.length > 500)
  const texts = textsIn([...goldens.values()].join('\n'))
  if (hashesOf(sent) === recorded) t.pass()
  else t.fail(`\n${changesOf(hashesIn(recorded), texts, sent)}\n${ADVICE}`)
})

test('the golden texts are those of the statements', t => {
  const now = goldensOf(sent)
  t.true(now.size > 10)
  const other = [...new Set([...now.keys(), ...goldens.keys()])].filter(file => now.get(file) !== goldens.get(file))
  t.deepEqual(other, [], ADVICE)
})

const statements = (...texts: string[]) => numbered(texts.map(text => ({ sender: 'listThings', text })))
const page =
  'select id, concat(\'{"id":"\', id, \'"}\') as document from things where tenant_id = $1 order by id limit $2'

test('only white space outside literals does not count', t => {
  t.is(layOut(page.replaceAll(/ (from|where|order)/g, '\n    $1')), layOut(page))
  const changes = [
    ['things', 'other_things'],
    ['= $1', '= $1::bigint'],
    ['limit $2', 'limit $1'],
    ['{"id"', '{ "id"'],
    [' limit', ' desc limit'],
  ] as const
  for (const [from, to] of changes) {
    t.true(page.includes(from))
    t.not(hashesOf(statements(page.replace(from, () => to))), hashesOf(statements(page)), `${from} to ${to}`)
  }
})

test('what changed is told by who sends it: the changed lines of a golden text, all of another', t => {
  const told = (before: readonly Statement[], after: readonly Statement[], isGolden = false) =>
    changesOf(hashesIn(hashesOf(before)), isGolden ? textsIn(shown(before)) : new Map(), after)
  const before = statements(page, 'select 1', 'select 2')
  const after = statements(page.replace('order by id', 'order by name'), 'select 1')
  const names = 'listThings 1 changed\nlistThings 3 not sent any more\n\nlistThings 1\n'
  t.is(told(before, after, true), `${names}- order by id\n+ order by name`)
  t.is(told(before, after), `${names}${layOut(page).replace('order by id', 'order by name')}`)
  t.is(told(statements('select 1'), statements('select 1', 'select 2')), 'listThings 2 new\n\nlistThings 2\nselect 2')
  t.is(told(statements('select 1', 'select 2'), statements('select 2', 'select 1')), 'listThings 1, 2 stood elsewhere')
  const many = (table: string) => statements(...Array.from({ length: 30 }, (_, n) => `select ${n} from ${table}`))
  t.regex(told(many('a'), many('b')), /^listThings 1, 2, [\d, ]+ 30 changed\n\nlistThings 1\nselect 0\nfrom b$/)
})
