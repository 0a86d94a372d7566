/** Addresses of PostgreSQL in settings: a URL, and parameters beyond those of `pg` (docs/decisions/0010). It opens no connection. */
import { nearestOf } from '../nearest.ts'
import { TLS_PARAMETERS, tlsFaultOf } from './tls.ts'

/** Names that need no quotes anywhere. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/

/**
 * Parameters that this file reads. A misspelt one must be refused here: otherwise the tables of another schema would be used, or TLS would
 * be off.
 */
const OWN = ['schema', 'citus', ...TLS_PARAMETERS]

export type Address = {
  /** The schema with all tables: `schema=NAME`; null: the default of the server's user. */
  readonly schema: string | null
  /** Whether Citus keeps the schema on one of several nodes (`citus=on`). Then only the coordinator gives ids. */
  readonly isDistributed: boolean
}

export function readAddress(databaseUrl: string): Address {
  const { searchParams } = new URL(databaseUrl)
  return { schema: searchParams.get('schema'), isDistributed: searchParams.get('citus') === 'on' }
}

/** What is wrong with the parts of an address that this file reads; undefined: nothing. */
export function faultOf(databaseUrl: string): string | undefined {
  const { schema, isDistributed } = readAddress(databaseUrl)
  const { searchParams } = new URL(databaseUrl)
  for (const parameter of searchParams.keys()) {
    const nearest = nearestOf(parameter, OWN)
    if (nearest !== undefined) return `has a parameter ${JSON.stringify(parameter)}; the nearest one is ${nearest}`
  }
  const citus = searchParams.get('citus')
  if (schema !== null && !SCHEMA_NAME.test(schema))
    return 'must name a schema of small letters, digits and underscores (schema=cell_1)'
  if (citus !== null && citus !== 'on') return 'must say citus=on, or leave it out'
  if (isDistributed && (schema ?? 'public') === 'public') return 'must name a schema of its own beside citus=on'
  return tlsFaultOf(databaseUrl)
}

/** The address with settings for its sessions. The address's own options come later, and win. */
export function withOptions(databaseUrl: string, ...settings: readonly string[]): string {
  const url = new URL(databaseUrl)
  const given = url.searchParams.get('options') ?? ''
  url.searchParams.set('options', [...settings.map(setting => `-c ${setting}`), given].join(' ').trim())
  return url.href
}

/**
 * The address for `pg`, without TLS (tls.ts). The schema is the whole search path: a missing table must not be found in another schema. On
 * Citus plans are not generic, because a generic plan does not know the node of its tenant.
 */
export function connectionString(databaseUrl: string): string {
  const { schema, isDistributed } = readAddress(databaseUrl)
  const url = new URL(databaseUrl)
  const own = OWN.filter(parameter => url.searchParams.has(parameter))
  if (own.length === 0) return databaseUrl
  const options = [
    url.searchParams.get('options') ?? '',
    ...(schema === null ? [] : [`-c search_path=${schema}`]),
    ...(isDistributed ? ['-c plan_cache_mode=force_custom_plan'] : []),
  ]
  const text = options.join(' ').trim()
  if (text !== '') url.searchParams.set('options', text)
  for (const parameter of own) url.searchParams.delete(parameter)
  return url.href
}
