/** The tenants of a file are all made or, if a line is wrong, none. The same file makes no tenant twice. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { typedJson } from '../support/millrace.ts'
import { testsOf } from '../support/suite.ts'
import { serviceOfTwoCells } from './two-cells.ts'

const test = testsOf(import.meta, { isSerial: true })

let service: Awaited<ReturnType<typeof serviceOfTwoCells>>
test.before(async () => {
  service = await serviceOfTwoCells()
})
const folder = await mkdtemp(join(tmpdir(), 'millrace-many-'))

const millrace = (...args: string[]) => typedJson(args, service.env)

test.after.always(() => rm(folder, { recursive: true }))

async function many(name: string, ...lines: string[]) {
  const path = join(folder, name)
  await writeFile(path, `${lines.join('\n')}\n`)
  return millrace('tenant', 'create', '--many', path)
}
const tenants = async (): Promise<Loose[]> => (await millrace('tenant', 'list')).json.tenants

test('each line is a tenant with what it says, in its cell, and a key that works where one is named', async t => {
  const { status, json, err } = await many(
    'first.csv',
    'name,owner_email,plan,currency,cell,first_key',
    'Acme,o@bolts.example,pro,USD,east,Web shop',
    '"Northwind ""Bikes""",o@northwind.example,,,main,',
  )
  t.is(status, 0, err)
  t.like(json, { created: 2, already_there: 0, stopped: null })
  const [acme, northwind] = json.tenants
  const listed = await tenants()
  const common = { closed_through: null, suspended_at: null }
  t.like(
    listed.find(({ tenant_id }) => tenant_id === acme.tenant_id),
    { ...common, name: 'Acme', owner_email: 'o@bolts.example', plan: 'pro', currency: 'USD', cell: 'east' },
  )
  t.like(
    listed.find(({ tenant_id }) => tenant_id === northwind.tenant_id),
    { ...common, name: 'Northwind "Bikes"', plan: 'free', currency: 'EUR', cell: 'main' },
  )
  t.is(northwind.token, null)
  const client = service.client(acme.tenant_id, { keyId: acme.key_id, token: acme.token })
  t.is((await client.post('/suppliers', { title: 'First' })).status, 201)

  const [made, ...more] = (await millrace('audit', 'list', '--tenant', acme.tenant_id)).json.actions
  t.deepEqual(more, [])
  t.like(made, { command: 'tenant create', outcome: 'done', after: { name: 'Acme', key_id: acme.key_id } })
  t.false(JSON.stringify(made).includes('Northwind'))
  t.false(JSON.stringify((await millrace('audit', 'list')).json).includes(acme.token))
})

test('the same file makes nobody twice, and issues a key only where none of its name was', async t => {
  const lines = [
    'name,owner_email,first_key',
    'Again,o@again.example,Web shop',
    'Other,o@again.example,',
    'Again,o@else.example,',
  ]
  const first = await many('again.csv', ...lines)
  t.like(first.json, { created: 3 })
  const before = await tenants()
  const second = await many('again.csv', ...lines)
  t.like(second, { status: 0, json: { created: 0, already_there: 3 } })
  t.deepEqual(
    second.json.tenants.map(({ tenant_id }: Loose) => tenant_id),
    first.json.tenants.map(({ tenant_id }: Loose) => tenant_id),
  )
  t.true(second.json.tenants.every(({ token }: Loose) => token === null))
  t.deepEqual(await tenants(), before)
  // The same as after a first run that was interrupted in between.
  const more = await many(
    'more.csv',
    'name,owner_email,first_key',
    'Other,O@again.example,Web shop',
    'New,o@new.example,',
  )
  t.like(more.json, { created: 1, already_there: 1 })
  t.is(typeof more.json.tenants[0].token, 'string')
})

test('where any line is wrong, all faults are told by line and nobody is made', async t => {
  await many('there.csv', 'name,owner_email', 'There,o@there.example')
  const before = await tenants()
  const { status, json } = await many(
    'wrong.csv',
    'name,owner_email,plan,currency,cell',
    'Fine,o@fine.example,,,',
    ',o@nameless.example,,,',
    'Mail,nobody,,,',
    'Plan,o@plan.example,gold,,',
    'Money,o@money.example,,XXQ,',
    'Where,o@where.example,,,nowhere',
    'Fine,O@FINE.example,,,',
    'There,o@there.example,,USD,',
  )
  t.is(status, 1)
  t.deepEqual(
    json.errors.map(({ line, message }: Loose) => [line, /^[\w ]+/.exec(message)?.[0]]),
    [
      [3, 'name'],
      [4, 'owner_email'],
      [5, 'plan'],
      [6, 'currency'],
      [7, 'cell'],
      [8, 'name and owner_email are those of line 2'],
      [9, 'currency'],
    ],
  )
  t.deepEqual(await tenants(), before)
  t.regex((await many('columns.csv', 'name,email', 'A,b@c.example')).err, /"email" is no column/)
  t.regex((await millrace('tenant', 'create', '--many', join(folder, 'none.csv'))).err, /none\.csv/)
  t.is((await millrace('tenant', 'create', '--many', 'x.csv', '--name', 'X')).status, 2)
  t.regex((await millrace('tenant', 'create', '--name', 'X')).err, /--owner-email is required/)
})

test('a run that breaks off shows the tokens of what it made, and the same file goes on', async t => {
  await service.pool.query(statement`
    create function refuse_boom() returns trigger language plpgsql as $$ begin raise exception 'boom'; end $$`)
  await service.pool.query(statement`
    create trigger boom before insert on tenants for each row when (new.name = 'Boom') execute function refuse_boom()`)
  const lines = ['name,owner_email,cell,first_key', 'Whole,o@x.example,main,Shop', 'Boom,o@x.example,main,Shop']
  const first = await many('boom.csv', ...lines)
  t.is(first.status, 1)
  t.regex(first.err, /stopped at line 3: .*boom/)
  t.is(first.json.tenants.length, 1)
  t.is(typeof first.json.tenants[0].token, 'string')
  await service.pool.query(statement`drop trigger boom on tenants`)
  const second = await many('boom.csv', ...lines)
  t.like(second, { status: 0, json: { created: 1, already_there: 1 } })
})
