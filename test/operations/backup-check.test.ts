/** `bin/millrace backup check` with dumps that pg_dump makes of a running PostgreSQL. */
import { execFile, spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { createPool, statement } from '../../lib/platform/postgres/postgres.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { sendOver } from '../../lib/tools/demo/client.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { createDemo } from '../../lib/tools/demo/tenant.ts'
import { checkBackups } from '../../lib/tools/doctor/backups.ts'
import { dumpedPostgres, whyNoDumps } from '../support/dumped-postgres.ts'
import { eventually } from '../support/eventually.ts'
import { privateRedis, temporaryFolder } from '../support/servers.ts'
import { startService } from '../support/service.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const why = await whyNoDumps()
const testDumps = why === null ? test.serial : test.serial.skip
const where = why === null ? '' : ` (skipped: ${why})`

const folder = await temporaryFolder()
const server = why === null ? await dumpedPostgres() : { url: '', close: async () => {} }
test.after.always(() => server.close())

const env = { DATABASE_URL: server.url, WEBHOOK_SECRET_KEY: 'a'.repeat(64) }

const check = (...args: string[]) => checkWith({}, ...args)

async function checkWith(more: NodeJS.ProcessEnv, ...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const shown: string[] = []
  const status = await runCommandLine(['backup', 'check', '--folder', folder, ...args], {
    env: { ...env, ...more },
    root: '/nonexistent',
    out: text => out.push(text),
    err: text => err.push(text),
    progress: { show: text => shown.push(text), end: () => {} },
  })
  return { status, out: out.join('\n'), err: err.join('\n'), shown }
}

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: server.url })
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows
}

async function dump(name: string, ...args: string[]): Promise<string> {
  const file = join(folder, name)
  await run('pg_dump', [...args, `--file=${file}`, server.url])
  return file
}

const scratchFolders = async () => (await readdir(folder)).filter(name => name.startsWith('millrace-check-'))

/** The newest command after a demo tenant has traded. */
let newest = ''
test.before(async () => {
  if (why !== null) return
  const redis = await privateRedis({ durable: false })
  const service = await startService({ databaseUrl: server.url, redisUrl: redis.url })
  const { token } = await createDemo(server.url)
  await fillDemo(sendOver(service.url, token), () => {})
  await service.close()
  await redis.close()
  const [last] = await query('select iso(max(created_at)) as at from commands')
  newest = String(last?.['at'])
})

testDumps(
  `a good dump is 0, tells until when its data reach, and leaves a note and no scratch cluster${where}`,
  async t => {
    const file = await dump('good.dump', '--format=custom')
    const { status, out, err, shown } = await check(file, '--json')
    t.is(status, 0, out + err)
    const { ok, cell, reaches, noted, tenants, checks } = JSON.parse(out)
    t.deepEqual(
      { ok, cell, reaches, noted, tenants },
      { ok: true, cell: 'main', reaches: newest, noted: true, tenants: 1 },
    )
    for (const name of ['migrations', 'webhook secrets', 'books'])
      t.true(
        checks.some((one: { check: string; status: string }) => one.check === name && one.status === 'ok'),
        name,
      )
    t.true(shown.some(text => /\d+ of \d+ tables/.test(text)))
    t.deepEqual(await scratchFolders(), [])
    const [note] = await query('select cell, iso(reaches) as reaches, ok from backup_checks')
    t.deepEqual(note, { cell: 'main', reaches: newest, ok: true })
  },
)

testDumps(`a plain dump is restored with its roles, and --no-note leaves no trace${where}`, async t => {
  await query('create role clerk')
  await query('grant select on tenants to clerk')
  const traces = () =>
    query('select (select count(*) from backup_checks), (select count(*) as actions from operator_actions)')
  const before = await traces()
  const { status, out, err } = await check(await dump('plain.sql'), '--no-note')
  t.is(status, 0, out + err)
  t.regex(out, new RegExp(`The data of the cell main reach until ${newest}`))
  t.deepEqual(await traces(), before)
})

