/** Owns how AVA runs the tests. What it is told on its command line stands in test/run.ts, the order of files in test/areas.ts. */

export default {
  extensions: ['ts'],
  files: ['test/**/*.test.ts'],
  timeout: '15m',
  workerThreads: false,
}
