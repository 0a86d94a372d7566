/** The kinds of a subscription in few words. */
export const eventsText = (events: readonly string[]): string =>
  events.includes('*') ? 'All' : events.length <= 2 ? events.join(', ') : `${events[0]} and ${events.length - 1} more`
