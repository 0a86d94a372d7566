/** The chores of each kind of process, in their order: deletions with a promised date come first. */

import { bookNotes } from './book-notes.ts'
import type { Chore } from './deletion.ts'
import { pastBalances } from './past-balances.ts'
import {
  commandPeriods,
  endedKeys,
  eventPeriods,
  oldKeyChanges,
  oldNetworkKeys,
  oldQuotaCounts,
  oldRefusals,
  oldSecurityCounts,
  refusalPeriods,
  refusalsBeyond,
  securityHours,
} from './retention.ts'
import { webhookChores } from './webhook-retention.ts'

export const choresOfWorker: readonly Chore[] = [
  oldNetworkKeys,
  commandPeriods,
  oldRefusals,
  refusalPeriods,
  refusalsBeyond,
  oldQuotaCounts,
  oldSecurityCounts,
  securityHours,
  oldKeyChanges,
  endedKeys,
  pastBalances,
  bookNotes,
]

export const choresOfWebhook: readonly Chore[] = [eventPeriods, ...webhookChores]
