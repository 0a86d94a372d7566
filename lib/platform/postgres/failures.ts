/** Separates an unavailable dependency (retryable: 503) from a bug (500). It inspects errors only. */
import { BackendTerminatedError, BackendTerminatedUnexpectedlyError, ConnectionError } from 'slonik'
import { refusalOf } from '../redis/refusals.ts'

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/**
 * PostgreSQL: connection exceptions, too many connections, operator intervention, a lock not obtained, serialization and deadlock, a
 * transaction idle for too long.
 */
const postgresClasses = /^(?:08|53|57)|^(?:40001|40P01|55P03|25P03)$/
const redisMessages =
  /Connection is closed|max retries per request|Stream isn't writeable|LOADING|READONLY|MISCONF|CLUSTERDOWN|MASTERDOWN|NOSCRIPT|Command timed out|OOM command not allowed|None of startup nodes|Failed to refresh slots cache|Too many Cluster redirections|Cluster is (?:ended|disconnect)|Cluster isn't ready/i
const postgresMessages =
  /Connection terminated|timeout expired|the database system is (?:starting up|shutting down|in recovery)|Client has encountered a connection error|not queryable/i

/** PostgreSQL: a statement cancelled (by its timeout, or an operator), a lock not obtained in time, serialization, deadlock. */
const statementCodes = new Set(['57014', '55P03', '40001', '40P01'])

/**
 * Names of errors that are no fault of our code: an answer that did not come in time, a connection that did not become free, a cell without
 * an address in this process, a moving tenant.
 */
const awayNames = new Set(['SilentConnection', 'NoSlot', 'NoAnswerInTime', 'UnknownCell', 'TenantNotHere'])

/**
 * Whether PostgreSQL gave up one statement and its connection is still good, or no connection became free. Then the statements may be the
 * cause. A lost connection, or a server that starts or stops, says nothing about them.
 */
export function isStatementFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'NoSlot' || statementCodes.has(String((error as { code?: unknown }).code))
}

/** Whether PostgreSQL or Redis (not our code) failed, so that the same request may work in a moment. */
export function isDependencyFailure(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++) {
    if (
      at instanceof ConnectionError ||
      at instanceof BackendTerminatedError ||
      at instanceof BackendTerminatedUnexpectedlyError
    )
      return true
    if (awayNames.has(at.name)) return true
    const code = (at as { code?: unknown }).code
    if (typeof code === 'string' && (networkCodes.has(code) || (code.length === 5 && postgresClasses.test(code))))
      return true
    if (redisMessages.test(at.message) || postgresMessages.test(at.message)) return true
    if (refusalOf(at) !== undefined) return true
    if (at instanceof AggregateError && at.errors.some(isDependencyFailure)) return true
  }
  return false
}

/** A code such as `55P03`, else the name of the error; never its message, which may contain values. */
export function errorClass(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException
    if (typeof code === 'string') return code
  }
  return error instanceof Error ? error.name : typeof error
}
