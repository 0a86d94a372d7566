/** What a sales order can be, in the order in which it comes to be it. */
export const STATUSES = ['OPEN', 'DONE', 'CANCELLED'] as const
export const DELIVERY_STATUSES = ['NOT_SHIPPED', 'PARTIALLY_PACKED', 'PACKED', 'PARTIALLY_SHIPPED', 'SHIPPED'] as const
