/** Private files that several processes write at the same time, even with equal process ids (containers on one volume). */
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { testsOf } from '../support/suite.ts'
import type { Part } from './secret-race.ts'

const test = testsOf(import.meta)

const ROUNDS = 100
const THREADS = 4

/** All threads write the files of all folders, each at the same moment. */
async function race(folders: readonly string[]): Promise<void> {
  const gate = new Int32Array(new SharedArrayBuffer(folders.length * Int32Array.BYTES_PER_ELEMENT))
  const workerData: Part = { folders, gate, threads: THREADS }
  const script = new URL('./secret-race.ts', import.meta.url)
  const threads = Array.from({ length: THREADS }, () => new Worker(script, { workerData }))
  const done = threads.map(thread => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    thread.once('message', () => resolve()).once('error', reject)
    return promise
  })
  try {
    await Promise.all(done)
  } finally {
    await Promise.all(threads.map(thread => thread.terminate()))
  }
}

test('processes of one id that replace a file at once leave one of their texts, whole, and no draft', async t => {
  const root = await mkdtemp(join(tmpdir(), 'millrace-race-'))
  const folders = Array.from({ length: ROUNDS }, (_, round) => join(root, String(round)))
  await Promise.all(folders.map(folder => mkdir(folder)))
  await race(folders)
  for (const folder of folders) {
    t.regex(await readFile(join(folder, 'replaced'), 'utf8'), /^(\d+)\1{999}$/)
    t.deepEqual(await readdir(folder), ['replaced'])
  }
})
