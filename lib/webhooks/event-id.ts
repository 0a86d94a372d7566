/** SQL for the id of a row of `events`: the first field of its body. */
import { fixedFragment } from '../platform/postgres/postgres.ts'

/** `{"id":"` comes before the 36 characters of the id (lib/work/events.ts). */
export const EVENT_ID = 'substr(body, 8, 36)'

export const eventId = fixedFragment(EVENT_ID)
