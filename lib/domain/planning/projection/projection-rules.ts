/**
 * The projected stock of a variant for each day, and how much of it can be promised. Days are UTC dates (`2026-11-21`), quantities
 * millionths. Pure: no I/O and no clock (docs/rules/planning.md).
 */
import { utcDay } from '../../../kit/days.ts'
import type { Micro } from '../../../platform/decimal.ts'

/** A document that supplies or needs the variant. */
export type Source = {
  readonly sourceType: string
  readonly sourceId: string
  readonly number: string
  /** Above 0: supply. Below 0: demand. */
  readonly quantity: Micro
  readonly dueDate: string | null
}

/** Sums over the sources of the day. `projected` is the stock at the end of the day. */
export type ProjectedDay = {
  readonly date: string
  readonly supply: Micro
  readonly demand: Micro
  readonly projected: Micro
  readonly sources: readonly Source[]
}

/**
 * Today, and each later day with a source. Sources that were due before today count today, and so does demand without a date. Supply
 * without a date is left out.
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

/**
 * For each day the least stock that is projected for it and all later days, not below 0. This quantity can be promised without taking goods
 * from another document.
 */
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

/** The date `days` days after a date. */
export const dayAfter = (date: string, days: number): string => utcDay(Date.parse(date), days)
