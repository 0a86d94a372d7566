/** Replaces a process of the Procfile in the tests of its frame: it does what the test sends over its channel. */
import { runProcess } from '../../lib/platform/telemetry/process.ts'

await runProcess('web', async (_config, log) => {
  process.on('message', what => {
    if (what === 'throw') throw new Error('nobody catches this')
    for (let line = 0; line < Number(what); line++) log.info({ line }, 'told')
    process.send?.('done')
  })
  return { adminUrl: '', close: async () => {} }
})
