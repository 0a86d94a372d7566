/**
 * The `worker` process of the Procfile: drains the tenants' command queues.
 */

import { endedKeys, oldCommands, oldQuotaCounts, oldRefusals, oldSecurityCounts } from '../housekeeping/housekeeping.ts'
import { runWorkerProcess } from '../worker-process.ts'
import {
  startCommandWorker,
  WORKER_IDLE_TRANSACTION_TIMEOUT_MS,
  WORKER_STATEMENT_TIMEOUT_MS,
} from './command-worker.ts'

await runWorkerProcess({
  connectionName: 'commands',
  poolOptions: () => ({
    // For the commands of webhooks, readiness and housekeeping; units of work have connections of their own.
    size: 4,
    statementTimeoutMs: WORKER_STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: WORKER_IDLE_TRANSACTION_TIMEOUT_MS,
  }),
  startWork: startCommandWorker,
  chores: [oldCommands, oldRefusals, oldQuotaCounts, oldSecurityCounts, endedKeys],
})
