/** A day as charts of some days name it. */
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', timeZone: 'UTC' })

export const weekdayText = (at: string): string => weekday.format(new Date(at))
