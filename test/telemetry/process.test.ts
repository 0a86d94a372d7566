/** How a process of the Procfile ends: soon, whoever reads its log or has gone, and with all of it written for who reads. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import test from 'ava'

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
