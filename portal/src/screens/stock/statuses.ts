/** What a stock count can be, in the order in which it comes to be it. */
export const STATUSES = ['OPEN', 'DONE', 'CANCELLED'] as const
