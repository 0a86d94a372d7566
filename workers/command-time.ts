/**
 * The time at which a tenant's commands run. It must not run backwards.
 */

/** A clock that is ahead by more than this was wrong, and is not followed. */
const CLOCK_SKEW_MS_MAX = 300_000

/**
 * Now as `2026-11-21T05:00:00.000Z`, but never before the tenant's last command: a poller by `updated_after` must not miss
 * what a slow clock stamps.
 */
export function commandTime(lastCommandAt: string | null): string {
  const now = Date.now()
  const last = lastCommandAt === null ? now : Date.parse(lastCommandAt)
  return new Date(last > now && last - now <= CLOCK_SKEW_MS_MAX ? last : now).toISOString()
}
