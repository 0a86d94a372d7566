/** SQL for the id of a row of `events`: its body begins with it. */
import { fixedFragment } from '../platform/postgres/postgres.ts'

/** `{"id":"` comes before its 36 characters (lib/work/events.ts). */
export const EVENT_ID = 'substr(body, 8, 36)'

export const eventId = fixedFragment(EVENT_ID)
