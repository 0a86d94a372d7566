/** What a task can be, in the order in which it comes to be it: never partially done. */
export const TASK_STATUSES = ['NOT_STARTED', 'IN_PROGRESS', 'BLOCKED', 'DONE'] as const
