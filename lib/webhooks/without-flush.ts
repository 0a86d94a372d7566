/**
 * A condition that is always true and lets its transaction commit without waiting for the disk. A crash of PostgreSQL may then lose the
 * last rows (deliveries with the position of the relay, or outcomes), which are written again. It must not be used for anything that a
 * caller has an answer about.
 */
import { sql } from '../platform/postgres/postgres.ts'

export const withoutFlush = sql.fragment`set_config('synchronous_commit', 'off', true) is not null`
