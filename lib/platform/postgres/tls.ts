/**
 * The TLS of connections to PostgreSQL, with libpq's parameters in the address (docs/settings.md has the table). All connections use what
 * this file reads from an address.
 */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ConnectionOptions, createSecureContext, getCACertificates } from 'node:tls'

/** `no-verify` is what `pg` and Slonik call `require`. */
const MODES = ['disable', 'allow', 'prefer', 'require', 'no-verify', 'verify-ca', 'verify-full'] as const
type Mode = (typeof MODES)[number]

/** The parameters of an address for TLS. */
export const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'ssl', 'uselibpqcompat'] as const
/** Names that other programs use: `ssl=true` of JDBC, which libpq also accepts, and those of `pg`. */
const MODE_OF_SSL = new Map<string, Mode>([
  ['true', 'require'],
  ['1', 'require'],
  ['false', 'disable'],
  ['0', 'disable'],
])

/** Variables of libpq for parameters that an address leaves out. */
const VARIABLES = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
} as const

/** The TLS of a connection; `false`: without TLS. */
export type TlsWay = false | ConnectionOptions
/** The second one is tried when the first one fails. */
export type TlsWays = readonly [first: TlsWay, second?: TlsWay]

/** A wrong TLS parameter of an address. */
class TlsFault extends Error {
  override name = 'TlsFault'
  /** The message after the name of the setting. */
  readonly fault: string

  constructor(fault: string) {
    super(`the address of PostgreSQL ${fault}`)
    this.fault = fault
  }
}

/** The address, completed with the TLS parameters of these variables. */
export function withTlsOf(databaseUrl: string, env: NodeJS.ProcessEnv): string {
  const url = URL.parse(databaseUrl)
  if (url === null) return databaseUrl
  const says = url.searchParams
  const missing = Object.entries(VARIABLES).flatMap(([parameter, variable]) => {
    const value = env[variable]
    const isSaid = says.has(parameter) || (parameter === 'sslmode' && says.has('ssl'))
    return value === undefined || value === '' || isSaid ? [] : [[parameter, value] as const]
  })
  if (missing.length === 0) return databaseUrl
  for (const [parameter, value] of missing) says.set(parameter, value)
  return url.href
}

/** What is wrong with the TLS parameters of an address, and with the files that they name; undefined: nothing. */
export function tlsFaultOf(databaseUrl: string): string | undefined {
  try {
    for (const each of tlsWays(databaseUrl)) if (each) checkFiles(each)
    return undefined
  } catch (error) {
    if (error instanceof TlsFault) return error.fault
    throw error
  }
}

function checkFiles({ ca, cert, key }: ConnectionOptions): void {
  // A text without a certificate would be accepted as an empty list, which trusts no server.
  if (typeof ca === 'string') reading('certificates in sslrootcert', () => new X509Certificate(ca))
  if (cert !== undefined)
    reading('a certificate in sslcert and its key in sslkey', () => createSecureContext({ cert, key }))
}

/** @throws TlsFault */
function reading<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new TlsFault(`must name ${what} (${(error as Error).message})`)
  }
}

/**
 * The ways to connect that an address allows.
 * @throws TlsFault
 */
export function tlsWays(databaseUrl: string): TlsWays {
  const url = new URL(databaseUrl)
  const unknown = [...url.searchParams.keys()].find(key => key.startsWith('ssl') && !isOneOf(TLS_PARAMETERS, key))
  if (unknown !== undefined)
    throw new TlsFault(`must say of TLS no more than sslmode, sslrootcert, sslcert and sslkey: ${unknown} is not known`)
  const rootCert = url.searchParams.get('sslrootcert')
  const mode = modeOf(url, rootCert)
  // As in libpq: a socket in the file system needs no TLS.
  if (mode === 'disable' || hostOf(url).startsWith('/')) return [false]
  if (rootCert === 'system' && mode !== 'verify-full')
    throw new TlsFault('must say sslmode=verify-full beside sslrootcert=system')
  if (rootCert === null && mode === 'verify-ca')
    throw new TlsFault('must name a file of certificates in sslrootcert beside sslmode=verify-ca')
  const secure: ConnectionOptions = {
    ...certificatesOf(rootCert, url.searchParams.get('sslcert'), url.searchParams.get('sslkey')),
    rejectUnauthorized: mode === 'verify-full' || (rootCert !== null && mode !== 'no-verify'),
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  }
  if (mode === 'allow') return [false, secure]
  return mode === 'prefer' ? [secure, false] : [secure]
}

const isOneOf = <T extends string>(all: readonly T[], value: string): value is T => all.some(each => each === value)

function modeOf({ searchParams }: URL, rootCert: string | null): Mode {
  const ssl = searchParams.get('ssl')
  const mode = searchParams.get('sslmode') ?? (ssl === null ? undefined : (MODE_OF_SSL.get(ssl) ?? ssl))
  if (mode === undefined) return rootCert === 'system' ? 'verify-full' : 'prefer'
  if (!isOneOf(MODES, mode))
    throw new TlsFault('must say sslmode=disable, allow, prefer, require, verify-ca or verify-full')
  return mode
}

const hostOf = (url: URL): string => url.searchParams.get('host') ?? decodeURIComponent(url.hostname)

function certificatesOf(rootCert: string | null, cert: string | null, key: string | null): ConnectionOptions {
  if ((cert === null) !== (key === null)) throw new TlsFault('must name both sslcert and sslkey, or neither')
  const read = (parameter: string, path: string) =>
    reading(`a file that can be read in ${parameter}`, () => readFileSync(path, 'utf8'))
  return {
    ...(rootCert === null
      ? {}
      : { ca: rootCert === 'system' ? getCACertificates('system') : read('sslrootcert', rootCert) }),
    ...(cert === null ? {} : { cert: read('sslcert', cert) }),
    ...(key === null ? {} : { key: read('sslkey', key) }),
  }
}
