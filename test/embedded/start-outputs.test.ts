/**
 * `npm start` whose output nothing reads, or a terminal reads, signals to its whole process group, and the real processes started twice. It
 * takes long and is a part of torture. start.test.ts has the usual cases.
 */
import { type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from '../../lib/tools/embedded/process-table.ts'
import type { RunContents } from '../../lib/tools/embedded/run-file.ts'
import { bareEnvironment } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { npmStart, STAND_INS } from '../support/npm-start.ts'
import { temporaryFolder } from '../support/servers.ts'
import { apart } from '../support/suite.ts'
import { stopsInOrder } from './stops-in-order.ts'

const test = apart(import.meta, { isSerial: true })

const standIns = ['--procfile', STAND_INS]
/** The tests share one folder with its data, which is faster than a new folder for each. */
const usedFolder = await temporaryFolder()

test('SIGTERM to the whole group, twice, lets the running request finish, stops all in order and exits 0', async t => {
  const start = npmStart({ dataFolder: usedFolder, args: standIns })
  await stopsInOrder(t, start, { signal: pid => process.kill(-pid, 'SIGTERM'), twice: true })
})

/** `bin/start.ts` without npm, with its output as `stdio` says. */
function startAlone(stdio: StdioOptions) {
  const child = spawn(process.execPath, ['bin/start.ts', ...standIns], {
    env: { ...bareEnvironment(), PORT: '0', MILLRACE_DATA: usedFolder },
    stdio,
  })
  return { child, ended: once(child, 'exit') }
}

const runOf = async (folder: string) => JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')) as RunContents

/** The run.json of a start whose output cannot be read, as soon as its processes answer. */
const whenServing = (folder: string) =>
  eventually(
    async () => {
      const run = await runOf(folder)
      return (await fetch(run.base_url)).ok && run
    },
    { what: 'a service that answers' },
  )

test('SIGHUP stops all and exits 0 when the reader of the output is gone', async t => {
  const { child, ended } = startAlone(['ignore', 'pipe', 'inherit'])
  child.stdout?.destroy()
  const { processes } = await whenServing(usedFolder)
  child.kill('SIGHUP')
  t.deepEqual(await ended, [0, null])
  t.false(processes.some(({ pid }) => isAlive(pid)))
  await t.throwsAsync(runOf(usedFolder), { code: 'ENOENT' })
})

const onLinux = process.platform === 'linux' ? test : test.skip

onLinux('an output that cannot be written (a full disk) ends nothing, and SIGTERM exits 0', async t => {
  const full = await open('/dev/full', 'w')
  const { child, ended } = startAlone(['ignore', full.fd, full.fd])
  const { processes } = await whenServing(usedFolder)
  child.kill('SIGTERM')
  t.deepEqual(await ended, [0, null])
  t.false(processes.some(({ pid }) => isAlive(pid)))
  await t.throwsAsync(runOf(usedFolder), { code: 'ENOENT' })
  await full.close()
})

onLinux(
  'a terminal shows coloured lines with their time; closed, it leaves neither a process nor run.json',
  async t => {
    const command = `exec "${process.execPath}" bin/start.ts ${standIns.join(' ')}`
    const terminal = spawn('script', ['--quiet', '--command', command, '/dev/null'], {
      env: { ...bareEnvironment(), SHELL: '/bin/sh', TERM: 'xterm', PORT: '0', MILLRACE_DATA: usedFolder },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let shown = ''
    terminal.stdout?.setEncoding('utf8').on('data', text => {
      shown += text
    })
    const { processes } = await whenServing(usedFolder)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
    await eventually(() => /^\d\d:\d\d:\d\d \u001b\[36mweb\.1 {4}\|\u001b\[0m web\.1 serving\r$/m.test(shown))
    terminal.kill('SIGKILL') // the system then sends SIGHUP to what ran in the terminal
    await t.notThrowsAsync(eventually(() => !processes.some(({ pid }) => isAlive(pid))))
    await t.notThrowsAsync(eventually(async () => (await runOf(usedFolder).catch(error => error.code)) === 'ENOENT'))
  },
)

test('the real processes answer the first calls with the demo key, and after a second start replay them', async t => {
  const dataFolder = await temporaryFolder()
  const product = async () => {
    const { base_url, token } = JSON.parse(await readFile(join(dataFolder, 'demo.json'), 'utf8'))
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const places = await fetch(`${base_url}/api/external/v1/storage-places`, { headers })
    t.is(places.status, 200)
    const answer = await fetch(`${base_url}/api/external/v1/products`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': 'first-product' },
      body: JSON.stringify({ title: 'Oak table' }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const first = npmStart({ dataFolder })
  const { base_url } = await first.ready()
  t.is((await fetch(`${base_url}/readyz`)).status, 200)
  const created = await product()
  t.is(created.status, 201)
  t.is(await first.stop(), 0)

  const second = npmStart({ dataFolder })
  await second.ready()
  t.deepEqual(await product(), { status: 200, body: created.body })
  t.is(await second.stop(), 0)
})
