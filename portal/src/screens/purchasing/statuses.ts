/** What a purchase order can be, in the order in which it comes to be it. */
export const STATUSES = ['OPEN', 'DONE'] as const
export const DELIVERY_STATUSES = ['NOT_RECEIVED', 'PARTIALLY_RECEIVED', 'RECEIVED'] as const
