/** Private files that several processes write at once, also where their process ids are equal (containers on one volume). */
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import test from 'ava'
import { secretBox } from '../../lib/secret-box.ts'
import type { Part } from './secret-race.ts'

const ROUNDS = 100
const THREADS = 4

/** What the threads made of each folder's key, when all made it at once. */
async function race(folders: readonly string[]): Promise<readonly (readonly string[])[]> {
  const gate = new Int32Array(new SharedArrayBuffer(folders.length * Int32Array.BYTES_PER_ELEMENT))
  const workerData: Part = { folders, gate, threads: THREADS }
  const script = new URL('./secret-race.ts', import.meta.url)
  const threads = Array.from({ length: THREADS }, () => new Worker(script, { workerData }))
  const found = threads.map(thread => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
    thread.once('message', resolve).once('error', reject)
    return promise
  })
  try {
    return await Promise.all(found)
  } finally {
    await Promise.all(threads.map(thread => thread.terminate()))
  }
}

test('processes of one id that make the key at once all use the one that is kept, and leave no draft', async t => {
  const root = await mkdtemp(join(tmpdir(), 'millrace-race-'))
  const folders = Array.from({ length: ROUNDS }, (_, round) => join(root, String(round)))
  await Promise.all(folders.map(folder => mkdir(folder)))
  const found = await race(folders)
  for (const [round, folder] of folders.entries()) {
    const kept = (await readFile(join(folder, 'webhook-secret.key'), 'utf8')).trim()
    const mark = secretBox([Buffer.from(kept, 'base64')])
      .marks()
      .join()
    for (const marks of found) t.is(marks[round], mark, `round ${round}`)
    t.regex(await readFile(join(folder, 'replaced'), 'utf8'), /^(\d+)\1{999}$/)
    t.deepEqual((await readdir(folder)).sort(), ['replaced', 'webhook-secret.key'])
  }
})
