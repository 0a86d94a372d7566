/** The supervision of single processes: restarts, their pace, and ordered stops that leave no process behind. */

import { type Running, startChild } from '../../lib/tools/embedded/child.ts'
import { type KeepEvents, keepRunning, type Service } from '../../lib/tools/embedded/keep-running.ts'
import { isAlive } from '../../lib/tools/embedded/process-table.ts'
import { supervise } from '../../lib/tools/embedded/supervisor.ts'
import { eventually } from '../support/eventually.ts'
import { column } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const sleeper = (name: string, script = 'setInterval(() => {}, 1000)'): Service => ({
  name,
  start: () =>
    startChild({
      file: process.execPath,
      args: ['-e', script],
      cwd: '/',
      env: {},
      stopSignal: 'SIGTERM',
      stopGraceMs: 5_000,
      onLine: () => {},
    }),
})

function recorder() {
  const starts: number[] = []
  const deaths: { reason: string; retryMs: number }[] = []
  const events: KeepEvents = {
    onStart: (_name, pid) => starts.push(pid),
    onDeath: (_name, reason, retryMs) => deaths.push({ reason, retryMs }),
  }
  return { starts, deaths, events }
}

test('a killed process is started again after 100 ms', async t => {
  const { starts, deaths, events } = recorder()
  const kept = await keepRunning(sleeper('a'), events)
  process.kill(starts[0] ?? 0, 'SIGKILL')
  await eventually(() => starts.length === 2)
  t.deepEqual(deaths, [{ reason: 'was killed by SIGKILL', retryMs: 100 }])
  await kept.stop()
  t.false(isAlive(starts[1] ?? 0))
})

test('a process that keeps ending is started ever more slowly', async t => {
  const { deaths, events } = recorder()
  const kept = await keepRunning(sleeper('a', 'process.exit(3)'), events)
  await eventually(() => deaths.length >= 4)
  await kept.stop()
  t.deepEqual(column(deaths.slice(0, 4), 'retryMs'), [100, 200, 400, 800])
  t.is(deaths[0]?.reason, 'ended with exit code 3')
})

test('a stop between death and restart starts nothing more', async t => {
  const { starts, deaths, events } = recorder()
  const kept = await keepRunning(sleeper('a', 'process.exit(3)'), events)
  await eventually(() => deaths.length === 3)
  await kept.stop()
  t.is(starts.length, 3)
})

test('a service whose restart fails is tried again', async t => {
  const { starts, deaths, events } = recorder()
  let attempts = 0
  const flaky: Service = {
    name: 'flaky',
    start: () => {
      attempts += 1
      return attempts === 2 ? Promise.reject(new Error('port taken')) : sleeper('flaky').start()
    },
  }
  const kept = await keepRunning(flaky, events)
  process.kill(starts[0] ?? 0, 'SIGKILL')
  await eventually(() => starts.length === 2)
  t.is(deaths[1]?.reason, 'could not be started again: port taken')
  await kept.stop()
})

test('a process that does not stop when asked is killed after its grace', async t => {
  const lines: string[] = []
  const running = await startChild({
    file: process.execPath,
    args: ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up")'],
    cwd: '/',
    env: {},
    stopSignal: 'SIGTERM',
    stopGraceMs: 100,
    onLine: line => lines.push(line),
  })
  await eventually(() => lines.includes('up'))
  await running.stop()
  t.deepEqual(await running.ended, { code: null, signal: 'SIGKILL' })
})

test('stages stop in reverse, each only when the later one is gone', async t => {
  const order: string[] = []
  const service = (name: string): Service => ({
    name,
    start: async () => {
      const running = await sleeper(name).start()
      void running.ended.then(() => order.push(name))
      return running
    },
  })
  const supervisor = supervise(recorder().events)
  await supervisor.startStage([service('database')])
  await supervisor.startStage([service('worker'), service('webhook')])
  await supervisor.startStage([service('web')])
  await Promise.all([supervisor.stop(), supervisor.stop()])
  t.deepEqual([order[0], order[3]], ['web', 'database'])
  t.is(order.length, 4)
})

test('a program that does not exist rejects the start', async t => {
  const missing: Service = {
    name: 'missing',
    start: (): Promise<Running> =>
      startChild({
        file: '/no/such/program',
        args: [],
        cwd: '/',
        env: {},
        stopSignal: 'SIGTERM',
        stopGraceMs: 1,
        onLine: () => {},
      }),
  }
  await t.throwsAsync(keepRunning(missing, recorder().events), { code: 'ENOENT' })
})
