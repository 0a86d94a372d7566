/**
 * The text of every statement stays as it is unless somebody means to change it. The texts are recorded in
 * test/contract/statements/*.sql; white space outside literals does not count.
 */
import { readFile } from 'node:fs/promises'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { changesOf } from './statements/changes.ts'
import { collectStatements, FILES, urlOf } from './statements/collect.ts'
import { layOut } from './statements/lay-out.ts'
import { type Recorded, statementsIn, textOf } from './statements/recorded.ts'

const test = apart(import.meta)

const services = await testServices()
test.after.always(() => services.close())
let sent: Awaited<ReturnType<typeof collectStatements>>
test.before(async () => {
  sent = await collectStatements(services)
})

for (const file of FILES) {
  test(`the statements of ${file} are the recorded ones`, async t => {
    const changes = changesOf(statementsIn(await readFile(urlOf(file), 'utf8')), sent.get(file) ?? [])
    const advice = 'If the changes are meant, run `npm run statements` and commit what it writes.'
    t.is(changes.length, 0, ['', ...changes, advice].join('\n\n'))
  })

  test(`the recorded form of ${file} holds every statement`, t => {
    const statements = sent.get(file) ?? []
    t.true(statements.length > 50)
    t.deepEqual(statementsIn(textOf(statements)), statements)
  })
}

const recorded = (text: string, number = 1): Recorded => ({ sender: 'listThings', number, text: layOut(text) })
const page =
  'select id, concat(\'{"id":"\', id, \'"}\') as document from things where tenant_id = $1 order by id limit $2'

test('only white space outside literals does not count', t => {
  const isSame = (other: string) => changesOf([recorded(page)], [recorded(other)]).length === 0
  t.true(isSame(page.replaceAll(/ (from|where|order)/g, '\n    $1')))
  const changes = [
    ['things', 'other_things'],
    ['= $1', '= $1::bigint'],
    ['limit $2', 'limit $1'],
    ['{"id"', '{ "id"'],
    [' limit', ' desc limit'],
  ] as const
  for (const [from, to] of changes) {
    t.true(page.includes(from))
    t.false(isSame(page.replace(from, () => to)), `${from} to ${to}`)
  }
})

test('what changed is told by who sends it, with the lines that changed', t => {
  const known = [recorded(page), recorded('select 1', 2), recorded('select 2', 3)]
  const now = [recorded(page.replace('order by id', 'order by name')), recorded('select 1', 2)]
  const [changed, gone, ...others] = changesOf(known, now)
  t.regex(changed ?? '', /^listThings 1 changed\n[\s\S]*\n- order by id\n\+ order by name\n {2}limit \$$/)
  t.is(gone, 'listThings 3 is not sent any more\n- select 2')
  t.is(others.length, 0)
  t.deepEqual(changesOf([recorded('select 1')], [recorded('select 1'), recorded('select 2', 2)]), [
    'listThings 2 is new\n+ select 2',
  ])
  t.regex(
    changesOf([recorded('select 1'), recorded('select 2', 2)], [recorded('select 2'), recorded('select 1', 2)])[0] ??
      '',
    /stands elsewhere/,
  )
})

test('a change of many statements is told once, and of many changes the first ones', t => {
  const many = (table: string) => Array.from({ length: 30 }, (_, n) => recorded(`select ${n} from ${table}`, n + 1))
  t.deepEqual(changesOf(many('a'), many('b')), [
    'listThings 1 changed, and so listThings 2, listThings 3, listThings 4, listThings 5, listThings 6 and 24 more\n' +
      '  select 0\n- from a\n+ from b',
  ])
  const each = (table: string) => Array.from({ length: 30 }, (_, n) => recorded(`select from ${table}${n}`, n + 1))
  const changes = changesOf(each('a'), each('b'))
  t.is(changes.length, 11)
  t.is(changes.at(-1), '... and 20 more changes')
})
