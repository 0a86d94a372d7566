/**
 * One thread of secret-race.test.ts: threads have the process id in common, as the first processes of two containers have. It waits for the
 * others at each folder, and then writes.
 */
import { join } from 'node:path'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import { writePrivateFile } from '../../lib/tools/embedded/secret-file.ts'

/** `gate` counts the threads that have reached each folder. */
export type Part = { readonly folders: readonly string[]; readonly gate: Int32Array; readonly threads: number }

const { folders, gate, threads } = workerData as Part
for (const [round, dataFolder] of folders.entries()) {
  for (let come = Atomics.add(gate, round, 1) + 1; come < threads; come = Atomics.load(gate, round))
    Atomics.wait(gate, round, come)
  Atomics.notify(gate, round)
  await writePrivateFile(join(dataFolder, 'replaced'), String(threadId).repeat(1_000))
}
parentPort?.postMessage('done')
