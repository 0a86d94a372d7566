/** What a manufacturing order can be, in the order in which it comes to be it; tasks are never partially done. */
export const STATUSES = ['NOT_STARTED', 'IN_PROGRESS', 'BLOCKED', 'PARTIALLY_DONE', 'DONE'] as const
export const TASK_STATUSES = ['NOT_STARTED', 'IN_PROGRESS', 'BLOCKED', 'DONE'] as const
export const TYPES = ['MAKE_TO_STOCK', 'MAKE_TO_ORDER'] as const
