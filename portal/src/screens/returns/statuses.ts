/** What a sales return can be, in the order in which it comes to be it. */
export const STATUSES = ['NOT_RETURNED', 'RETURNED', 'CANCELLED'] as const
