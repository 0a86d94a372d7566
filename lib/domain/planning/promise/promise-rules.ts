/** When a quantity can be promised. Pure: no I/O and no clock (docs/rules/planning.md). */
import type { Micro } from '../../../platform/decimal.ts'
import { availableDays, dayAfter, type ProjectedDay } from '../projection/projection-rules.ts'
import type { Component, Need } from '../requirements/netting-rules.ts'

export type Promised = {
  readonly availableNow: Micro
  readonly date: string | null
  readonly basis: 'STOCK' | 'SUPPLY' | 'LEAD_TIME' | null
  readonly days: readonly { readonly date: string; readonly available: Micro }[]
}

/**
 * The day on which a quantity can be promised: today if there is enough. Else the first day with enough, or the end of the lead time if
 * that is earlier.
 * @param projected from today on; supply counts from tomorrow on
 * @param leadTimeDays days to buy or make the whole quantity; null: unknown
 */
export function promiseOf(
  projected: readonly ProjectedDay[],
  {
    today,
    quantity,
    leadTimeDays,
  }: { readonly today: string; readonly quantity: Micro; readonly leadTimeDays: number | null },
): Promised {
  const days = availableDays(projected)
  const availableNow = days[0]?.available ?? 0n
  const enough = days.find(({ available }) => available >= quantity)?.date ?? null
  if (enough === today) return { availableNow, date: today, basis: 'STOCK', days }
  const made = leadTimeDays === null ? null : dayAfter(today, leadTimeDays)
  if (enough !== null && (made === null || enough <= made)) return { availableNow, date: enough, basis: 'SUPPLY', days }
  return { availableNow, date: made, basis: made === null ? null : 'LEAD_TIME', days }
}

type Leading = Component & { readonly ordering: { readonly leadTimeDays: number | null } }

/**
 * Days until a variant is made: its own (0 if it has none) plus the longest of its missing materials. A material that is made follows the
 * same rule; a bought one takes its lead time. Null if a missing material has no lead time.
 * @param needs of making the quantity, by level
 */
export function leadTimeOf<C extends Leading>(asked: C, needs: readonly Need<C>[]): number | null {
  const ofMissing = new Map<string, number | null>()
  const leadTime = ({ ordering: { leadTimeDays }, materials }: C): number | null => {
    if (materials === null) return leadTimeDays
    const missing = materials.flatMap(({ id }) => ofMissing.get(id) ?? (ofMissing.has(id) ? [null] : []))
    return missing.includes(null) ? null : (leadTimeDays ?? 0) + Math.max(0, ...missing.map(Number))
  }
  // Materials have higher levels than the variants that use them.
  for (const { component, net } of needs.toReversed()) if (net > 0n) ofMissing.set(component.id, leadTime(component))
  return leadTime(asked)
}
