/**
 * The guarantees of `npm start`, with stand-ins for the processes of the Procfile, which start faster. `test/docs/readme.test.ts` starts
 * the real ones. start-outputs.test.ts, which torture runs, has more ends and outputs that nothing reads.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { isAlive } from '../../lib/tools/embedded/process-table.ts'
import { bareEnvironment } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { type NpmStart, npmStart, STAND_INS } from '../support/npm-start.ts'
import { column } from '../support/records.ts'
import { temporaryFolder } from '../support/servers.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { stopsInOrder } from './stops-in-order.ts'

const test = apart(import.meta, { isSerial: true })

const standIns = ['--procfile', STAND_INS]
/** The tests share one folder with its data, which is faster than a new folder for each. */
const usedFolder = await temporaryFolder()
const demoOf = async (folder: string) => JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))
/** The start that a test left running for the next one to stop. */
let leftRunning: NpmStart | undefined
async function stopLeft(): Promise<void> {
  await leftRunning?.stop()
  leftRunning = undefined
}
test.after.always(stopLeft)

const otherStores = ({ databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string }) => ({
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
})

/** The service that runs, or a new one. */
function running(): NpmStart {
  const start = leftRunning ?? npmStart({ dataFolder: usedFolder, args: standIns })
  leftRunning = undefined
  return start
}

