/** Connects to PostgreSQL with the kinds of TLS that an address allows. All connections are opened here. */
import pg from 'pg'
import { ConnectionError } from 'slonik'
import { SilentConnection } from '../answer-limit.ts'
import { isDependencyFailure } from './failures.ts'
import { type TlsWay, tlsWays } from './tls.ts'

/** The rules of pg_hba.conf refuse the connection. They may depend on TLS. */
const NOT_AUTHORIZED = '28000'
/** Node's error codes that TLS does not change. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EACCES',
])

/**
 * Opens a connection with the first TLS setting. If that fails and the address has a second one, tries the second.
 * @param databaseUrl as DATABASE_URL
 * @throws an error that `isDependencyFailure` recognises
 */
export async function connectByTls<T>(databaseUrl: string, open: (ssl: TlsWay) => Promise<T>): Promise<T> {
  try {
    const [first, second] = tlsWays(databaseUrl)
    return await open(first).catch(error => {
      if (second === undefined || !mayBeTls(error)) throw error
      return open(second)
    })
  } catch (error) {
    throw isDependencyFailure(error) ? error : new ConnectionError((error as Error).message, { cause: error as Error })
  }
}

/** Whether the other TLS setting may work after this failure. */
function mayBeTls(error: unknown): boolean {
  const { code } = error as { code?: string }
  if (error instanceof pg.DatabaseError) return code === NOT_AUTHORIZED
  return !(error instanceof AggregateError || error instanceof SilentConnection || UNREACHABLE.has(code ?? ''))
}
