/**
 * The `webhook` process of the Procfile: works on the outbox after the commit. It delivers events to subscriptions and sends mails to
 * tenants' owners.
 */
import { choresOfWebhook } from '../housekeeping/chores.ts'
import { runWorkerProcess } from '../worker-process.ts'
import { startAllWebhooks } from './webhook-worker.ts'

/** Senders share these connections and use one only while they read or store. */
const POOL_SIZE = 10
const STATEMENT_TIMEOUT_MS = 30_000
/** A transaction whose process is gone locks rows that other senders wait for. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000

await runWorkerProcess({
  kind: 'webhook',
  connectionName: 'webhooks',
  poolOptions: {
    name: 'deliveries',
    size: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: IDLE_TRANSACTION_TIMEOUT_MS,
  },
  startWork: startAllWebhooks,
  chores: choresOfWebhook,
})
