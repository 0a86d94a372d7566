/** The order of picking: first expired first out. Pure: no I/O and no clock. */
import type { Day } from '../../kit/days.ts'
import type { Batch, Level, PickOrder, PickPlace, Reach } from './stock.ts'

const NO_EXPIRY = 'infinity'
export const EXPIRED_TOO = '-infinity'

/** Stock outside quarantine, expired stock too (adjustments and transfers). */
export const unquarantinedStock: PickOrder = { kind: 'free', from: EXPIRED_TOO }
/** Stock in quarantine (transfers out of quarantine). */
export const quarantinedStock: PickOrder = { kind: 'quarantined', from: EXPIRED_TOO }
/** The quantity of this kind in the level. */
export const sellableStock = (day: Day): PickOrder => ({ kind: 'free', from: day })

export const orderKey = ({ kind, from }: PickOrder): string => `${kind} ${from}`

export function orderOf(key: string): PickOrder {
  const [kind, from = ''] = key.split(' ')
  return { kind: kind as PickOrder['kind'], from }
}

/** The expiry date as levels store it (`expires_on`). */
export const amountOf = (of: Pick<Level, 'quantity' | 'quarantine'>, { kind }: PickOrder) =>
  kind === 'quarantined' ? of.quarantine : of.quantity - of.quarantine

/**
 * By expiry, those without one last; then by batch id. Among levels without expiry, stock without a batch comes first: it is older than the
 * item's batch tracking.
 */
export const expiryOf = (batch: Batch | null): string => batch?.expiryDate ?? NO_EXPIRY

const placeOf = ({ batch }: Level): PickPlace => ({ expiry: expiryOf(batch), batchId: batch?.id ?? '0' })

/** Whether every level before this one is loaded. */
export const byExpiry = (a: Level, b: Level): number => comparePlaces(placeOf(a), placeOf(b))

function comparePlaces(a: PickPlace, b: PickPlace): number {
  if (a.expiry !== b.expiry) return a.expiry < b.expiry ? -1 : 1
  const [left, right] = [BigInt(a.batchId), BigInt(b.batchId)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Whether no level that is not loaded comes before this one. */
export const isWithin = ({ to }: Reach, level: Level): boolean => to === null || comparePlaces(placeOf(level), to) <= 0
