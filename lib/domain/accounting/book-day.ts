/** On which day of the books a moment lies. Pure. */

/** `2026-11-21` of `2026-11-21T05:00:00.000Z`. Days are UTC days. */
export const bookDay = (moment: string): string => moment.slice(0, 10)
