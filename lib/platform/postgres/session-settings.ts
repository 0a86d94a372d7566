/**
 * The settings of the service's sessions: time limits, plans, schema. They are sent after the session is open, because PgBouncer refuses or
 * drops settings at the start. Other options of an address stay at the start.
 */
import type pg from 'pg'

/** Name and value of each setting, in order. */
export type SessionSettings = readonly (readonly [name: string, value: string])[]

const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const
/** The options that withOptions and connectionString (address.ts) write. An operator's value for one of them comes last, and wins. */
const OWN_OPTIONS = /(?:^|\s)-c\s*(plan_cache_mode|enable_seqscan|enable_memoize|search_path)=(\S*)/g

/** Sets all settings in one statement. Its parameters are their names and their values. It also returns the session's number. */
export const SET_UP = `
  select pg_backend_pid() as pid, (
    select count(set_config(name, value, false)) from unnest($1::text[], $2::text[]) as settings (name, value)
  ) as settings`

/** Separates the options of a connection's start from the settings of its session. */
export function apartFromStart(given: pg.ClientConfig & { readonly connectionString: string }): {
  readonly config: pg.ClientConfig
  readonly settings: SessionSettings
} {
  const config = { ...given }
  const url = new URL(given.connectionString)
  const settings: [string, string][] = []
  for (const name of LIMITS) {
    const value = config[name]
    delete config[name]
    if (value && !url.searchParams.has(name)) settings.push([name, String(value)])
  }
  const options = url.searchParams.get('options')
  if (options === null) return { config, settings }
  settings.push(
    ...[...options.matchAll(OWN_OPTIONS)].map(([, name = '', value = '']): [string, string] => [name, value]),
  )
  const left = options.replaceAll(OWN_OPTIONS, '').trim()
  if (left === '') url.searchParams.delete('options')
  else url.searchParams.set('options', left)
  return { config: { ...config, connectionString: url.href }, settings }
}
