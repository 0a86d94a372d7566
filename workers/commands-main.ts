/**
 * The `worker` process of the Procfile: drains the tenants' command queues.
 */
import {
  startCommandWorker,
  WORKER_IDLE_TRANSACTION_TIMEOUT_MS,
  WORKER_STATEMENT_TIMEOUT_MS,
} from './command-worker.ts'
import { endedKeys, oldCommands, oldQuotaCounts, oldRefusals, oldSecurityCounts } from './housekeeping.ts'
import { runWorkerProcess } from './worker-process.ts'

await runWorkerProcess({
  connectionName: 'commands',
  poolOptions: config => ({
    // One connection per tenant that is drained at once, and one for readiness and housekeeping.
    size: config.workerConcurrency + 1,
    statementTimeoutMs: WORKER_STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: WORKER_IDLE_TRANSACTION_TIMEOUT_MS,
  }),
  startWork: startCommandWorker,
  chores: [oldCommands, oldRefusals, oldQuotaCounts, oldSecurityCounts, endedKeys],
})
