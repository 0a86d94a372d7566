/** Months of the books: `2026-11`. */
import { today, utcDay } from '../../days.ts'

const format = (year: 'numeric' | '2-digit') =>
  new Intl.DateTimeFormat(undefined, { month: 'short', year, timeZone: 'UTC' })
const [names, short] = [format('numeric'), format('2-digit')]

export const monthText = (month: string): string => names.format(new Date(month))

/** Short, for the axis of a plot. */
export const shortText = (month: string): string => short.format(new Date(month))

export const thisMonth = (): string => today().slice(0, 7)

export function monthLater(month: string, later: number): string {
  const date = new Date(month)
  date.setUTCMonth(date.getUTCMonth() + later)
  return utcDay(date.getTime()).slice(0, 7)
}

export const daysOf = (month: string) => ({
  from: `${month}-01`,
  through: utcDay(Date.parse(monthLater(month, 1)) - 1),
})
