/** What a hold can be: it holds, or how it ended. */
export const STATUSES = ['HELD', 'CONSUMED', 'RELEASED', 'EXPIRED'] as const
