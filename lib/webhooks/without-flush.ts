/**
 * A condition that is always true and lets its transaction commit without waiting for the disk. What a crash of Postgres then
 * takes back (deliveries and the mark up to where they were made, or outcomes) is done once more; it must not be used for
 * anything that callers were told.
 */
import { sql } from '../platform/postgres/postgres.ts'

export const withoutFlush = sql.fragment`set_config('synchronous_commit', 'off', true) is not null`
