/**
 * What is projected of a variant, day by day, and what of it can be promised. Days are UTC dates (`2026-11-21`), quantities millionths.
 * Pure: no I/O and no clock (docs/rules/planning.md).
 */
import { utcDay } from '../../../kit/days.ts'
import type { Micro } from '../../../platform/decimal.ts'

/** A document's part in a projection. */
export type Source = {
  readonly sourceType: string
  readonly sourceId: string
  readonly number: string
  /** Above 0 it supplies, below it demands. */
  readonly quantity: Micro
  readonly dueDate: string | null
}

/** Sums over the sources that count on the day; `projected` is what is there at its end. */
export type ProjectedDay = {
  readonly date: string
  readonly supply: Micro
  readonly demand: Micro
  readonly projected: Micro
  readonly sources: readonly Source[]
}

/**
 * Today and each later day on which something happens. What is due before today counts today, and so does demand without a date.
 * Supply without a date is left out.
 * @param asked `isSupplySure`: supply that is due today or overdue counts today; else it counts tomorrow
 */
export function projectedDays(
  sources: readonly Source[],
  asked: { readonly today: string; readonly quantity: Micro; readonly isSupplySure: boolean },
): readonly ProjectedDay[] {
  const supplyFrom = asked.isSupplySure ? asked.today : dayAfter(asked.today, 1)
  const byDay = new Map<string, Source[]>([[asked.today, []]])
  for (const source of sources) {
    const isSupply = source.quantity > 0n
    if (isSupply && source.dueDate === null) continue
    const day = later(source.dueDate ?? asked.today, isSupply ? supplyFrom : asked.today)
    const there = byDay.get(day)
    if (there) there.push(source)
    else byDay.set(day, [source])
  }
  let projected = asked.quantity
  return [...byDay.keys()].sort().map(date => {
    const there = byDay.get(date) ?? []
    const supply = sum(there.filter(({ quantity }) => quantity > 0n))
    const demand = -sum(there.filter(({ quantity }) => quantity < 0n))
    projected += supply - demand
    return { date, supply, demand, projected, sources: there }
  })
}

/** Of each day the least that is projected for it and all later ones, not below 0: so much can be promised and takes nothing from anybody. */
export function availableDays(
  days: readonly ProjectedDay[],
): readonly { readonly date: string; readonly available: Micro }[] {
  let least: Micro | null = null
  return days
    .toReversed()
    .map(({ date, projected }) => {
      least = least === null || projected < least ? projected : least
      return { date, available: least > 0n ? least : 0n }
    })
    .toReversed()
}

const later = (one: string, other: string): string => (one > other ? one : other)
const sum = (sources: readonly Source[]): Micro => sources.reduce((total, { quantity }) => total + quantity, 0n)

/** The date so many days after a date. */
export const dayAfter = (date: string, days: number): string => utcDay(Date.parse(date), days)
