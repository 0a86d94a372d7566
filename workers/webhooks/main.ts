/**
 * The `webhook` process of the Procfile: owns the outbox after the commit. It delivers events to subscriptions, sends the
 * mails to tenants' owners, and keeps both to their time.
 */
import { choresOfWebhook } from '../housekeeping/chores.ts'
import { runWorkerProcess } from '../worker-process.ts'
import { startAllWebhooks } from './webhook-worker.ts'

/** Senders share these; each holds one only while it reads or stores. */
const POOL_SIZE = 10
const STATEMENT_TIMEOUT_MS = 30_000
/** A transaction whose process is gone or cut off holds rows that other senders wait for. */
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
