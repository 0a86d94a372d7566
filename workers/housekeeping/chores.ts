/** Which chores each kind of process does, in their order: promises to forget first. */
import type { Chore } from './deletion.ts'
import { levelExpiries } from './level-expiries.ts'
import { pastBalances } from './past-balances.ts'
import {
  commandPeriods,
  endedKeys,
  eventPeriods,
  oldCommands,
  oldEvents,
  oldKeyChanges,
  oldNetworkKeys,
  oldQuotaCounts,
  oldRefusals,
  oldSecurityCounts,
  refusalPeriods,
  refusalsBeyond,
  securityHours,
} from './retention.ts'
import { webhookChores } from './webhooks.ts'

export const choresOfWorker: readonly Chore[] = [
  oldNetworkKeys,
  commandPeriods,
  oldCommands,
  oldRefusals,
  refusalPeriods,
  refusalsBeyond,
  oldQuotaCounts,
  oldSecurityCounts,
  securityHours,
  oldKeyChanges,
  endedKeys,
  pastBalances,
  levelExpiries,
]

export const choresOfWebhook: readonly Chore[] = [eventPeriods, oldEvents, ...webhookChores]