testDumps(`a dump that is cut short, empty or none is refused in a line${where}`, async t => {
  const whole = await readFile(join(folder, 'good.dump'))
  const plain = await readFile(join(folder, 'plain.sql'), 'utf8')
  const cases: readonly [string, Buffer | string, RegExp][] = [
    ['half.dump', whole.subarray(0, whole.length / 2), /half\.dump cannot be restored: |half\.dump is no whole dump/],
    ['half.sql', plain.slice(0, plain.length / 2), /half\.sql ends before its end/],
    [
      'newer.sql',
      plain.replace(/by pg_dump version \d+/, 'by pg_dump version 99'),
      /psql is of version [\d.]+, and pg_dump 99 made /,
    ],
    [
      'later.sql',
      plain.replace(/from database version \d+/, 'from database version 99'),
      /is of PostgreSQL 99, and the scratch/,
    ],
    ['empty.dump', '', /empty\.dump is empty/],
    ['other.txt', 'something else', /other\.txt is no dump/],
  ]
  for (const [name, text, reason] of cases) {
    await writeFile(join(folder, name), text)
    const { status, out, err } = await check(join(folder, name), '--no-note')
    t.is(status, 1, name)
    t.is(out, '')
    t.regex(err, reason)
    t.notRegex(err, /\n/)
  }
  t.regex((await check(join(folder, 'missing.dump'), '--no-note')).err, /missing\.dump cannot be read/)
  t.deepEqual(await scratchFolders(), [])
})

testDumps(`a backup whose secrets the key here cannot open is 1${where}`, async t => {
  const { status, out } = await checkWith(
    { WEBHOOK_SECRET_KEY: 'b'.repeat(64) },
    join(folder, 'good.dump'),
    '--no-note',
  )
  t.is(status, 1)
  t.regex(out, /webhook secrets +FAULT +1 of 1 are sealed with a key that is not here/)
})

testDumps(`Ctrl-C ends a check with 1 and removes its scratch cluster${where}`, async t => {
  const args = [
    join(root, 'bin/millrace.ts'),
    'backup',
    'check',
    '--no-note',
    '--folder',
    folder,
    join(folder, 'good.dump'),
  ]
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  let told = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    told += text
  })
  const ended = new Promise(resolve => child.once('close', resolve))
  await eventually(async () => (await scratchFolders()).length === 1)
  child.kill('SIGINT')
  t.is(await ended, 1)
  t.regex(told, /broken off; the scratch cluster is removed/)
  t.deepEqual(await scratchFolders(), [])
})

testDumps(`an address is only read, and its password is in no answer and no trail${where}`, async t => {
  const { status, out, err } = await check(server.url, '--json')
  t.is(status, 0, out + err)
  t.notRegex(out, /secret@/)
  const actions = await query("select arguments::text || coalesce(state::text, '') as text from operator_actions")
  t.true(actions.length >= 2)
  for (const { text } of actions) t.notRegex(String(text), /:secret@/)
  t.true(actions.some(({ text }) => /"main": "2\d{3}-/.test(String(text))))
})

testDumps(`books that do not agree are 1, and doctor goes on with the good backup of before${where}`, async t => {
  await query(`
    update stock_levels set quantity = quantity + 1
    where id = (select id from stock_levels where quantity > 0 order by id limit 1)`)
  const { status, out, err } = await check(await dump('wrong.dump', '--format=custom'), '--json')
  t.is(status, 1, err)
  const { ok, noted, faults, checks } = JSON.parse(out)
  t.deepEqual([ok, noted], [false, true])
  t.true(faults.length > 0)
  t.regex(checks.at(-1).found, /faults/)
  t.deepEqual((await query('select ok from backup_checks order by checked_at')).at(-1), { ok: false })
  const main = await createPool(server.url, { size: 1, statementTimeoutMs: 5_000, idleInTransactionTimeoutMs: 5_000 })
  const finding = await checkBackups(main, { name: 'main', pool: main })
  await main.query(statement`update backup_checks set checked_at = checked_at - interval '40 days' where ok`)
  const old = await checkBackups(main, { name: 'main', pool: main })
  await main.end()
  t.is(finding.status, 'ok')
  t.regex(finding.found, /^checked \d+ s ago, its data were \d+ (?:s|min) old then$/)
  t.is(old.status, 'warning')
  t.regex(old.found, /^checked 40 d ago/)
})
