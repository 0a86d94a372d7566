/** Reads REDIS_URL: one Redis, or several nodes of a Redis Cluster. It opens no connection. */

/** connect.ts turned a failure of unknown kind into a ConnectionError. */
type RedisNode = { readonly host: string; readonly port: number }

export type RedisAddress =
  | { readonly kind: 'single'; readonly url: string }
  | {
      readonly kind: 'cluster'
      readonly nodes: readonly RedisNode[]
      readonly username: string | undefined
      readonly password: string | undefined
      readonly tls: boolean
    }

const FORM = /^(redis|rediss)(\+cluster)?:\/\//
const PORT = 6379

/**
 * The address in a text, or undefined where there is none:
 * - `redis://[user:password@]host[:port][/database]`, with TLS `rediss://`: one Redis.
 * - `redis://[user:password@]host1:port1,host2:port2,...`: a Redis Cluster; each part may also be a whole URL. A few nodes are enough to
 *   find the others. Credentials in the first part hold for all.
 * - `redis+cluster://host:port` (`rediss+cluster://`): a cluster behind one name, such as a managed one.
 */
export function readRedisAddress(text: string): RedisAddress | undefined {
  const [, scheme, suffix] = FORM.exec(text) ?? []
  if (scheme === undefined) return undefined
  const parts = text.replace(FORM, '').split(',')
  if (suffix === undefined && parts.length === 1) return isSingle(text) ? { kind: 'single', url: text } : undefined
  const urls = parts.map(part => readPart(part, scheme))
  const [first] = urls
  if (!first || !urls.every(url => url !== undefined)) return undefined
  return {
    kind: 'cluster',
    nodes: urls.map(url => ({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || PORT) })),
    username: decodeURIComponent(first.username) || undefined,
    password: decodeURIComponent(first.password) || undefined,
    tls: scheme === 'rediss',
  }
}

const isSingle = (text: string): boolean => /^\/?$|^\/\d{1,5}$/.test(URL.parse(text)?.pathname ?? 'none')

/** One node: a whole URL of the same scheme, or the part after the scheme. A cluster has no numbered databases. */
function readPart(part: string, scheme: string): URL | undefined {
  const url = URL.parse(part.includes('://') ? part.replace('+cluster', '') : `${scheme}://${part}`)
  if (url === null || url.protocol !== `${scheme}:` || url.hostname === '') return undefined
  return ['', '/', '/0'].includes(url.pathname) ? url : undefined
}
