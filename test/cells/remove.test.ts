/**
 * A cell is removed: it is emptied, removed from the directory and no longer checked by `doctor`. A cell that is not migrated is reported
 * as such.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { connectionString } from '../../lib/platform/postgres/address.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isOneStory: true })

const services = await testServices()
const root = await mkdtemp(join(tmpdir(), 'millrace-remove-'))
const cellUrl = (name: string) => {
  const url = new URL(services.databaseUrl)
  url.searchParams.set('schema', `cell_${name}`)
  return url.href
}
const withoutCells = {
  DATABASE_URL: services.databaseUrl,
  REDIS_URL: services.redisUrl,
  WEBHOOK_SECRET_KEY: 'a'.repeat(64),
}
const env = { ...withoutCells, CELL_EAST_URL: cellUrl('east'), CELL_WEST_URL: cellUrl('west') }
const client = new Client({ connectionString: connectionString(services.databaseUrl) })
await client.connect()
test.after.always(async () => {
  await client.end()
  await services.close()
  await rm(root, { recursive: true })
})

async function run(line: string, given: NodeJS.ProcessEnv = env) {
  const said: string[] = []
  const say = (text: string) => said.push(text)
  const status = await runCommandLine(line.split(' '), { env: given, root, out: say, err: say })
  return { status, said: said.join('\n') }
}
async function json(line: string, given: NodeJS.ProcessEnv = env): Promise<Record<string, unknown>> {
  const { status, said } = await run(`${line} --json`, given)
  if (status !== 0) throw new Error(said)
  return JSON.parse(said.slice(said.indexOf('{')))
}
type Finding = { check: string; status: string; found: string; advice?: string }
async function findings(given: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { checks } = JSON.parse((await run('doctor --json', given)).said) as { checks: Finding[] }
  return checks.filter(({ check }) => /^(?:cell \w+: )?(?:cells?|migrations|directory)$/.test(check))
}
const faultsOf = async (given: NodeJS.ProcessEnv) => (await findings(given)).filter(({ status }) => status === 'fault')

test('a cell that is not migrated is told as that, by doctor and /readyz', async t => {
  const faults = await faultsOf({ ...env, CELL_WEST_URL: '' })
  t.deepEqual(
    faults.map(({ check, found }) => `${check}: ${found.replace(/\d+/g, 'N')}`),
    ['cell east: migrations: N of N are missing'],
  )
  t.regex(faults[0]?.advice ?? '', /bin\/millrace migrate/)
  const service = await startService(services, { env: { CELL_EAST_URL: cellUrl('east') } })
  const { checks } = (await (await fetch(`${service.url}/readyz`)).json()) as { checks: Record<string, string> }
  t.is(checks['cell east'], 'migrations are missing: run millrace migrate')
  await service.close()
})

test('a cell with tenants or an open move stays; emptied, it is removed, and doctor is content without it', async t => {
  t.like(await json('cell add east'), { number: 1 })
  t.like(await json('cell add west --weight 0'), { number: 2 })
  const { tenant_id: id } = await json('tenant create --name Acme --owner-email o@acme.example --plan pro --cell east')
  const refused = async (pattern: RegExp) => {
    const { status, said } = await run('cell remove east')
    t.is(status, 1)
    t.regex(said, pattern)
  }
  await refused(/1 tenant is living in east: bin\/millrace cell drain east$/)
  await client.query(
    `insert into tenant_moves (tenant_id, id, from_cell, to_cell) values (7, gen_random_uuid(), 'main', 'east')`,
  )
  await refused(/1 move is from or to east open/)
  await client.query('delete from tenant_moves')
  // A directory that was set back does not know who lives there.
  await client.query(`delete from cell_tenants where tenant_id = ${id}`)
  await refused(/1 tenant is in the database of east that the directory does not know: bin\/millrace cell refresh/)
  await client.query(`insert into cell_tenants (tenant_id, cell) values (${id}, 'east')`)
  await t.throwsAsync(client.query(`delete from cells where name = 'east'`), { message: /foreign key/ })

  await json('cell drain east --to main')
  const gone = { ...env, CELL_EAST_URL: '' }
  t.like((await faultsOf(gone))[0], {
    check: 'cells',
    found: 'east has no address',
    advice: 'nobody lives there: bin/millrace cell remove east, or set CELL_EAST_URL',
  })
  t.like(await json('cell remove east', gone), { was_there: true, was_asked: false })
  t.deepEqual(await faultsOf(gone), [])
  t.like(await json('cell remove east', gone), { was_there: false })
  t.regex((await run('tenant list', gone)).said, new RegExp(`^${id}\\b`, 'm'))
  t.is((await run('cell remove main')).status, 1)
  t.regex((await run('cell remove north')).said, /there is no cell north/)
})

test('the number of a removed cell is never given to another; the cell itself has it back', async t => {
  // The last number, too: else the next cell would give out the ids of those who lived there.
  t.like(await json('cell remove west'), { was_there: true, was_asked: true })
  await client.query('create schema cell_north')
  const withNorth = { ...env, CELL_NORTH_URL: cellUrl('north') }
  t.like(await json('cell add north', withNorth), { number: 3 })
  t.like(await json('cell add east', withNorth), { number: 1 })
  t.like(await json('cell remove east', withNorth), { was_there: true })
  await client.query('drop schema cell_east cascade')
  t.like(await json('cell add east', withNorth), { number: 4 }, 'a new database of the same name')
  t.deepEqual((await client.query('select number::int, name from removed_cells order by 1')).rows, [
    { number: 1, name: 'east' },
    { number: 2, name: 'west' },
  ])
})
