/** The stop of `npm start`, for its tests. */
import type { ExecutionContext } from 'ava'
import { isAlive } from '../../lib/tools/embedded/process-table.ts'
import { eventually } from '../support/eventually.ts'
import type { NpmStart } from '../support/npm-start.ts'

/**
 * Sends the signal during a request, and with `twice` once more while it stops. The request is answered, and all processes stop in order.
 */
export async function stopsInOrder(
  t: ExecutionContext,
  start: NpmStart,
  { signal, twice }: { readonly signal: (pid: number) => void; readonly twice: boolean },
): Promise<void> {
  const run = await start.ready()
  const request = fetch(`${run.base_url}/slow?ms=500`, { headers: { connection: 'close' } })
  await eventually(() => start.output().includes('got /slow'))
  signal(start.pid)
  if (twice) {
    await eventually(() => start.output().includes('web.1 stopping'))
    signal(start.pid)
  }
  t.is((await request).status, 200)
  t.is(await start.exited, 0)
  const output = start.output()
  t.true(output.indexOf('web.1 drained') < output.indexOf('worker.1 stopping'))
  t.is(output.split('web.1 stopping').length, 2, 'a child hears of the stop once')
  t.notRegex(output, /starting it again/)
  t.true(output.endsWith(`\nStopped. The data is kept in ${start.dataFolder}.\n`))
  t.false(run.processes.some(({ pid }) => isAlive(pid)))
}
