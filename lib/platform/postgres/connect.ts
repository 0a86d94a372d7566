/** Connects to PostgreSQL by the ways of TLS that an address asks for. All connections are opened through it. */
import pg from 'pg'
import { ConnectionError } from 'slonik'
import { SilentConnection } from '../answer-limit.ts'
import { isDependencyFailure } from './failures.ts'
import { type TlsWay, tlsWays } from './tls.ts'

/** PostgreSQL refuses a connection by the rules of pg_hba.conf, which may depend on TLS. */
const NOT_AUTHORIZED = '28000'
/** Node's codes of errors that no TLS changes. */
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
 * Opens a connection the first way, or the second one where the first fails and the address allows both.
 * @param databaseUrl as DATABASE_URL
 * @throws an error that `isDependencyFailure` knows.
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

/** Whether a connection with TLS may work where one without has failed, or the other way round. */
function mayBeTls(error: unknown): boolean {
  const { code } = error as { code?: string }
  if (error instanceof pg.DatabaseError) return code === NOT_AUTHORIZED
  return !(error instanceof AggregateError || error instanceof SilentConnection || UNREACHABLE.has(code ?? ''))
}
