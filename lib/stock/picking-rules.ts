/**
 * Picking: which levels an outflow takes from, first expired first out. Pure: no I/O and no clock.
 */
import type { Micro } from '../decimal.ts'
import { Later } from '../documents/later.ts'
import { type Batch, type Level, levelOf, type Position } from './stock.ts'

/**
 * What an outflow may take.
 * - `sellable`: neither quarantined nor expired (start and shipment)
 * - `unquarantined`: also expired stock (adjustments and transfers)
 * - `quarantined`: only quarantined stock (transfers out of quarantine)
 */
export type Condition = 'sellable' | 'unquarantined' | 'quarantined'

export type Pick = { readonly level: Level; readonly quantity: Micro }

/** What to take, and how much of what is wanted is not there to be taken. */
type Picked = { readonly picks: readonly Pick[]; readonly missing: Micro }

/** Expired: an expiry date before the document's day. */
function isExpired(batch: Batch | null, documentDate: string): boolean {
  return batch?.expiryDate != null && batch.expiryDate < documentDate.slice(0, 10)
}

/** What of the level is in the condition on the document's day. */
export function takeable(level: Level, condition: Condition, documentDate: string): Micro {
  if (condition === 'quarantined') return level.quarantine
  if (condition === 'sellable' && isExpired(level.batch, documentDate)) return 0n
  return level.quantity - level.quarantine
}

/**
 * By expiry, none last; then by batch id. Stock without a batch comes first among that without expiry: it was there before
 * the item became batch-tracked.
 */
export function byExpiry(a: Level, b: Level): number {
  const [first, second] = [a.batch?.expiryDate ?? null, b.batch?.expiryDate ?? null]
  if (first !== second) return first === null ? 1 : second === null ? -1 : first < second ? -1 : 1
  const [left, right] = [BigInt(a.batch?.id ?? '0'), BigInt(b.batch?.id ?? '0')]
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * The levels to take `quantity` (above 0) from, in order, as far as it is there. `batch` names one; undefined takes first
 * expired first out.
 * @throws Later when the position was not opened for picking without a batch: an earlier command moved a line there.
 */
export function pick(
  position: Position,
  want: {
    readonly quantity: Micro
    readonly batch: Batch | undefined
    readonly condition: Condition
    readonly documentDate: string
  },
): Picked {
  const { quantity, batch, condition, documentDate } = want
  if (batch === undefined && !position.pickable) throw new Later('the position was not opened for picking')
  const named = batch === undefined ? undefined : levelOf(position, batch)
  const levels = batch === undefined ? [...position.levels.values()].sort(byExpiry) : named === undefined ? [] : [named]
  const picks: Pick[] = []
  let missing = quantity
  for (const level of levels) {
    const available = takeable(level, condition, documentDate)
    const taken = lesser(available, missing)
    if (taken === 0n) continue
    picks.push({ level, quantity: taken })
    missing -= taken
    if (missing === 0n) break
  }
  return { picks, missing }
}

// Math.min knows no bigint.
function lesser(a: Micro, b: Micro): Micro {
  if (a < b) return a
  return b
}