/** Waits until the stand-ins have logged that they got this key of webhook secrets. */
async function haveKey(start: NpmStart, key: string, names: readonly string[]): Promise<void> {
  const hash = createHash('sha256').update(key.trim()).digest('hex')
  for (const name of names) await eventually(() => start.output().includes(`${name} has the key ${hash}`))
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('a start brings everything up, on one port, and run.json tells what runs; the next one finds all again', async t => {
  await stopLeft()
  const start = npmStart({ dataFolder: usedFolder, args: [...standIns, '--scale', 'web=2,worker=2'] })
  const run = await start.ready()
  t.deepEqual(column(run.processes, 'name'), ['web.1', 'web.2', 'worker.1', 'worker.2', 'postgres', 'redis'])
  t.true(run.processes.every(({ pid }) => isAlive(pid)))
  t.is((await stat(join(start.dataFolder, 'run.json'))).mode & 0o777, 0o600)
  t.is((await stat(join(start.dataFolder, 'demo.json'))).mode & 0o777, 0o600)
  t.is(run.processes[0]?.admin_url, run.admin_url)
  for (const { name, admin_url } of run.processes) {
    if (admin_url !== undefined) t.is(await eventually(async () => (await fetch(admin_url)).text()), name)
  }
  const seen = new Set<number>()
  await eventually(async () => {
    const answer = await fetch(run.base_url, { headers: { connection: 'close' } })
    seen.add(((await answer.json()) as { pid: number }).pid)
    return seen.size === 2
  })
  t.deepEqual([...seen].toSorted(), [await start.pidOf('web.1'), await start.pidOf('web.2')].toSorted())
  t.deepEqual(await query(run.database_url, 'SELECT count(*)::int AS count FROM tenants'), [{ count: 1 }])
  await query(run.database_url, 'CREATE TABLE kept AS SELECT 1 AS one')
  const demo = await demoOf(usedFolder)
  const key = await readFile(join(usedFolder, 'webhook-secret.key'), 'utf8')
  t.is(Buffer.from(key, 'base64').length, 32)
  t.is((await stat(join(usedFolder, 'webhook-secret.key'))).mode & 0o777, 0o600)
  await haveKey(start, key, ['web.1', 'web.2', 'worker.1', 'worker.2'])
  t.is(await start.stop(), 0)
  t.false(run.processes.some(({ pid }) => isAlive(pid)))
  await t.throwsAsync(readFile(join(usedFolder, 'run.json')), { code: 'ENOENT' })

  leftRunning = npmStart({ dataFolder: usedFolder, args: standIns })
  const { database_url, base_url } = await leftRunning.ready()
  t.deepEqual(await query(database_url, 'SELECT one FROM kept'), [{ one: 1 }])
  t.deepEqual(await demoOf(usedFolder), { ...demo, base_url })
  await haveKey(leftRunning, key, ['web.1', 'worker.1'])
})

test('a start beside one that runs is refused, and told where that one serves', async t => {
  leftRunning = running()
  const { base_url } = await leftRunning.ready()
  const beside = npmStart({ dataFolder: usedFolder, args: standIns })
  t.is(await beside.exited, 1)
  t.regex(beside.output(), /^Millrace already runs on .*\n$/)
  t.true(beside.output().includes(base_url))
  t.is((await fetch(base_url)).status, 200)
})

const signals: [string, { signal: (pid: number) => void; twice: boolean }][] = [
  ['SIGTERM to npm alone, once,', { signal: pid => process.kill(pid, 'SIGTERM'), twice: false }],
  ['Ctrl-C (SIGINT to the whole group), twice,', { signal: pid => process.kill(-pid, 'SIGINT'), twice: true }],
]
for (const [what, how] of signals)
  test(`${what} lets the running request finish, stops all in order and exits 0`, async t => {
    await stopsInOrder(t, running(), how)
  })

test('whatever dies is started again, and run.json follows', async t => {
  const start = running()
  const before = await start.ready()
  await query(before.database_url, 'CREATE TABLE kept_over_deaths AS SELECT 1 AS one')
  for (const { name, pid } of before.processes) {
    process.kill(pid, 'SIGKILL')
    await eventually(async () => (await start.pidOf(name)) !== pid, { what: `restart of ${name}` })
  }
  const after = await start.run()
  t.deepEqual({ ...after, processes: [] }, { ...before, processes: [] })
  t.true(after.processes.every(({ pid }) => isAlive(pid)))
  t.deepEqual(await query(after.database_url, 'SELECT one FROM kept_over_deaths'), [{ one: 1 }])
  await eventually(async () => (await fetch(after.base_url)).ok)
  t.is(await start.stop(), 0)
})

test('a killed npm start leaves no process behind and does not keep the next one from starting', async t => {
  const dataFolder = usedFolder
  const first = running()
  const run = await first.ready()
  process.kill(-first.pid, 'SIGKILL')
  await eventually(() => !run.processes.some(({ pid }) => isAlive(pid)))
  // The run.json of the earlier start is still in the folder, and no command takes it for a running service.
  t.deepEqual(await first.run(), run)
  t.regex(await commandLine(dataFolder, 'tenant', 'list'), /nothing runs in/)
  t.regex(await commandLine(dataFolder, 'demo'), /no service runs here/)
  t.regex(await commandLine(dataFolder, 'doctor'), /nothing runs here: npm start/)
  const second = npmStart({ dataFolder, args: standIns })
  await eventually(async () => /just starting/.test(await commandLine(dataFolder, 'doctor')))
  await second.ready()
  t.regex(await commandLine(dataFolder, 'tenant', 'list'), /\(demo\)/)
  leftRunning = second
})

/** What `bin/millrace` prints about a data folder, on both outputs. */
async function commandLine(dataFolder: string, ...args: string[]): Promise<string> {
  const said: string[] = []
  const say = (text: string) => said.push(text)
  await runCommandLine(args, { env: { MILLRACE_DATA: dataFolder }, root: '/nonexistent', out: say, err: say })
  return said.join('\n')
}

const hangUps: [string, (pid: number) => void][] = [
  ['SIGHUP to npm alone', pid => process.kill(pid, 'SIGHUP')],
  ['the death of npm alone', pid => process.kill(pid, 'SIGKILL')],
]
for (const [what, hangUp] of hangUps) {
  test(`${what} lets the running request finish and leaves neither a process nor run.json`, async t => {
    const start = running()
    const run = await start.ready()
    const request = fetch(`${run.base_url}/slow?ms=500`, { headers: { connection: 'close' } })
    await eventually(() => start.output().includes('got /slow'))
    hangUp(start.pid)
    t.is((await request).status, 200)
    await start.exited // the signal ends npm itself, and its output stays open as long as a process writes to it
    t.regex(start.output(), /\nStopped\. .*\n$/)
    t.false(run.processes.some(({ pid }) => isAlive(pid)))
    await t.throwsAsync(start.run(), { code: 'ENOENT' })
  })
}

test('a signal during the start ends it with 0 and leaves nothing behind', async t => {
  await stopLeft()
  const start = npmStart({ dataFolder: usedFolder, args: standIns })
  await eventually(() => start.output().includes('postgres | started as process'))
  const pid = Number(/started as process (\d+)/.exec(start.output())?.[1])
  t.is(await start.stop(), 0)
  t.false(isAlive(pid))
})

test('with DATABASE_URL and REDIS_URL nothing embedded starts', async t => {
  const services = await testServices()
  const start = npmStart({
    dataFolder: await temporaryFolder(),
    args: standIns,
    env: { ...otherStores(services), WEBHOOK_SECRET_KEY: 'a'.repeat(64) },
  })
  const run = await start.ready()
  t.deepEqual(column(run.processes, 'name'), ['web.1', 'worker.1'])
  t.is(run.database_url, services.databaseUrl)
  await t.throwsAsync(stat(join(start.dataFolder, 'postgres')), { code: 'ENOENT' })
  await t.throwsAsync(stat(join(start.dataFolder, 'demo.json')), { code: 'ENOENT' })
  await t.throwsAsync(stat(join(start.dataFolder, 'webhook-secret.key')), { code: 'ENOENT' })
  t.is(await start.stop(), 0)
  await services.close()
})

const noStores = otherStores({ databaseUrl: 'postgres://127.0.0.1:1/x', redisUrl: 'redis://127.0.0.1:1' })
const wrongSettings: [string, { args?: string[]; env?: NodeJS.ProcessEnv }, RegExp][] = [
  [
    'each of several wrong settings',
    { env: { PORT: 'http', LOG_LEVEL: 'loud', REDIS_URL: 'redis://127.0.0.1:1' } },
    /^PORT must be a port number, not "http"\nLOG_LEVEL must be [^\n]*, not "loud"\nREDIS_URL is set but DATABASE_URL is not[^\n]*\n$/,
  ],
  ['an unknown kind to scale', { args: ['--scale', 'clerk=2'] }, /^--scale clerk=2: the Procfile has web, worker\n$/],
  ['a Procfile that is not there', { args: ['--procfile', '/nowhere'] }, /^--procfile cannot be read: ENOENT.*\n$/],
  [
    'a database that does not answer',
    { env: { ...noStores, WEBHOOK_SECRET_KEY: 'a'.repeat(64) } },
    /^DATABASE_URL cannot be used: .*ECONNREFUSED.*\n$/,
  ],
  [
    'a missing key of webhook secrets beside stores that others may use, too,',
    { env: noStores },
    /^WEBHOOK_SECRET_KEY is not set: [^\n]*\n$/,
  ],
  [
    'an address of another machine',
    { env: { HOST: '192.0.2.1', PORT: '3000' } },
    /^PORT 3000 on 192\.0\.2\.1 cannot be used.*\n$/,
  ],
]
for (const [what, { args = [], env = {} }, message] of wrongSettings) {
  test(`${what} is one clear line and exit code 1`, async t => {
    const { code, output } = await endOf({ args, env })
    t.is(code, 1)
    t.regex(output, message)
  })
}

/** The message of a start that fails, and its exit code. npm passes both on. */
async function endOf({ args = [], env = {} }: { args?: string[]; env?: NodeJS.ProcessEnv }) {
  const child = spawn(process.execPath, ['bin/start.ts', ...standIns, ...args], {
    env: { ...bareEnvironment(), PORT: '0', MILLRACE_DATA: await temporaryFolder(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  const [code] = await once(child, 'close')
  return { code, output }
}

test('a port that is taken is one clear line and exit code 1', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const { code, output } = await endOf({ env: { PORT: port } })
  t.is(code, 1)
  t.regex(output, new RegExp(`^PORT ${port} on 127\\.0\\.0\\.1 cannot be used.*\\n$`))
  server.close()
})

test('processes that cannot run end the start with exit code 1', async t => {
  await stopLeft()
  const procfile = join(usedFolder, 'Procfile')
  await writeFile(procfile, 'web: node -e process.exit(7)')
  const start = npmStart({ dataFolder: usedFolder, args: ['--procfile', procfile] })
  t.is(await start.exited, 1)
  t.regex(start.output(), /web\.1 keeps ending/)
})
