/**
 * What the sessions of the service are set to: time limits, plans, schema. A session is told so once it is open, since PgBouncer refuses
 * or drops what a connection asks for at its start. What else an address brings stays as it is.
 */
import type pg from 'pg'

/** Name and value of each, in the order in which they are set. */
export type SessionSettings = readonly (readonly [name: string, value: string])[]

const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const
/** As withOptions and connectionString (address.ts) write them; an operator's value for one of these comes last, and wins. */
const OWN_OPTIONS = /(?:^|\s)-c\s*(plan_cache_mode|enable_seqscan|enable_memoize|search_path)=(\S*)/g

/** Parameters: names, and values. One statement for all sessions, which also tells the session's number. */
export const SET_UP = `
  select pg_backend_pid() as pid, (
    select count(set_config(name, value, false)) from unnest($1::text[], $2::text[]) as settings (name, value)
  ) as settings`

/** What a connection is opened with, and what its session is told then. */
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
