/**
 * The end of a process of the Procfile: it ends soon, even if the reader of its log is slow or gone, and writes the whole log to a reader
 * that reads.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { awayLines } from '../../lib/platform/telemetry/away-lines.ts'
import { holdingBack } from '../../lib/platform/telemetry/log.ts'
import { eventually } from '../support/eventually.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const file = fileURLToPath(new URL('./stand-in.ts', import.meta.url))

type Started = { readonly child: ChildProcess; readonly ended: Promise<unknown[]>; readonly written: () => string }

/** A process that serves. */
async function start(): Promise<Started> {
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', more => {
    text += more
  })
  const ended = once(child, 'close')
  const isServing = Promise.withResolvers<void>()
  child.stdout?.on('data', () => text.includes('"serving"') && isServing.resolve())
  await isServing.promise
  return { child, ended, written: () => text }
}

const tell = async (child: ChildProcess, what: string) => {
  const done = once(child, 'message')
  child.send(what)
  await done
}

test('of lines about a store that is away one a minute is written, with the number of those alike', async t => {
  const written: Record<string, unknown>[] = []
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' })
  const log = pino(
    { hooks: { logMethod: holdingBack(awayLines(200)) } },
    { write: (line: string) => void written.push(JSON.parse(line)) },
  )
  for (let n = 1; n <= 100; n++) {
    log.warn({ err: refused, n }, 'ready queue')
    log.warn({ err: refused, n }, 'sweep failed')
    log.error({ store: 'redis' }, `the connection fell silent ${n}`)
  }
  // These do not mean that a store is absent, so each is logged.
  for (let n = 0; n < 3; n++) {
    log.warn({ err: Object.assign(new Error('canceling statement'), { code: '57014' }) }, 'command failed')
    log.warn({ err: new TypeError('a bug') }, 'command failed')
    log.info('told')
  }
  const words = () => written.map(({ msg, times = 1, n = '' }) => `${msg} ${n} x${times}`)
  t.deepEqual(words().slice(0, 3), ['ready queue 1 x1', 'sweep failed 1 x1', 'the connection fell silent 1  x1'])
  t.is(written.length, 3 + 9)
  await eventually(() => written.length === 15)
  t.deepEqual(words().slice(12), ['ready queue 100 x99', 'sweep failed 100 x99', 'the connection fell silent 100  x99'])
})

test('what was logged is written before a process ends, when it is stopped and when it fails', async t => {
  for (const fails of [false, true]) {
    const { child, ended, written } = await start()
    await tell(child, '5000')
    if (fails) child.send('throw')
    else child.kill('SIGTERM')
    t.deepEqual(await ended, [fails ? 1 : 0, null])
    const lines = written().trim().split('\n')
    t.is(lines.filter(line => line.includes('"told"')).length, 5_000)
    t.regex(lines.at(-1) ?? '', fails ? /"level":"fatal".*nobody catches this/ : /"stopped"/)
  }
})

test('a process ends though the reader of its log is gone, when it is stopped and when it fails', async t => {
  for (const fails of [false, true]) {
    const { child, ended } = await start()
    child.stdout?.destroy()
    await tell(child, '10')
    if (fails) child.send('throw')
    else child.kill('SIGTERM')
    t.deepEqual(await ended, [fails ? 1 : 0, null])
  }
})
