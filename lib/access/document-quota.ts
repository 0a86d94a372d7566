/**
 * The daily document quota: the UTC day that counts, its rest, and the refusal. Workers count under the tenant's lock (lib/work/quotas.ts).
 * The claim refuses if Redis knows that the quota is used up (lib/pipeline/claim.lua).
 */

import { type Refusal, refuse } from '../kit/api/errors.ts'
import { utcDay } from '../kit/days.ts'

const DAY_MS = 86_400_000

/** The UTC day (`2026-11-21`) of a moment. */
export function quotaDay(now: Date): string {
  return utcDay(now.getTime())
}

/** The begin of the next UTC day. */
export function nextQuotaDay(now: Date): Date {
  return new Date(now.getTime() - (now.getTime() % DAY_MS) + DAY_MS)
}

/** Whole seconds until the next UTC day, 1 to 86400. */
export function secondsToMidnightUtc(now: Date): number {
  return Math.ceil((nextQuotaDay(now).getTime() - now.getTime()) / 1_000)
}

/** `document_quota_exceeded`, with Retry-After to midnight UTC. */
export function quotaExceeded(now: Date): Refusal {
  return refuse(
    'document_quota_exceeded',
    "The API key's daily document quota is spent; it starts anew at midnight UTC",
    { 'Retry-After': String(secondsToMidnightUtc(now)) },
  )
}
