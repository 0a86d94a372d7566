/** Owns how AVA runs the tests. What it is told on its command line stands in test/run.ts. */

/** Tests of webhooks wait longest (for time-outs, comments, retries): last of all they would wait alone. */
const isEarly = file => file.includes('/test/webhooks/')

export default {
  extensions: ['ts'],
  files: ['test/**/*.test.ts'],
  timeout: '15m',
  workerThreads: false,
  sortTestFiles: (one, other) => Number(isEarly(other)) - Number(isEarly(one)),
}
