/**
 * The `worker` process of the Procfile: drains the tenants' command queues.
 */
import { choresOfWorker } from '../housekeeping/chores.ts'
import { runWorkerProcess } from '../worker-process.ts'
import { startCommandWorker } from './command-worker.ts'
import { startMoveWatch } from './move-watch.ts'
import { startNightlyReconcile } from './nightly-reconcile.ts'
import { startStatisticsWatch } from './statistics-watch.ts'
import { startStoreWatch } from './store-watch.ts'

const STATEMENT_TIMEOUT_MS = 3_500

await runWorkerProcess({
  kind: 'worker',
  connectionName: 'commands',
  poolOptions: {
    name: 'chores',
    // One connection for the two sweepers (short statements), one for the watch over moves, one for the running chore, and one for
    // readiness, the watches over clocks, stores and statistics, and the notes of the nightly reconcile. Units of work have connections of
    // their own.
    size: 4,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: STATEMENT_TIMEOUT_MS,
  },
  startWork: services => {
    const watches = [startMoveWatch, startNightlyReconcile, startStatisticsWatch, startStoreWatch]
    const work = [startCommandWorker(services), ...watches.map(start => start(services))]
    return { close: async () => void (await Promise.all(work.map(each => each.close()))) }
  },
  chores: choresOfWorker,
})
